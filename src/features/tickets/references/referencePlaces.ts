import type * as vscode from 'vscode';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../../store/connection.ts';
import { commentSpans, hasColours, proseSpans, type Span } from '../../../engine/text/commentSpans.ts';
import { messageEnd } from 'patchmail/series/commitTrailers.ts';
import { referencesIn, type WrittenReference } from '../../../engine/text/references.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { isTrackerCached } from '../../../store/cachedTrackers.ts';

/** A ticket reference in a text and the account that reads the ticket. Offsets refer to the text. */
export interface ReferencePlace extends Span {
	readonly subject: TicketSubject;
}

/** A text with its location, on which the meaning of `#12` depends. */
export interface LocatedText {
	readonly text: string;
	readonly languageId: string;
	/** File or folder; `undefined` for a text without location. */
	readonly uri: vscode.Uri | undefined;
}

/**
 * Ticket references in a text. Asks for the folder's tracker only if a reference is incomplete or several forges match.
 * Skips references to unknown trackers; makes no requests.
 */
export async function referencePlaces(
	{ connections, folders }: TicketsContext,
	{ text, languageId, uri }: LocatedText,
	signal: AbortSignal,
): Promise<readonly ReferencePlace[]> {
	const all = connections.all();
	const named = namedTickets(
		text,
		languageId,
		all.flatMap(({ instance }) => instance.areas.todo ?? []),
	);
	const needsFolder = named.some(
		(each) => each.kind === 'written' && (each.written.owner === undefined || all.length > 1),
	);
	const folder = uri && needsFolder ? await folders.of(uri, signal) : undefined;
	const key = (folder?.tracker ?? folder?.repository)?.connectionKey;
	const connection = all.find((each) => each.key === key);
	return named.flatMap(({ start, end, ...each }) => {
		const subject = targetTicket(each, all, connection, folder?.tracker?.ref);
		return subject ? [{ start, end, subject }] : [];
	});
}

/** `connection`, `here`: account and tracker of the text's folder. */
function targetTicket(
	named: NamedIn,
	all: readonly Connection[],
	connection: Connection | undefined,
	here: TrackerRef | undefined,
): TicketSubject | undefined {
	if (named.kind === 'address') {
		const there = all.filter(({ instance }) => instance.areas.todo === named.origin);
		return meantBy(there.find((each) => isTrackerCached(each, named.ref.tracker)) ?? there[0], named.ref);
	}
	const { owner, name, id } = named.written;
	if (owner !== undefined && name !== undefined) {
		const tracker = { owner, name };
		return meantBy(connection ?? all.find((each) => isTrackerCached(each, tracker)) ?? onlyForge(all), { tracker, id });
	}
	// `#12`, or `name#12` of the same owner. The second form is ambiguous, so accept it only for known trackers.
	const tracker = here && { owner: here.owner, name: name ?? here.name };
	return tracker && connection && (name === undefined || isTrackerCached(connection, tracker))
		? meantBy(connection, { tracker, id })
		: undefined;
}

function meantBy(connection: Connection | undefined, ref: TicketRef): TicketSubject | undefined {
	return connection && { kind: 'ticket', connectionKey: connection.key, ref };
}

function onlyForge(all: readonly Connection[]): Connection | undefined {
	return new Set(all.map(({ instance }) => instance.id)).size === 1 ? all[0] : undefined;
}

/** A reference before its lookup; the location of the text completes it. */
type NamedIn =
	| { readonly kind: 'address'; readonly origin: string; readonly ref: TicketRef }
	| { readonly kind: 'written'; readonly written: WrittenReference & { readonly kind: 'ticket' } };
type NamedTicket = Span & NamedIn;

/** Nobody reads longer texts. */
const longestText = 500_000;

/**
 * Tickets in a document. Addresses and full references count anywhere, short ones only in prose: in Markdown outside
 * code, in comments, and in commit messages outside git's own lines.
 */
export function namedTickets(text: string, languageId: string, todoOrigins: readonly string[]): readonly NamedTicket[] {
	if (text.length > longestText) {
		return [];
	}
	const found = referencesIn(text, todoOrigins);
	if (found.length === 0) {
		return [];
	}
	const prose = spansOfProse(text, languageId);
	let at = 0;
	const isProse = ({ start, end }: Span): boolean => {
		while ((prose[at]?.end ?? Infinity) < end) {
			at += 1;
		}
		return (prose[at]?.start ?? Infinity) <= start;
	};
	return found.flatMap((each): readonly NamedTicket[] => {
		const { start, end } = each;
		if ('address' in each) {
			const { address, origin } = each;
			const { owner, name } = address;
			return address.kind === 'ticket'
				? [{ kind: 'address', start, end, origin, ref: { tracker: { owner, name }, id: address.id } }]
				: [];
		}
		const { written } = each;
		// `#123` and `#112233` are colours in style sheets, even in their comments.
		const isRight =
			written.kind === 'ticket' &&
			((written.owner !== undefined && written.name !== undefined) ||
				(isProse(each) &&
					!(hasColours(languageId) && /^#(?:\d{3,4}|\d{6}|\d{8})$/.test(text.slice(each.start, each.end)))));
		return written.kind === 'ticket' && isRight ? [{ kind: 'written', start, end, written }] : [];
	});
}

function spansOfProse(text: string, languageId: string): readonly Span[] {
	switch (languageId) {
		case 'markdown':
			return proseSpans(text);
		case 'git-commit':
			return Array.from(text.slice(0, messageEnd(text)).matchAll(/^(?!#)[^\n]+$/gm), ({ 0: line, index }) => ({
				start: index,
				end: index + line.length,
			}));
		case 'scminput':
			return [{ start: 0, end: text.length }];
		default:
			return commentSpans(text, languageId);
	}
}
