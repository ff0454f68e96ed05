import { maxOf, pushAll } from '@forge-desk/base/longArrays.ts';
import type { TrackerApi } from '../../port/forge.ts';
import { isForgeError, unfit } from '../../port/forgeError.ts';
import { mayHaveArrived, wasNeverSent } from '../../port/mayHaveArrived.ts';
import type { Cursor, Pages } from '../../port/page.ts';
import type { Ticket, TicketRef } from '../../port/ticket.ts';
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
} from '../../port/ticketRequest.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import type { Operation } from '../transport/operations.ts';
import { listed, orNotFound, readBack } from '../transport/listed.ts';
import { missingPartIn } from '../transport/problems.ts';
import type { Variables } from '../transport/smallerQuestions.ts';
import { byName } from '../transport/variables.ts';
import { changeParts, mostParts, type PartMutation, checkedTitle, inTicket, type TrackerIds } from './trackerIds.ts';
import {
	deleteTicket,
	listTickets,
	readTicket,
	readTimeline,
	submitComment,
	updateTicketStatus,
	updateTicketText,
} from './todoDocuments.ts';

/** Tickets over GraphQL. */
export function graphqlTickets(ids: TrackerIds) {
	const { ask } = ids.caller;

	function ticketsFrom(ref: TrackerRef, from: Cursor | undefined, signal: AbortSignal): Pages<Ticket> {
		return listed(
			(cursor, pageSignal) => ask(listTickets, { ...byName(ref), cursor: cursor ?? from }, pageSignal),
			({ id }) => id,
			signal,
		);
	}

	return {
		tickets: (ref, signal) => ticketsFrom(ref, undefined, signal),
		ticketsOn: { kind: 'afterCursor', read: ticketsFrom },
		ticket: (ref, signal) => readNow(ids, ref, signal).then(orNotFound),
		events: (ref, signal) =>
			listed(
				async (cursor, pageSignal) => (await ask(readTimeline, { ...inTicket(ref), cursor }, pageSignal))?.page,
				({ id }) => id,
				signal,
			),
		statusLimits: () => ({ onlyResolvesAndReopens: false, changesResolutions: true }),
		updateTicket: (ref, asked, signal) => updateTicket({ ids, ref, asked, signal }, asked.leaving),
		async edit(ref, { title, description }, signal) {
			const { id: ticketId } = inTicket(ref);
			const input = {
				...(title === undefined ? {} : { subject: checkedTitle(title) }),
				...(description === undefined ? {} : { body: description === '' ? null : description }),
			};
			const trackerId = await ids.current(ref.tracker, signal);
			await ids.written(ref, ask(updateTicketText, { trackerId, ticketId, input }, signal), signal);
			return readBack(readNow(ids, ref, signal));
		},
		async removeTicket(ref, signal) {
			const { id: ticketId } = inTicket(ref);
			const trackerId = await ids.current(ref.tracker, signal);
			await ids.written(ref, ask(deleteTicket, { trackerId, ticketId }, signal), signal);
		},
		assign: (ref, { leaving, ...assignees }, signal) =>
			updateTicket({ ids, ref, asked: { assignees }, signal }, leaving),
	} satisfies Partial<TrackerApi>;
}

/** One update request. */
interface Sending {
	readonly ids: TrackerIds;
	readonly ref: TicketRef;
	readonly asked: TicketRequest;
	readonly signal: AbortSignal;
}

/** A label or an assignee to add or remove. */
interface PartOf {
	readonly of: keyof DoneInParts;
	readonly name: string;
	readonly isAdded: boolean;
}

/** The same with its mutation. */
interface Part extends PartOf {
	readonly sent: PartMutation;
}

/**
 * Updates a ticket with one request for all labels and assignees, then one for comment and status, then reads the
 * ticket. Skips changes that the ticket already has. If a request fails, the ticket shows the changes that the server
 * made anyway (docs/protocol.md#several-mutations).
 */
