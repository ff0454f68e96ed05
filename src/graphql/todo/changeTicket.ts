import { isForgeError, unfit } from '../../forge/forgeError.ts';
import { mayHaveArrived, wasNeverSent } from '../../forge/mayHaveArrived.ts';
import type { Ticket, TicketEvent, TicketRef } from '../../forge/ticket.ts';
import {
	isBlank,
	isMoved,
	statusWanted,
	type ChangedTicket,
	type DoneInParts,
	type LabelRequest,
	type Leaving,
	type StatusMove,
	type TicketBefore,
	type TicketOutcome,
	type TicketRequest,
} from '../../forge/ticketRequest.ts';
import type { Operation } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import {
	assignUser,
	labelTicket,
	readTicket,
	readTimeline,
	submitComment,
	unassignUser,
	unlabelTicket,
	updateTicketStatus,
} from './ticketDocuments.ts';
import { written, type TodoParts } from './todoParts.ts';
import { inTicket } from './variables.ts';

/** A change that is on its way. */
interface Sending {
	readonly parts: TodoParts;
	readonly ref: TicketRef;
	readonly asked: TicketRequest;
	readonly signal: AbortSignal;
}

/** A label or an assignee that comes or goes. */
interface PartOf {
	readonly of: keyof DoneInParts;
	readonly name: string;
	readonly isAdded: boolean;
}

/** One request of several that a change takes. */
interface Step {
	/** Which label or assignee it changes; left out for the last one, of comment and status. */
	readonly part?: PartOf;
	readonly send: () => Promise<ChangedTicket>;
}

/**
 * Changes a ticket by one request for each label and assignee and one for comment and status, in this order: several changes in one
 * request are carried out in part, and its answer says nothing of that (docs/protocol.md#several-mutations). What is there
 * already is not sent.
 */
export async function updateTicket(
	parts: TodoParts,
	ref: TicketRef,
	asked: TicketRequest & Leaving,
	signal: AbortSignal,
): Promise<TicketOutcome> {
	const sending = { parts, ref, asked, signal };
	const before = await readBefore(sending);
	const steps = await stepsOf(sending, before.ticket);
	await (steps.length > 0 ? asked.leaving?.(before) : undefined);
	const events: TicketEvent[] = [];
	let now = before.ticket;
	for (const [done, step] of steps.entries()) {
		try {
			const changed = await step.send();
			now = changed.ticket;
			events.push(...changed.events);
		} catch (error) {
			return failed({ before, done: steps.slice(0, done), now, error }, signal);
		}
	}
	const ticket = now ?? (await readNow(sending));
	return steps.length === 0 ? { kind: 'needless', ticket } : { kind: 'answered', before, ticket, events };
}

/**
 * What has to be known before something is sent: what is there already, and how far the timeline reaches. A move alone is
 * recognised without events.
 */
async function readBefore(sending: Sending): Promise<TicketBefore> {
	const { parts, ref, asked, signal } = sending;
	if (isBlank(asked.comment) && asked.labels === undefined && asked.assignees === undefined) {
		return { ticket: asked.move && (await readNow(sending)), newestEventId: undefined };
	}
	const { caller, ids } = parts;
	const { ticket, page, ...told } = orNotFound(await caller.ask(readTimeline, inTicket(ref), signal));
	ids.told(ref.tracker, told);
	return { ticket, newestEventId: Math.max(0, ...page.items.map(({ id }) => id)) };
}

async function readNow({ parts: { caller, ids }, ref, signal }: Sending): Promise<Ticket> {
	const { ticket, ...told } = orNotFound(await caller.ask(readTicket, inTicket(ref), signal));
	ids.told(ref.tracker, told);
	return ticket;
}

async function stepsOf(sending: Sending, now: Ticket | undefined): Promise<readonly Step[]> {
	const { comment, move: asked } = sending.asked;
	// A status that is set once more makes an event, which everybody is told of (docs/protocol.md#rights-in-graphql).
	const move = asked && now && isMoved(asked, now) ? undefined : asked;
	const parts = [...(await labelSteps(sending, now)), ...(await assigneeSteps(sending, now))];
	if (isBlank(comment)) {
		return move ? [...parts, { send: () => change(sending, updateTicketStatus, { input: movedTo(move) }) }] : parts;
	}
	const input = { text: comment, ...(move ? movedTo(move) : {}) };
	return [...parts, { send: () => change(sending, submitComment, { input }) }];
}

