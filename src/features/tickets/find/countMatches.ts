import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { ParsedFilter } from '../../../search/filterTerm.ts';
import type { Resting } from '../../../search/restingSteps.ts';
import { selectTicketsResting } from '../../../search/selectTickets.ts';
import { checkedText } from '../tree/checkedAge.ts';
import { sourceOf, type SeenTracker } from '../tree/ticketShelf.ts';

/** How long a search may keep others waiting; several may run at once, and each cold step takes longer than a warm one. */
const sliceMs = 4;

/** Rests of the size in which views search. */
export function resting(clock: Clock): Resting {
	return {
		nowMs: () => clock.nowMs(),
		pause: () => new Promise((resolve) => void clock.after(0, () => resolve())),
		sliceMs,
		slice: { beganMs: 0, endedMs: 0 },
	};
}

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
			: vscode.l10n.t('{0} of the {1} tickets read so far', found.length, known),
		uncounted > 0 ? vscode.l10n.t('comments of {0} not counted', uncounted) : '',
		checkedText(trackers, clock.nowMs()),
	]
		.filter((fact) => fact !== '')
		.join(', ');
}