async function updateTicket(sending: Sending, leaving: Leaving['leaving']): Promise<TicketOutcome> {
	const { ids, ref, asked, signal } = sending;
	const { add, remove } = asked.labels ?? { add: [], remove: [] };
	const [{ trackerId, ...before }, labels] = await Promise.all([
		readBefore(sending),
		ids.labels(ref.tracker, [...new Set([...add, ...remove])], signal),
	]);
	const target = { trackerId, ticketId: ref.id };
	const wanted = [...labelParts(asked, before.ticket, labels), ...(await assigneeParts(sending, before.ticket))];
	const last = lastOf(sending, before.ticket);
	if (wanted.length === 0 && !last) {
		return { kind: 'needless', ticket: before.ticket ?? orNotFound(await readNow(ids, ref, signal)) };
	}
	await leaving?.(before);
	const made: number[] = [];
	try {
		for (let at = 0; at < wanted.length; at += mostParts) {
			const parts = wanted.slice(at, at + mostParts);
			const { operation, variables } = changeParts(parts.map(({ sent }) => sent));
			const events = await change(sending, operation, { ...target, ...variables }).catch((error: unknown) => {
				throw withMissingPart(error, parts);
			});
			pushAll(
				made,
				events.map(({ id }) => id),
			);
		}
		if (last) {
			made.push((await change(sending, last.operation, { ...target, input: last.input })).id);
		}
	} catch (error) {
		return await failed(sending, before, wanted, !last, error);
	}
	try {
		const { ticket, events } = await readWithEvents(sending);
		return { kind: 'answered', before, ticket, events: events.filter(({ id }) => made.includes(id)) };
	} catch (error) {
		if (!(error instanceof Error)) {
			throw error;
		}
		return { kind: 'lost', before, error };
	}
}

/**
 * Reads the ticket's state and newest event, and its tracker's id, before any write. A status change alone needs no
 * events, and a request for nothing no read.
 */
async function readBefore(sending: Sending): Promise<TicketBefore & { readonly trackerId: number | undefined }> {
	const { ids, ref, asked, signal } = sending;
	if (isBlank(asked.comment) && asked.labels === undefined && asked.assignees === undefined) {
		const found = asked.move && orNotFound(await ids.caller.ask(readTicket, inTicket(ref), signal));
		return { ticket: found?.ticket, trackerId: found?.trackerId, newestEventId: undefined };
	}
	const { ticket, trackerId, events } = await readWithEvents(sending);
	return { ticket, trackerId, newestEventId: maxOf([0, ...events.map(({ id }) => id)]) };
}

async function readWithEvents({ ids, ref, signal }: Sending): Promise<ChangedTicket & { readonly trackerId: number }> {
	const { ticket, page, trackerId } = orNotFound(await ids.caller.ask(readTimeline, inTicket(ref), signal));
	return { ticket, trackerId, events: page.items };
}

async function readNow(ids: TrackerIds, ref: TicketRef, signal: AbortSignal): Promise<Ticket | undefined> {
	return (await ids.caller.ask(readTicket, inTicket(ref), signal))?.ticket;
}

/** Comment and status share one request. */
function lastOf(
	{ asked: { comment, move: wanted } }: Sending,
	now: Ticket | undefined,
): { readonly operation: typeof submitComment; readonly input: Variables } | undefined {
	// Setting the current status again would create an event and notify everybody (docs/protocol.md#rights-in-graphql).
	const move = wanted && now && isMoved(wanted, now) ? undefined : wanted;
	if (!isBlank(comment)) {
		return { operation: submitComment, input: { text: comment, ...(move ? movedTo(move) : {}) } };
	}
	return move && { operation: updateTicketStatus, input: movedTo(move) };
}

