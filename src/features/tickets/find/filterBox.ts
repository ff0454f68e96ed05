import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import { cancelled } from '../../../editor/ask.ts';
import { plainUnderBox } from '../../../editor/notify.ts';
import type { TicketsParts } from '../ticketsParts.ts';
import { filterVocabulary } from '../../../search/filterVocabulary.ts';
import { parseFilter } from '../../../search/parseFilter.ts';
import type { SeenTracker } from '../tree/ticketShelf.ts';
import { matchesText } from './countMatches.ts';
import { filterRows, type FilterChoice, type FilterRow } from './filterChoices.ts';
import { filterProblemText } from './filterProblemText.ts';
import type { SavedFilter } from './filterState.ts';
import { showRows } from './showRows.ts';
import { onIndexChange } from './onIndexChange.ts';

/** What the box is opened for. */
export interface FilterWish {
	readonly title: string;
	/** The text to begin with. */
	readonly text: string;
	/** What is counted, and whose labels and people are offered. */
	readonly trackers: readonly SeenTracker[];
	/** Filters to choose instead of typing. */
	readonly saved: readonly SavedFilter[];
	/** Something is applied that can be taken off. */
	readonly isApplied: boolean;
}

/**
 * Asks for a filter: says while it is typed what is wrong in it or how many tickets match, and offers what may come next.
 * Answers a text that can be read, or `undefined` for no filter at all. Throws an abort when the box is closed.
 */
export async function askFilter(
	wish: FilterWish,
	{ connections, clock, problems }: Pick<TicketsParts, 'connections' | 'clock' | 'problems'>,
	signal: AbortSignal,
): Promise<string | undefined> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<FilterRow>());
	const vocabulary = vocabularyOf(wish.trackers);
	let counting = new AbortController();
	owned.add({ dispose: () => counting.abort() });

	function draw(matching: string | undefined): void {
		const text = box.value;
		const reading = parseFilter(text);
		box.prompt = reading.kind === 'problem' ? plainUnderBox(filterProblemText(reading.problem)) : hint();
		showRows(box, filterRows({ ...wish, text, reading, matching, vocabulary }), { lookOf, isSame });
		if (reading.kind === 'filter' && matching === undefined) {
			void count(text);
		}
	}

	async function count(text: string): Promise<void> {
		const reading = parseFilter(text);
		if (reading.kind === 'problem') {
			return;
		}
		counting.abort();
		counting = new AbortController();
		const counted = counting.signal;
		try {
			const matching = await matchesText(reading.filter, wish.trackers, clock, AbortSignal.any([counted, signal]));
			if (!counted.aborted && box.value === text) {
				draw(matching);
			}
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
			}
		}
	}

	box.title = wish.title;
	box.placeholder = 'status:open label:bug !assigned:me sort:updated';
	box.ignoreFocusOut = true;
	box.value = wish.text;
	owned.add(box.onDidChangeValue(() => draw(undefined)));
	owned.add(onIndexChange(connections, () => void count(box.value)));
	draw(undefined);
	box.show();
	for (;;) {
		const choice = await nextChoice(box, signal);
		switch (choice.kind) {
			case 'clear':
				return undefined;
			case 'saved':
				return choice.text;
			case 'write':
				box.value = choice.text;
				draw(undefined);
				break;
			case 'take': {
				const text = box.value.trim();
				if (parseFilter(text).kind === 'filter') {
					return text === '' ? undefined : text;
				}
				break;
			}
			case 'wrong':
		}
	}
}

function lookOf({ label, description, detail, forText }: FilterRow): string {
	return `${label}\n${description ?? ''}\n${detail ?? ''}\n${forText}`;
}

/** The same row for the same text; how many tickets match may have changed. */
function isSame(one: FilterRow, other: FilterRow): boolean {
	return one.label === other.label && one.forText === other.forText && one.choice.kind === other.choice.kind;
}

function hint(): string {
	return vscode.l10n.t(
		'Words are looked for in titles, descriptions and comments already read. Put ! before what should not be.',
	);
}

/**
 * What is chosen next. Rows may be older than the text by a moment; Enter then means the text.
 */
function nextChoice(box: vscode.QuickPick<FilterRow>, signal: AbortSignal): Promise<FilterChoice> {
	const { promise, resolve, reject } = Promise.withResolvers<FilterChoice>();
	const listening = new Disposables();
	const giveUp = (): void => reject(cancelled());
	listening.add(
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			resolve(row?.forText === box.value ? row.choice : { kind: 'take' });
		}),
	);
	listening.add(box.onDidHide(giveUp));
	signal.addEventListener('abort', giveUp, { once: true });
	listening.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	return promise.finally(() => listening.dispose());
}

function vocabularyOf(trackers: readonly SeenTracker[]): ReturnType<typeof filterVocabulary> {
	return filterVocabulary(trackers.flatMap(({ connection, ref }) => connection.index.tickets(ref)));
}
