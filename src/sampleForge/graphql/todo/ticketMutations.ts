import type { GraphqlAge } from '../../shared/area.ts';
import {
	asPerson,
	type StatusChange,
	type Ticket,
	type TicketEvent,
	type Person,
	isResolution,
	isStatus,
} from '../../tickets/ticketModel.ts';
import { refOf } from '../../tickets/ticketRoom.ts';
import { FieldError } from '../engine.ts';
import { findById, invalid, notFound, refuseAccess } from '../shapes.ts';
import {
	allowedTicket,
	findTracker,
	type TicketName,
	type Asking,
	describeEvent,
	describeTicket,
	holds,
} from './todoShapes.ts';

interface NewTicket {
	readonly trackerId: number;
	readonly input: {
		readonly subject: string;
		readonly body?: string | null;
		readonly created?: string | null;
		readonly externalId?: string | null;
		readonly externalUrl?: string | null;
	};
}

interface Texts extends TicketName {
	readonly input: { readonly subject?: string | null; readonly body?: string | null; readonly import?: object | null };
}

interface NewComment extends TicketName {
	readonly input: AskedMove & {
		readonly text: string;
		readonly import?: { readonly created: string; readonly externalId: string; readonly externalUrl: string } | null;
	};
}

interface Move extends TicketName {
	readonly input: AskedMove & { readonly import?: object | null };
}

interface Labelling extends TicketName {
	readonly labelId: number;
}

interface Assigning extends TicketName {
	readonly userId: number;
}

const mostSubjectBytes = 2048;
const mostBodyBytes = 16_384;
const mostCommentCharacters = 16_384;