/** Removing a missing label would still create an event. */
function labelParts(asked: TicketRequest, now: Ticket | undefined, ids: ReadonlyMap<string, number>): readonly Part[] {
	return changesOf('labels', asked.labels, now?.labels).map((part): Part => {
		const labelId = ids.get(part.name);
		if (labelId === undefined) {
			throw unfit('labels', 'labelUnknown', part.name);
		}
		return { ...part, sent: { mutation: part.isAdded ? 'labelTicket' : 'unlabelTicket', labelId } };
	});
}

/** The server rejects a repeated assignment (docs/protocol.md#rights-in-graphql). */
async function assigneeParts(sending: Sending, now: Ticket | undefined): Promise<readonly Part[]> {
	const { ids, asked, signal } = sending;
	return await Promise.all(
		changesOf('assignees', asked.assignees, assigneesOf(now)).map(async (part): Promise<Part> => {
			const userId = await ids.person(part.name, signal);
			if (userId === undefined) {
				throw unfit('assignees', 'personUnknown', part.name);
			}
			return { ...part, sent: { mutation: part.isAdded ? 'assignUser' : 'unassignUser', userId } };
		}),
	);
}

function assigneesOf(ticket: Ticket | undefined): readonly string[] | undefined {
	return ticket?.assignees.map(({ canonicalName }) => canonicalName);
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

async function change<T>(
	{ ids, ref, signal }: Sending,
	operation: Operation<T | undefined>,
	variables: Variables,
): Promise<T> {
	return ids.written(ref, ids.caller.ask(operation, variables, signal), signal);
}

/** Only resolving accepts a resolution. */
function movedTo(move: StatusMove): Variables {
	const status = statusWanted(move).toUpperCase();
	return move.kind === 'resolve' ? { status, resolution: move.resolution.toUpperCase() } : { status };
}

/**
 * Never retries a write. Changed labels and assignees stay, and the outcome names them. `isAll`: the update has neither
 * comment nor status.
 */
async function failed(
	{ ids, ref, signal }: Sending,
	before: TicketBefore,
	wanted: readonly Part[],
	isAll: boolean,
	error: unknown,
): Promise<TicketOutcome> {
	if (!(error instanceof Error)) {
		throw error;
	}
	const isUnsent = wasNeverSent(error, signal);
	if (!isUnsent && (!isForgeError(error) || mayHaveArrived(error))) {
		return { kind: 'lost', before, error };
	}
	if (wanted.length === 0 || !isForgeError(error)) {
		throw error;
	}
	let now: Ticket;
	try {
		now = orNotFound(await readNow(ids, ref, signal));
	} catch {
		if (isUnsent) {
			throw error;
		}
		return { kind: 'lost', before, error };
	}
	const there = { labels: now.labels, assignees: assigneesOf(now) ?? [] };
	const done = wanted.filter(({ of, name, isAdded }) => there[of].includes(name) === isAdded);
	if (done.length === 0) {
		throw error;
	}
	return isAll && done.length === wanted.length
		? { kind: 'answered', before, ticket: now, events: [] }
		: { kind: 'partly', done: { ...doneOf('labels', done), ...doneOf('assignees', done) }, error, before, now };
}

/** Names a label or a user that is gone. The error of the server would blame the ticket. */
function withMissingPart(error: unknown, parts: readonly Part[]): unknown {
	const missing = missingPartIn(error);
	const ofKind = parts.filter(({ of }) => of === missing?.of);
	if (!missing || ofKind.length === 0) {
		return error;
	}
	const named = ofKind.find((part) => missing.field === `p${parts.indexOf(part)}`);
	const names = (named ? [named] : ofKind).map(({ name }) => name).join(', ');
	return unfit(missing.of, missing.of === 'labels' ? 'labelUnknown' : 'personUnknown', names);
}

function doneOf(of: PartOf['of'], all: readonly PartOf[]): DoneInParts {
	const parts = all.filter((part) => part.of === of);
	const names = (isAdded: boolean): readonly string[] =>
		parts.filter((part) => part.isAdded === isAdded).map(({ name }) => name);
	return parts.length === 0 ? {} : { [of]: { add: names(true), remove: names(false) } };
}
