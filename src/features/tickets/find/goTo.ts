import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { peopleMet } from '../../../editor/ask/peopleMet.ts';
import { plainUnderBox } from '../../../editor/ask/notify.ts';
import { showRows } from '../../../editor/ask/showRows.ts';
import { refText } from '../../../forge/namedRef.ts';
import { rankTicketsResting } from '../../../search/rankTickets.ts';
import { ticketSubject } from '../subjects/subjects.ts';
import { trackerKind } from '../subjects/trackerKind.ts';
import { askAccount } from '../../../editor/owned/askOwned.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { checkedText } from '../tree/checkedAge.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { allTrackers } from '../tree/treeContext.ts';
import { resting } from '../../../base/timeSlice.ts';
import { readTyped } from './readTyped.ts';
import { goToRows, type GoToRow, type SeenPerson } from './goToRows.ts';
import { onIndexChange } from './onIndexChange.ts';
import { openDestination } from '../../../editor/links/openDestination.ts';

/** As many tickets are offered; typing on narrows them. */
const most = 50;

/** What the box begins with. */
export interface GoToStart {
	readonly title: string;
	readonly text: string;
}

/** One box for numbers, words, references, addresses and Message-IDs. Needs no folder, and waits for no request until something is chosen. */
export async function goTo(parts: TicketsParts, begin: GoToStart, signal: AbortSignal): Promise<void> {
	if (parts.connections.all().length === 0) {
		await askAccount(trackerKind, parts.connections);
	}
	const { connection, to } = await askWhere(parts, begin, signal);
	await openDestination(connection, to, signal);
}

/** Throws an abort when the box is closed. */
async function askWhere(parts: TicketsParts, { title, text }: GoToStart, signal: AbortSignal): Promise<GoToRow> {
	using owned = new Disposables();
	const { connections, clock, problems } = parts;
	const box = owned.add(vscode.window.createQuickPick<GoToRow>());
	const closing = new AbortController();
	let ranking = new AbortController();
	owned.add({ dispose: () => closing.abort() });
	const { promise, resolve, reject } = Promise.withResolvers<GoToRow>();
	/** Enter was pressed before the rows for the text were there, and nothing was typed since. */
	let isAwaited = false;
	let people: readonly SeenPerson[] = [];

	async function draw(): Promise<void> {
		ranking.abort();
		ranking = new AbortController();
		const stop = AbortSignal.any([ranking.signal, closing.signal, signal]);
		const forText = box.value;
		const typed = readTyped(forText);
		const front = trackerInFront(parts);
		const trackers = trackersNow(parts, front);
		const sources = isSearched(typed.kind)
			? trackers.map((from) => ({ tickets: from.connection.index.tickets(from.ref), from }))
			: [];
		const query = forText.trim();
		const ranked = await rankTicketsResting({ query, limit: most }, sources, resting(clock), stop);
		if (stop.aborted) {
			return;
		}
		const rows = goToRows({ typed, connections: connections.all(), trackers, front, ranked, people });
		const shown = rows.map((row) => ({ ...row, forText }));
		showRows(box, shown, { lookOf, isSame: (one, other) => lookOf(one) === lookOf(other) });
		box.prompt = plainUnderBox(promptText(typed.kind, rows.length, checkedText(trackers, clock.nowMs())));
		const [first] = box.items;
		if (isAwaited && first) {
			resolve(first);
		}
		isAwaited = false;
	}

	function drawn(): void {
		draw().catch((error: unknown) => (isAbort(error) ? undefined : problems.log(error)));
	}

	box.title = title;
	box.placeholder = vscode.l10n.t('Number, words of a title, ~owner/name#12, ~person, address, or Message-ID');
	box.ignoreFocusOut = true;
	box.value = text;
	owned.add(
		box.onDidChangeValue(() => {
			isAwaited = false;
			drawn();
		}),
	);
	owned.add(onIndexChange(connections, drawn));
	owned.add(box.onDidHide(() => reject(cancelled())));
	owned.add(
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			if (row?.forText === box.value) {
				resolve(row);
			} else {
				isAwaited = true;
				drawn();
			}
		}),
	);
	const giveUp = (): void => reject(cancelled());
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	learnTrackers(parts, closing.signal, drawn);
	learnPeople(parts, closing.signal, (known) => {
		people = [...people, ...known];
		drawn();
	});
	drawn();
	box.show();
	return await promise;
}

/** Trackers may not have been read when no view was opened yet; they are few, and known from then on. */
function learnTrackers({ connections, problems }: TicketsParts, signal: AbortSignal, then: () => void): void {
	for (const { tickets } of connections.all()) {
		tickets.ownTrackers(signal).then(then, (error: unknown) => (isAbort(error) ? undefined : problems.log(error)));
	}
}

/** People who were met; they are offered once they are known. */
function learnPeople(
	{ connections, problems }: TicketsParts,
	signal: AbortSignal,
	then: (known: readonly SeenPerson[]) => void,
): void {
	for (const connection of connections.all()) {
		peopleMet(connection, signal).then(
			(all) => then(all.map((person) => ({ connection, person }))),
			(error: unknown) => (isAbort(error) ? undefined : problems.log(error)),
		);
	}
}

/** The tracker of the ticket whose page is in front. */
function trackerInFront({ connections, pages }: TicketsParts): SeenTracker | undefined {
	const front = ticketSubject(pages.inFront());
	const connection = connections.byKey(front?.connectionKey ?? '');
	return front && connection && { connection, ref: front.ref.tracker };
}

/** The tracker in front comes first: most numbers that people type are of the same one. */
function trackersNow(parts: TicketsParts, front: SeenTracker | undefined): readonly SeenTracker[] {
	const isInFront = ({ connection, ref }: SeenTracker): boolean =>
		front !== undefined &&
		connection.instance.id === front.connection.instance.id &&
		refText(ref).toLowerCase() === refText(front.ref).toLowerCase();
	const others = allTrackers(parts).filter((each) => !isInFront(each));
	return front ? [front, ...others] : others;
}

/** Tells one row from another. */
function lookOf({ label, description, forText }: GoToRow): string {
	return `${label}\n${description ?? ''}\n${forText}`;
}

function isSearched(kind: ReturnType<typeof readTyped>['kind']): boolean {
	return kind === 'nothing' || kind === 'words' || kind === 'number' || kind === 'ticket';
}

function promptText(kind: ReturnType<typeof readTyped>['kind'], rows: number, checked: string): string {
	if (kind !== 'words') {
		return checked === '' ? '' : vscode.l10n.t('Tickets: {0}.', checked);
	}
	if (rows === 0) {
		return checked === ''
			? vscode.l10n.t('No tickets are loaded yet. A number, a reference or an address can still be opened.')
			: vscode.l10n.t('No matching tickets ({0}).', checked);
	}
	return vscode.l10n.t('Matching tickets ({0}).', checked);
}