/** Only what changes something: taking away a label that is not there would be told in the timeline. */
async function labelSteps(sending: Sending, now: Ticket | undefined): Promise<readonly Step[]> {
	const { parts, ref, asked, signal } = sending;
	const steps: Step[] = [];
	for (const part of changesOf('labels', asked.labels, now?.labels)) {
		const labelId = await parts.ids.label(ref.tracker, part.name, signal);
		if (labelId === undefined) {
			throw unfit('labels', 'labelUnknown');
		}
		const operation = part.isAdded ? labelTicket : unlabelTicket;
		steps.push({ part, send: () => change(sending, operation, { labelId }) });
	}
	return steps;
}

/** Who is assigned already is not assigned again: that is refused (docs/protocol.md#rights-in-graphql). */
async function assigneeSteps(sending: Sending, now: Ticket | undefined): Promise<readonly Step[]> {
	const { parts, asked, signal } = sending;
	const assigned = now?.assignees.map(({ canonicalName }) => canonicalName);
	const steps: Step[] = [];
	for (const part of changesOf('assignees', asked.assignees, assigned)) {
		const userId = await parts.ids.person(part.name, signal);
		if (userId === undefined) {
			throw unfit('assignees', 'personUnknown', part.name);
		}
		const operation = part.isAdded ? assignUser : unassignUser;
		steps.push({ part, send: () => change(sending, operation, { userId }) });
	}
	return steps;
}

function changesOf(
	of: PartOf['of'],
	{ add, remove }: LabelRequest = { add: [], remove: [] },
	present: readonly string[] = [],
): readonly PartOf[] {
	const has = (name: string): boolean => present.includes(name);
	return [
		...add.filter((name) => !has(name) && !remove.includes(name)).map((name) => ({ of, name, isAdded: true })),
		...remove.filter(has).map((name) => ({ of, name, isAdded: false })),
	];
}

async function change(
	{ parts, ref, signal }: Sending,
	operation: Operation<ChangedTicket | undefined>,
	what: Variables,
): Promise<ChangedTicket> {
	const { id: ticketId } = inTicket(ref);
	const trackerId = await parts.ids.tracker(ref.tracker, signal);
	const work = parts.caller.ask(operation, { trackerId, ticketId, ...what }, signal);
	return written(parts, { ref: ref.tracker, work }, signal);
}

/** A resolution goes with resolving and with nothing else. */
function movedTo(move: StatusMove): Variables {
	const status = statusWanted(move).toUpperCase();
	return move.kind === 'resolve' ? { status, resolution: move.resolution.toUpperCase() } : { status };
}

interface Failed {
	readonly before: TicketBefore;
	readonly done: readonly Step[];
	/** As the last change left it. */
	readonly now: Ticket | undefined;
	readonly error: unknown;
}

/** Nothing is ever sent a second time. What is done of labels and assignees stays, and is told. */
function failed({ before, done, now, error }: Failed, signal: AbortSignal): TicketOutcome {
	const isUnsent = error instanceof Error && wasNeverSent(error, signal);
	if (!(error instanceof Error) || (isUnsent && done.length === 0)) {
		throw error;
	}
	if (!isForgeError(error) || (!isUnsent && mayHaveArrived(error))) {
		return { kind: 'lost', before, error };
	}
	if (done.length === 0 || now === undefined) {
		throw error;
	}
	const parts = { ...doneOf('labels', done), ...doneOf('assignees', done) };
	return { kind: 'partly', done: parts, error, before, now };
}

function doneOf(of: PartOf['of'], done: readonly Step[]): DoneInParts {
	const parts = done.flatMap(({ part }) => (part?.of === of ? [part] : []));
	const names = (isAdded: boolean): readonly string[] =>
		parts.filter((part) => part.isAdded === isAdded).map(({ name }) => name);
	return parts.length === 0 ? {} : { [of]: { add: names(true), remove: names(false) } };
}
