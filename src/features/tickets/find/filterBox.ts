import * as vscode from 'vscode';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import { filterVocabulary } from '../../../search/filterVocabulary.ts';
import { parseFilter } from '../../../search/parseFilter.ts';
import { countText } from '../../../editor/trees/countTexts.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { ticketFilterRows } from './filterChoices.ts';
import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import type { SavedFilter } from '../choices/filterState.ts';
import { onIndexChange } from './onIndexChange.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ParsedFilter } from '../../../search/filterTerm.ts';
import { selectTicketsResting } from '../../../search/selectTickets.ts';
import { ticketsText } from '../tree/countTexts.ts';
import { checkedText } from '../tree/checkedAge.ts';
import { sourceOf } from '../tree/ticketShelf.ts';
import { resting } from '../../../base/timeSlice.ts';

export interface FilterWish {
	readonly title: string;
	/** The text to begin with. */
	readonly text: string;
	/** Trackers to count in, and to take labels and people from. */
	readonly trackers: readonly SeenTracker[];
	/** Filters to choose instead of typing. */
	readonly saved: readonly SavedFilter[];
	/** The user can remove an applied filter. */
	readonly isApplied: boolean;
}

/**
 * Asks for a ticket filter. Returns a valid text, or `undefined` for no filter. Throws an abort when the user closes
 * the box.
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

/** "12 of 340 tickets, checked 3 minutes ago", plus tickets that sorting by comments leaves out. */
async function matchesText(
	filter: ParsedFilter,
	trackers: readonly SeenTracker[],
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const sources = trackers.map(sourceOf);
	const { found, uncounted } = await selectTicketsResting({ filter }, sources, resting(clock), signal);
	const known = sources.reduce((sum, { tickets }) => sum + tickets.length, 0);
	const all = ticketsText(countText(known, true));
	const isWhole = trackers.every(({ connection, ref }) => connection.index.state(ref).kind === 'whole');
	return [
		isWhole
			? vscode.l10n.t('{0} of {1}', found.length, all)
			: vscode.l10n.t('{0} of {1} loaded so far', found.length, all),
		uncounted > 0 ? vscode.l10n.t('comments of {0} not counted', ticketsText(countText(uncounted, true))) : '',
		checkedText(trackers, clock.nowMs()),
	]
		.filter((fact) => fact !== '')
		.join(', ');
}
