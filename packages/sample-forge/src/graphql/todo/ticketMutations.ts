import type { GraphqlAge } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
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
import { type TicketName, type Asking, holds, todoFinders, todoShapes } from './todoShapes.ts';

/** Source of an imported text. */
interface Given {
	readonly created?: string | null;
	readonly externalId?: string | null;
	readonly externalUrl?: string | null;
}

/** New texts of a ticket. */
interface GivenTexts {
	readonly subject?: string | null;
	readonly body?: string | null;
}

/** A status change, in words of the schema's enums. */
interface AskedMove {
	readonly status?: string | null;
	readonly resolution?: string | null;
}

interface Importing {
	readonly import?: Given | null;
}

interface Wish<Input> extends TicketName {
	readonly input: Input;
}

interface NewTicket {
	readonly trackerId: number;
	readonly input: GivenTexts & Given & { readonly subject: string };
}

const mostSubjectBytes = 2048;
const mostBodyBytes = 16_384;
const mostCommentCharacters = 16_384;

/** Mutations of tickets and timelines; `afterFailure` as with trackers. */
export function ticketMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	const finders = todoFinders(asking);
	const shapes = todoShapes(asking);
	const skipped = afterFailure && age === '2026';
	const told = (events: readonly TicketEvent[]): object | null => {
		hooks.events(events);
		const [first] = events;
		return first === undefined ? null : shapes.event(first);
	};
	return {
		submitTicket({ trackerId, input }: NewTicket) {
			if (skipped) {
				return null;
			}
			checkTexts(input);
			const tracker = finders.tracker(trackerId);
			if (tracker === undefined || !holds(user, tracker, 'submit')) {
				return null;
			}
			const { submitter = asPerson(user), createdMs } = readImport(tracker.owner === user, input);
			const draft = { title: input.subject, description: input.body ?? '', submitter, createdMs };
			const ticket = store.addTicket(tracker, draft, context.nowMs());
			hooks.ticketCreated(ticket, 'api');
			return shapes.ticket(ticket);
		},
		deleteTicket(name: TicketName) {
			const ticket = finders.allowedTicket(name, 'edit');
			store.removeTicket(ticket);
			hooks.ticketDeleted(ticket);
			return { ...shapes.ticket(ticket), ref: refOf(ticket).replace(/^.*#/, '~/#') };
		},
		updateTicket({ input, ...name }: Wish<GivenTexts & Importing>) {
			checkNoImport(input);
			const ticket = finders.allowedTicket(name, 'edit');
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
			return shapes.ticket(ticket);
		},
		updateTicketStatus({ input, ...name }: Wish<AskedMove & Importing>) {
			checkNoImport(input);
			const ticket = finders.allowedTicket(name, 'triage');
			const change = readMove(age, ticket, input);
			const event = told(store.update(ticket, asPerson(user), { change }, context.nowMs()));
			hooks.ticketUpdated(ticket);
			return event;
		},
		submitComment({ input, ...name }: Wish<AskedMove & Importing & { readonly text: string }>) {
			const tracker = finders.tracker(name.trackerId);
			const moves = typeof input.status === 'string' || typeof input.resolution === 'string';
			const mayMove = tracker === undefined || holds(user, tracker, 'triage');
			check(!moves || mayMove, () => refuseAccess(age));
			const ticket = finders.allowedTicket(name, 'comment');
			if (skipped) {
				return null;
			}
			const fits = Array.from(input.text).length <= mostCommentCharacters;
			check(fits, () => new FieldError('pq: value too long for type character varying(16384)'));
			const change = typeof input.status === 'string' ? { change: readMove(age, ticket, input) } : {};
			const { submitter = asPerson(user) } = readImport(ticket.tracker.owner === user, input.import ?? {});
			return told(store.update(ticket, submitter, { comment: input.text, ...change }, context.nowMs()));
		},
		assignUser: (wish: Assigning) => told([assign(asking, wish, true)]),
		unassignUser: (wish: Assigning) => told([assign(asking, wish, false)]),
		labelTicket: (wish: Labelling) => told([setLabel(asking, wish, true)]),
		unlabelTicket: (wish: Labelling) => told([setLabel(asking, wish, false)]),
	};
}

interface Assigning extends TicketName {
	readonly userId: number;
}

function assign(asking: Asking, { userId, ...name }: Assigning, on: boolean): TicketEvent {
	const { room, user, age } = asking;
	const ticket = todoFinders(asking).allowedTicket(name, 'triage');
	const somebody = need(findById(room.context, 'todo', userId), () => notFound(age, 'user'));
	const changes = ticket.assignees.includes(somebody) !== on;
	check(changes, () => new FieldError(`this user is ${on ? 'already' : 'not'} assigned to this ticket`));
	const by = { person: asPerson(user), atMs: room.context.nowMs() };
	return room.store.setAssignee(ticket, somebody, on, by);
}

interface Labelling extends TicketName {
	readonly labelId: number;
}

/** Removing an absent label succeeds and adds an event. */
function setLabel(asking: Asking, { labelId, ...name }: Labelling, on: boolean): TicketEvent {
	const { room, user, age } = asking;
	const ticket = todoFinders(asking).allowedTicket(name, 'triage');
	const known = ticket.tracker.labels.find(({ id }) => id === labelId);
	const label = need(known, () => notFound(age, 'label'));
	check(!on || !ticket.labels.has(label), () => new FieldError('this label is already assigned to this ticket'));
	const by = { person: asPerson(user), atMs: room.context.nowMs() };
	room.store.touch(ticket, by.atMs);
	return room.store.setLabel(ticket, label, on, by);
}

function checkTexts({ subject, body }: GivenTexts): void {
	const hasRoom = Buffer.byteLength(subject ?? '') <= mostSubjectBytes;
	check(hasRoom, () => invalid('Ticket subject must be fewer than to 2049 characters.', 'subject'));
	const fits = Buffer.byteLength(body ?? '') <= mostBodyBytes;
	check(fits, () => invalid('Ticket body must be less than 16 KiB in size', 'body'));
}

/** Observed services import only comments and new tickets. */
function checkNoImport({ import: imported }: Importing): void {
	check(imported === undefined || imported === null, () => new FieldError('internal system error'));
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
	const hasTime = typeof created === 'string';
	check(owner || !hasTime, () =>
		invalid('Cannot configure creation time unless you are the owner of this tracker', 'created'),
	);
	return {
		...(submitter === undefined ? {} : { submitter }),
		createdMs: hasTime ? Date.parse(created) : undefined,
	};
}

function readSubmitter(owner: boolean, externalId: string, url: string): Person | undefined {
	const isWhole = (externalId === '') === (url === '');
	check(isWhole, () => invalid('Must specify both externalId and externalUrl, or neither, but not one'));
	if (externalId === '') {
		return undefined;
	}
	check(owner, () => invalid('Cannot configure external user import unless you are the owner of this tracker'));
	check(externalId.includes(':'), () =>
		invalid("Format of externalId field is '<third-party>:<name>', .e.g 'example.org:jdoe'", 'externalId'),
	);
	check(/^https?:/.test(url), () => invalid('Invalid URL scheme', 'externalUrl'));
	return { kind: 'external', externalId, url };
}

/**
 * Any status is valid, even the current one. Only a resolved ticket takes a resolution
 * (docs/protocol.md#rights-in-graphql).
 */
function readMove(age: GraphqlAge, ticket: Ticket, asked: AskedMove): StatusChange {
	const newStatus = asked.status?.toLowerCase();
	const resolution = asked.resolution?.toLowerCase();
	const first = age === '2026' ? 'resolution' : 'Resolution';
	check(isStatus(newStatus), () => new Error(`The schema lets a status through that is none: ${String(newStatus)}`));
	const isResolved = newStatus === 'resolved';
	const isNamed = resolution !== undefined;
	check(!isResolved || isNamed, () => new FieldError(`${first} is required when setting status to RESOLVED`));
	check(isResolved || !isNamed, () => new FieldError(`${first} may only be provided when status is set to RESOLVED`));
	const { status: oldStatus, resolution: oldResolution } = ticket;
	const newResolution = resolution === 'closed' || isResolution(resolution) ? resolution : 'unresolved';
	return { oldStatus, oldResolution, newStatus, newResolution };
}