/** Mutations of tickets and timelines; `afterFailure` as with trackers. */
export function ticketMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	const skipped = afterFailure && age === '2026';
	const told = (events: readonly TicketEvent[]): object | null => {
		hooks.events(events);
		const [first] = events;
		return first === undefined ? null : describeEvent(asking, first);
	};
	const move = (ticket: Ticket, comment: string | undefined, change: StatusChange | undefined): object | null =>
		told(
			store.update(
				ticket,
				asPerson(user),
				{ ...(comment === undefined ? {} : { comment }), ...(change === undefined ? {} : { change }) },
				context.nowMs(),
			),
		);
	return {
		submitTicket({ trackerId, input }: NewTicket) {
			if (skipped) {
				return null;
			}
			checkTexts(input);
			const tracker = findTracker(asking, trackerId);
			if (tracker === undefined || !holds(user, tracker, 'submit')) {
				return null;
			}
			const { submitter = asPerson(user), createdMs } = readImport(tracker.owner === user, input);
			const draft = { title: input.subject, description: input.body ?? '', submitter, createdMs };
			const ticket = store.addTicket(tracker, draft, context.nowMs());
			hooks.ticketCreated(ticket, 'api');
			return describeTicket(asking, ticket);
		},
		deleteTicket(name: TicketName) {
			const ticket = allowedTicket(asking, name, 'edit');
			store.removeTicket(ticket);
			hooks.ticketDeleted(ticket);
			return { ...describeTicket(asking, ticket), ref: refOf(ticket).replace(/^.*#/, '~/#') };
		},
		updateTicket({ input, ...name }: Texts) {
			checkNoImport(input);
			const ticket = allowedTicket(asking, name, 'edit');
			if (skipped) {
				return null;
			}
			checkTexts(input);
			const { subject, body } = input;
			store.edit(
				ticket,
				{
					...(typeof subject === 'string' ? { title: subject } : {}),
					...(body === undefined ? {} : { description: body ?? '' }),
				},
				context.nowMs(),
			);
			hooks.ticketUpdated(ticket);
			return describeTicket(asking, ticket);
		},
		updateTicketStatus({ input, ...name }: Move) {
			checkNoImport(input);
			const ticket = allowedTicket(asking, name, 'triage');
			const change = readMove(age, ticket, input);
			const event = move(ticket, undefined, change);
			hooks.ticketUpdated(ticket);
			return event;
		},
		submitComment({ input, ...name }: NewComment) {
			const tracker = findTracker(asking, name.trackerId);
			const moves = typeof input.status === 'string' || typeof input.resolution === 'string';
			if (tracker !== undefined && moves && !holds(user, tracker, 'triage')) {
				throw refuseAccess(age);
			}
			const ticket = allowedTicket(asking, name, 'comment');
			if (skipped) {
				return null;
			}
			if (Array.from(input.text).length > mostCommentCharacters) {
				throw new FieldError('pq: value too long for type character varying(16384)');
			}
			const change = typeof input.status === 'string' ? readMove(age, ticket, input) : undefined;
			if (input.import === undefined || input.import === null) {
				return move(ticket, input.text, change);
			}
			const { submitter = asPerson(user) } = readImport(ticket.tracker.owner === user, input.import);
			const update = { comment: input.text, ...(change === undefined ? {} : { change }) };
			return told(store.update(ticket, submitter, update, context.nowMs()));
		},
		assignUser: (wish: Assigning) => told([assign(asking, wish, true)]),
		unassignUser: (wish: Assigning) => told([assign(asking, wish, false)]),
		labelTicket: (wish: Labelling) => told([setLabel(asking, wish, true)]),
		unlabelTicket: (wish: Labelling) => told([setLabel(asking, wish, false)]),
	};
}

function assign(asking: Asking, { userId, ...name }: Assigning, on: boolean): TicketEvent {
	const { room, user, age } = asking;
	const ticket = allowedTicket(asking, name, 'triage');
	const somebody = findById(room.context, 'todo', userId);
	if (somebody === undefined) {
		throw notFound(age, 'user');
	}
	if (ticket.assignees.includes(somebody) === on) {
		throw new FieldError(`this user is ${on ? 'already' : 'not'} assigned to this ticket`);
	}
	const by = { person: asPerson(user), atMs: room.context.nowMs() };
	return room.store.setAssignee(ticket, somebody, on, by);
}

/** Removing an absent label succeeds and adds an event. */
function setLabel(asking: Asking, { labelId, ...name }: Labelling, on: boolean): TicketEvent {
	const { room, user, age } = asking;
	const ticket = allowedTicket(asking, name, 'triage');
	const label = ticket.tracker.labels.find(({ id }) => id === labelId);
	if (label === undefined) {
		throw notFound(age, 'label');
	}
	if (on && ticket.labels.has(label)) {
		throw new FieldError('this label is already assigned to this ticket');
	}
	const by = { person: asPerson(user), atMs: room.context.nowMs() };
	room.store.touch(ticket, by.atMs);
	return room.store.setLabel(ticket, label, on, by);
}

interface GivenTexts {
	readonly subject?: string | null;
	readonly body?: string | null;
}

function checkTexts({ subject, body }: GivenTexts): void {
	if (Buffer.byteLength(subject ?? '') > mostSubjectBytes) {
		throw invalid('Ticket subject must be fewer than to 2049 characters.', 'subject');
	}
	if (Buffer.byteLength(body ?? '') > mostBodyBytes) {
		throw invalid('Ticket body must be less than 16 KiB in size', 'body');
	}
}

/** Observed services import only comments and new tickets. */
function checkNoImport({ import: imported }: { readonly import?: object | null }): void {
	if (imported !== undefined && imported !== null) {
		throw new FieldError('internal system error');
	}
}

interface Given {
	readonly created?: string | null;
	readonly externalId?: string | null;
	readonly externalUrl?: string | null;
}

interface Import {
	readonly submitter?: Person;
	/** Undefined: now. */
	readonly createdMs: number | undefined;
}

/** Original author and time of an imported text. Only the tracker's owner may set them. */
function readImport(owner: boolean, given: Given): Import {
	const { created } = given;
	const submitter = readSubmitter(owner, given.externalId ?? '', given.externalUrl ?? '');
	if (typeof created === 'string' && !owner) {
		throw invalid('Cannot configure creation time unless you are the owner of this tracker', 'created');
	}
	return {
		...(submitter === undefined ? {} : { submitter }),
		createdMs: typeof created === 'string' ? Date.parse(created) : undefined,
	};
}

function readSubmitter(owner: boolean, externalId: string, url: string): Person | undefined {
	if ((externalId === '') !== (url === '')) {
		throw invalid('Must specify both externalId and externalUrl, or neither, but not one');
	}
	if (externalId === '') {
		return undefined;
	}
	if (!owner) {
		throw invalid('Cannot configure external user import unless you are the owner of this tracker');
	}
	if (!externalId.includes(':')) {
		throw invalid("Format of externalId field is '<third-party>:<name>', .e.g 'example.org:jdoe'", 'externalId');
	}
	if (!/^https?:/.test(url)) {
		throw invalid('Invalid URL scheme', 'externalUrl');
	}
	return { kind: 'external', externalId, url };
}

/** Input of a status change, in words of the schema's enums. */
interface AskedMove {
	readonly status?: string | null;
	readonly resolution?: string | null;
}

/**
 * Any status is valid, even the current one. Only a resolved ticket takes a resolution
 * (docs/protocol.md#rights-in-graphql).
 */
function readMove(age: GraphqlAge, ticket: Ticket, asked: AskedMove): StatusChange {
	const newStatus = asked.status?.toLowerCase();
	const resolution = asked.resolution?.toLowerCase();
	const first = age === '2026' ? 'resolution' : 'Resolution';
	if (!isStatus(newStatus)) {
		throw new Error(`The schema lets a status through that is none: ${String(newStatus)}`);
	}
	if (newStatus === 'resolved' && resolution === undefined) {
		throw new FieldError(`${first} is required when setting status to RESOLVED`);
	}
	if (newStatus !== 'resolved' && resolution !== undefined) {
		throw new FieldError(`${first} may only be provided when status is set to RESOLVED`);
	}
	const { status: oldStatus, resolution: oldResolution } = ticket;
	const newResolution = resolution === 'closed' || isResolution(resolution) ? resolution : 'unresolved';
	return { oldStatus, oldResolution, newStatus, newResolution };
}
