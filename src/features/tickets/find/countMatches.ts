import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { ParsedFilter } from '../../../search/filterTerm.ts';
import { selectTicketsResting } from '../../../search/selectTickets.ts';
import { checkedText } from '../tree/checkedAge.ts';
import { sourceOf } from '../tree/ticketShelf.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { resting } from '../../../base/timeSlice.ts';

/** "12 of 340 tickets, checked 3 minutes ago", and what sorting by comments leaves out. */
export async function matchesText(
	filter: ParsedFilter,
	trackers: readonly SeenTracker[],
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const sources = trackers.map(sourceOf);
	const { found, uncounted } = await selectTicketsResting({ filter }, sources, resting(clock), signal);
	const known = sources.reduce((sum, { tickets }) => sum + tickets.length, 0);
	const isWhole = trackers.every(({ connection, ref }) => connection.index.state(ref).kind === 'whole');
	return [
		isWhole
			? vscode.l10n.t('{0} of {1} tickets', found.length, known)
			: vscode.l10n.t('{0} of the {1} tickets loaded so far', found.length, known),
		uncounted > 0 ? vscode.l10n.t('comments of {0} not counted', uncounted) : '',
		checkedText(trackers, clock.nowMs()),
	]
		.filter((fact) => fact !== '')
		.join(', ');
}
