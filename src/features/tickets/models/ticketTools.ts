import { parseTicketFilter, filterForms } from '../../../engine/search/ticketFilter.ts';
import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { readingTool, writingTool, type ToolContext } from '../../../editor/models/languageTool.ts';
import {
	accountText,
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
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import type { Deviation, TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { Connections } from '../../../store/connection.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import { codeBlock } from '../../../engine/text/codeBlock.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { forgeName, visibleLine } from '../../../engine/text/visible.ts';
import { isListed, knownTickets, readerOf } from '../subjects/known.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { sourceOf, type AccountTracker } from '../tree/ticketShelf.ts';
import { allTrackers } from '../tree/treeContext.ts';
import { offeredResolution, offeredResolutions, resolutionText, type OfferedResolution } from '../subjects/words.ts';
import { eventText, knownText, stateOf, ticketHead, ticketLine } from './ticketTexts.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Upper limit of an outcome text in bytes. */
const largestOutcomeBytes = 2048;

/**
 * Ticket tools for language models. Reads need no confirmation; writes show the exact text first. Forge text carries a
 * mark, because anybody may have written it.
 */
export const ticketTools = {
	forge_listTickets: readingTool(() => vscode.l10n.t('Listing tickets'), listTickets),
	forge_getTicket: readingTool(() => vscode.l10n.t('Loading a ticket'), getTicket),
	forge_commentOnTicket: writingTool(askedComment, confirmation, writeAsked),
	forge_resolveTicket: writingTool(askedResolve, confirmation, writeAsked),
};

function writeAsked({ connections }: ToolContext, write: AskedWrite, signal: AbortSignal): Promise<string> {
	return carryOut(connections, write, signal);
}

/** A write requested by a language model. */
export interface AskedWrite {
	readonly subject: TicketSubject;
	readonly comment: string | undefined;
	readonly resolution: OfferedResolution | undefined;
}

/** Input of the comment tool. */
export function askedComment(connections: Connections, input: unknown): AskedWrite {
	const comment = commentField(input, 'text');
	if (comment === undefined) {
		throw new ToolInputError('The field "text" is missing.');
	}
	return { subject: ticketField(input, connections), comment, resolution: undefined };
}

/** Input of the resolve tool. */
export function askedResolve(connections: Connections, input: unknown): AskedWrite {
	const resolution = offeredResolution(textField(input, 'resolution') ?? '');
	if (!resolution) {
		throw new ToolInputError(`The field "resolution" has to be one of: ${offeredResolutions.join(', ')}.`);
	}
	return {
		subject: ticketField(input, connections),
		comment: commentField(input, 'comment'),
		resolution,
	};
}

/** A comment of a length that forges take. */
function commentField(input: unknown, name: string): string | undefined {
	const text = textField(input, name);
	const { shortestComment, longestComment } = ticketLimits;
	if (text !== undefined && (text.trim().length < shortestComment || text.length > longestComment)) {
		throw new ToolInputError(`The field "${name}" has to have ${shortestComment} to ${longestComment} characters.`);
	}
	return text;
}

/**
 * Confirmation before a write. Shows the exact text in a code block that the text cannot close, with hidden characters
 * escaped.
 */
export function confirmation(connections: Connections, write: AskedWrite): vscode.PreparedToolInvocation {
	const { subject, comment, resolution } = write;
	const reference = forgeName(ticketRefText(subject.ref));
	const account = accountText(connections.byKey(subject.connectionKey));
	return {
		invocationMessage: vscode.l10n.t('Writing to {0}', reference),
		confirmationMessages: {
			title:
				resolution === undefined
					? vscode.l10n.t('Comment on {0}?', reference)
					: vscode.l10n.t('Resolve {0} as {1}?', reference, resolutionText(resolution)),
			message: untrustedMarkdown([
				escapeMarkdown(visibleLine(account)),
				...(comment === undefined
					? []
					: [escapeMarkdown(vscode.l10n.t('This comment will be posted:')), codeBlock(comment)]),
			]),
		},
	};
}

/** Sends the write once and returns the outcome for the model. */
export async function carryOut(connections: Connections, write: AskedWrite, signal: AbortSignal): Promise<string> {
	const { subject, comment, resolution } = write;
	const connection = connections.byKey(subject.connectionKey);
	if (!connection) {
		throw new ToolInputError('That account is no longer signed in.');
	}
	const wish: TicketRequest = {
		...(comment === undefined ? {} : { comment }),
		...(resolution === undefined ? {} : { move: { kind: 'resolve', resolution } }),
	};
	return outcomeText(ticketRefText(subject.ref), await connection.writes.write(subject.ref, wish, signal));
}

/** Outcome of a write as text for a model. The model should report it and never retry on its own. */
export function outcomeText(reference: string, outcome: WriteOutcome): string {
	switch (outcome.kind) {
		case 'done':
			return outcome.deviations.length === 0
				? answered(`Done. ${reference} is now ${stateOf(outcome.ticket)}.`)
				: answered(
						`The forge took it, but its answer differs from what was asked for: ${outcome.deviations.map(deviationText).join('; ')}. ${reference} is now ${stateOf(outcome.ticket)}.`,
					);
		case 'arrived': {
			// Deviations after a lost response: other users changed the ticket at the same moment.
			const { deviations = [] } = outcome;
			const differences =
				deviations.length === 0
					? ''
					: `, but the ticket differs from what it should be: ${deviations.map(deviationText).join('; ')}`;
			return answered(
				`Done. The answer was lost, but a look showed that all of it is there${differences}. ${reference} is now ${stateOf(outcome.ticket)}.`,
			);
		}
		case 'missing':
			return `The answer was lost, and a look showed that not all of it is on ${reference}. Do not send it again by yourself: ask the person.`;
		case 'unclear':
			return `The answer was lost, and it is not known whether it is on ${reference}. Do not send it again by yourself: ask the person to look.`;
		case 'queued':
			return `The forge can't be reached. It waits in the outbox, and the extension sends it to ${reference} later. Do not send it again.`;
		default:
			return assertNever(outcome);
	}
}

function answered(text: string): string {
	return untrustedFrame(text, largestOutcomeBytes);
}

function deviationText(deviations: Deviation): string {
	switch (deviations.kind) {
		case 'status':
		case 'resolution':
			return `${deviations.kind} ${deviations.got} instead of ${deviations.wanted}`;
		case 'labelMissing':
			return `label ${deviations.name} is missing`;
		case 'labelLeft':
			return `label ${deviations.name} is still there`;
		case 'assigneeMissing':
			return `${deviations.name} is not assigned`;
		case 'assigneeLeft':
			return `${deviations.name} is still assigned`;
		case 'comment':
			return 'the comment is not there';
		default:
			return assertNever(deviations);
	}
}

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
