import type { Clock } from '../../../base/clock.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { isAway } from '../../../forge/port/isAway.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { ParsedFilter } from '../../../engine/search/filterTerm.ts';
import { filterForms } from '../../../engine/search/filterGrammar.ts';
import { parseFilter } from '../../../engine/search/parseFilter.ts';
import { selectTicketsResting, type TicketSource } from '../../../engine/search/selectTickets.ts';
import type { Connections } from '../../../store/connection.ts';
import { resting } from '../../../base/timeSlice.ts';
import { isListed, knownTickets, readerOf } from '../subjects/known.ts';
import type { SeenTracker } from '../tree/ticketShelf.ts';
import { allTrackers } from '../tree/treeContext.ts';
import {
	largestAnswerBytes,
	namedIn,
	numberField,
	signedInOr,
	textField,
	ToolInputError,
} from '../../../editor/models/toolInput.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { pastedReference } from '../subjects/webLink.ts';
import { eventText, knownText, ticketHead, ticketLine } from './ticketTexts.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';

const usualLimit = 50;
const highestLimit = 200;

/** Maximum number of timeline entries in a tool result. */
const mostEvents = 50;

/** Maximum number of unloaded trackers that one call loads. */
const mostFirstPages = 20;

/** Lists tickets by filter from loaded trackers; loads the first page of the others. */
export async function listTickets(
	connections: Connections,
	input: unknown,
	signal: AbortSignal,
	clock: Clock,
): Promise<string> {
	const filter = filterField(input);
	const limit = numberField(input, 'limit', usualLimit, highestLimit);
	const sources = await sourceTargets(connections, input, signal);
	const { found, uncounted } = await selectTicketsResting({ filter }, sources, resting(clock), signal);
	const shown = found.slice(0, limit).map(({ entry, from }) => ticketLine(from.ref, entry.ticket));
	const facts = sources.map(({ from, unread }) => unread ?? knownText(from.ref, from.connection.index.state(from.ref)));
	const last = uncounted === 0 ? [] : [`The comments of ${uncounted} of them were never counted, so these stand last.`];
	const content = [`${found.length} tickets match, ${shown.length} are listed.`, ...last, ...facts, '', ...shown].join(
		'\n',
	);
	return untrustedFrame(content, largestAnswerBytes);
}

function filterField(input: unknown): ParsedFilter {
	const reading = parseFilter(textField(input, 'filter') ?? '');
	if (reading.kind === 'problem') {
		const { start, end } = reading.problem.range;
		throw new ToolInputError(
			`The filter cannot be read at characters ${start} to ${end} (${reading.problem.kind}). It is written as: ${filterForms}.`,
		);
	}
	return reading.filter;
}

interface Source extends TicketSource<SeenTracker> {
	/** Reason for the model if the search couldn't read this tracker. */
	readonly unread?: string;
}

/** The named tracker, whose error fails the call, or all trackers, some of them with errors. */
async function sourceTargets(
	connections: Connections,
	input: unknown,
	signal: AbortSignal,
): Promise<readonly Source[]> {
	const asked = trackerField(input, connections);
	if (asked) {
		const connection = connections.byKey(asked.connectionKey);
		return connection ? [await sourceOf({ connection, ref: asked.ref }, signal)] : [];
	}
	// Before any view opens, the account's trackers may be unknown.
	await Promise.all(connections.all().map(({ tickets }) => unlessFailed(tickets.ownTrackers(signal))));
	let pages = 0;
	return Promise.all(
		allTrackers(connections).map(async (place): Promise<Source> => {
			const name = refText(place.ref);
			const isKnown = isListed(place.connection, place.ref);
			pages += isKnown ? 0 : 1;
			return pages > mostFirstPages && !isKnown
				? { ...emptySource(place), unread: `${name}: nothing of it was read yet; name it to read it` }
				: ((await unlessFailed(sourceOf(place, signal))) ?? {
						...emptySource(place),
						unread: `${name}: it could not be read now`,
					});
		}),
	);
}

function emptySource(from: SeenTracker): Source {
	const { me, readMarks: looks } = from.connection;
	return { me, mark: (ticket) => looks.mark(ticket), from, tickets: [] };
}

async function unlessFailed<T>(reading: Promise<T>): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (isForgeError(error)) {
			return undefined;
		}
		throw error;
	}
}

async function sourceOf(from: SeenTracker, signal: AbortSignal): Promise<Source> {
	return { ...emptySource(from), tickets: await knownTickets(from.connection, from.ref, signal) };
}

/**
 * One ticket with the newest entries of its timeline, as the forge has it now; while it is away, as another window read
 * it.
 */
export async function getTicket(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const { connectionKey, ref } = ticketField(input, connections);
	const connection = connections.byKey(connectionKey);
	if (!connection) {
		throw new ToolInputError('That account is no longer signed in.');
	}
	const { tickets } = connection;
	const [read, timeline] = await Promise.allSettled([
		tickets.renewTicket(ref, signal),
		tickets.knownEvents(ref) ? tickets.renewEvents(ref, signal) : tickets.events(ref, signal),
	]);
	const before = tickets.ticketBefore(ref);
	const [ticket, events] = await Promise.all([
		readOrBefore(read, before && tickets.knownTicket(ref)),
		readOrBefore(timeline, before && tickets.knownEvents(ref)),
	]);
	const newest = events.items.slice(0, mostEvents);
	const older = events.completeness.kind !== 'complete' || newest.length < events.items.length;
	const content = [
		...readBeforeLines(before),
		ticketHead(ref.tracker, ticket),
		'',
		older ? 'Timeline, newest first; older entries are left out:' : 'Timeline, newest first:',
		...newest.map(eventText),
	].join('\n');
	return untrustedFrame(content, largestAnswerBytes);
}

/** Use the previous value only while the forge is unreachable. */
function readOrBefore<T>(read: PromiseSettledResult<T>, before: T | undefined): T | Promise<T> {
	if (read.status === 'fulfilled') {
		return read.value;
	}
	return before && isAway(read.reason) ? before : Promise.reject(read.reason);
}

/** The ticket in the field "ticket", as `~owner/tracker#12` or its address. */
export function ticketField(input: unknown, connections: Connections): TicketSubject {
	const named = namedIn(textField(input, 'ticket') ?? '', connections, (text, { instance }) => {
		const reference = pastedReference(text, instance.areas.todo);
		return reference?.kind === 'ticket' ? reference.ticket : undefined;
	});
	if (!named) {
		throw new ToolInputError('Name the ticket as ~owner/tracker#12 or by its address on a forge that is signed in to.');
	}
	const { what: ref, accounts, connection } = named;
	return { kind: 'ticket', connectionKey: (readerOf(ref.tracker, accounts) ?? connection).key, ref };
}

/** The tracker in the field "tracker", as `~owner/name`; `undefined` without the field. */
export function trackerField(input: unknown, connections: Connections): TrackerSubject | undefined {
	const written = textField(input, 'tracker');
	if (written === undefined) {
		signedInOr(connections.all());
		return undefined;
	}
	const named = namedIn(written, connections, (text, { instance }) => {
		const reference = pastedReference(text, instance.areas.todo);
		return reference?.kind === 'tracker' ? reference.tracker : undefined;
	});
	if (!named) {
		throw new ToolInputError('Name the tracker as ~owner/name.');
	}
	const { what: ref, accounts, connection } = named;
	return { kind: 'tracker', connectionKey: (readerOf(ref, accounts) ?? connection).key, ref };
}
