import * as vscode from 'vscode';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import { filterVocabulary } from '../../../search/filterVocabulary.ts';
import { parseFilter } from '../../../search/parseFilter.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { matchesText } from './countMatches.ts';
import { ticketFilterRows } from './filterChoices.ts';
import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import type { SavedFilter } from '../choices/filterState.ts';
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
 * Asks for a filter of tickets. Answers a text that can be read, or `undefined` for no filter at all. Throws an abort when
 * the box is closed.
 */
export function askFilter(
	wish: FilterWish,
	{ connections, clock, problems }: Pick<TicketsParts, 'connections' | 'clock' | 'problems'>,
	signal: AbortSignal,
): Promise<string | undefined> {
	const vocabulary = filterVocabulary(wish.trackers.flatMap(({ connection, ref }) => connection.index.tickets(ref)));
	return askFilterText(
		{
			title: wish.title,
			placeholder: 'status:open label:bug !assigned:me sort:updated',
			text: wish.text,
			hint: vscode.l10n.t(
				'Other words search titles, descriptions and loaded comments. Prefix a term with ! to exclude it.',
			),
			complaint(text) {
				const reading = parseFilter(text);
				return reading.kind === 'problem' ? filterProblemText(reading.problem) : undefined;
			},
			rows: (text, matching) => ticketFilterRows({ ...wish, text, reading: parseFilter(text), matching, vocabulary }),
			count(text, counting) {
				const reading = parseFilter(text);
				return reading.kind === 'problem'
					? Promise.resolve('')
					: matchesText(reading.filter, wish.trackers, clock, counting);
			},
			onDidChange: (listener) => onIndexChange(connections, listener),
		},
		problems,
		signal,
	);
}
