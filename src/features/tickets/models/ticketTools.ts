import { parseTicketFilter, filterForms } from '../../../engine/search/ticketFilter.ts';
import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { readingTool } from '../../../editor/models/languageTool.ts';
import {
	largestAnswerBytes,
	namedIn,
	numberField,
	signedInOr,
	textField,
	ToolInputError,
} from '../../../editor/models/toolInput.ts';
import { selectTicketsResting, type TicketSource } from '../../../engine/search/selectTickets.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { leavesKnown } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Connections } from '../../../store/connection.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { isListed, knownTickets, readerOf } from '../subjects/known.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { sourceOf, type AccountTracker } from '../tree/ticketShelf.ts';
import { allTrackers } from '../tree/treeContext.ts';
import { eventText, knownText, ticketHead, ticketLine } from './ticketTexts.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Ticket tools for language models. Forge text carries a mark, because anybody may have written it. */
export const ticketTools = {
	forge_listTickets: readingTool(() => vscode.l10n.t('Listing tickets'), listTickets),
	forge_getTicket: readingTool(() => vscode.l10n.t('Loading a ticket'), getTicket),
};

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
	const reading = parseTicketFilter(textField(input, 'filter') ?? '');
	if (reading.kind === 'problem') {
		const { start, end } = reading.problem.range;
		throw new ToolInputError(
			`The filter cannot be read at characters ${start} to ${end} (${reading.problem.kind}). It is written as: ${filterForms}.`,
		);
	}
	const filter = reading.filter;
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

interface Source extends TicketSource<AccountTracker> {
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
		return connection ? [await readSource({ connection, ref: asked.ref }, signal)] : [];
	}
	// Before any view opens, the account's trackers may be unknown.
	await Promise.all(connections.all().map(({ tickets }) => unlessFailed(tickets.ownTrackers(signal))));
	let pages = 0;
	return Promise.all(
		allTrackers(connections).map(async (place): Promise<Source> => {
			const isKnown = isListed(place.connection, place.ref);
			pages += isKnown ? 0 : 1;
			const isLeftOut = pages > mostFirstPages && !isKnown;
			const source = isLeftOut ? undefined : await unlessFailed(readSource(place, signal));
			const why = isLeftOut ? 'nothing of it was read yet; name it to read it' : 'it could not be read now';
			return source ?? { ...sourceOf(place), tickets: [], unread: `${refText(place.ref)}: ${why}` };
		}),
	);
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

async function readSource(from: AccountTracker, signal: AbortSignal): Promise<Source> {
	await knownTickets(from.connection, from.ref, signal);
	return sourceOf(from);
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
	return before && leavesKnown(read.reason) ? before : Promise.reject(read.reason);
}

/** The ticket in the field "ticket", as `~owner/tracker#12` or its address. */
export function ticketField(input: unknown, connections: Connections): TicketSubject {
	const named = referenceIn(textField(input, 'ticket') ?? '', connections);
	if (named?.kind !== 'ticket') {
		throw new ToolInputError('Name the ticket as ~owner/tracker#12 or by its address on a forge that is signed in to.');
	}
	return named;
}

/** The tracker in the field "tracker", as `~owner/name`; `undefined` without the field. */
export function trackerField(input: unknown, connections: Connections): TrackerSubject | undefined {
	const written = textField(input, 'tracker');
	if (written === undefined) {
		signedInOr(connections.all());
		return undefined;
	}
	const named = referenceIn(written, connections);
	if (named?.kind !== 'tracker') {
		throw new ToolInputError('Name the tracker as ~owner/name.');
	}
	return named;
}

/** The tracker or ticket of a text, with the account that reads it. */
function referenceIn(text: string, connections: Connections): TicketSubject | TrackerSubject | undefined {
	const named = namedIn(text, connections, (written, { instance }) => webOf(instance).pastedReference?.(written));
	if (!named) {
		return undefined;
	}
	const { what, accounts, connection } = named;
	const tracker = what.kind === 'ticket' ? what.ticket.tracker : what.tracker;
	const { key: connectionKey } = readerOf(tracker, accounts) ?? connection;
	return what.kind === 'ticket'
		? { kind: 'ticket', connectionKey, ref: what.ticket }
		: { kind: 'tracker', connectionKey, ref: tracker };
}
