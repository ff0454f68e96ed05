import * as vscode from 'vscode';
import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import { agoText, pausedText } from '../../../editor/ask/readBefore.ts';
import type { NoticeAge } from '../../../editor/trees/noticeRow.ts';
import { countText } from '../../../editor/trees/markTexts.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import type { AccountTracker } from './ticketShelf.ts';
import type { TrackerFacts } from './trackerFacts.ts';

/** "312", "50 of 312", "50+": never more than is certain; `undefined` before the first load. */
export function knownText(state: IndexState): string | undefined {
	if (state.kind === 'unread') {
		return undefined;
	}
	const total = state.kind === 'partial' ? totalText(state) : undefined;
	return total === undefined
		? countText(state.known, state.kind === 'whole')
		: vscode.l10n.t('{0} of {1}', countText(state.known, true), total);
}

/** Never less than the known ones; `undefined` if the server reports no total. */
export function totalText({ known, total }: Extract<IndexState, { kind: 'partial' }>): string | undefined {
	return total === undefined ? undefined : countText(Math.max(known, total), true);
}

/** "1 ticket", "12 tickets", "50+ tickets", from a formatted count. */
export function ticketsText(count: string): string {
	return count === '1' ? vscode.l10n.t('1 ticket') : vscode.l10n.t('{0} tickets', count);
}

/** "12 open of 312", "40+ open of 312", "40+ open". */
export function openText({ state, open }: TrackerFacts): string | undefined {
	if (state.kind === 'unread') {
		return undefined;
	}
	const isWhole = state.kind === 'whole';
	const total = isWhole ? countText(state.known, true) : state.kind === 'partial' ? totalText(state) : undefined;
	return total === undefined
		? vscode.l10n.t('{0} open', countText(open, false))
		: vscode.l10n.t('{0} open of {1}', countText(open, isWhole), total);
}

/** Time and age of the oldest data on screen; `undefined` before the first load. */
export function checkedAge(trackers: readonly AccountTracker[], nowMs: () => number): NoticeAge | undefined {
	const atMs = checkedAtMs(trackers);
	return atMs === undefined ? undefined : { atMs, text: () => agoText(atMs, nowMs(), 'long') };
}

function checkedAtMs(trackers: readonly AccountTracker[]): number | undefined {
	const times = trackers.flatMap(({ connection, ref }) => {
		const state = connection.index.state(ref);
		return state.kind === 'unread' ? [] : [state.checkedAtMs];
	});
	return times.length === 0 ? undefined : minOf(times);
}

/** "updated 12 min. ago" beside the view's name, after a pause of the loading; empty before the first load. */
export function checkedText(trackers: readonly AccountTracker[], nowMs: number): string {
	const atMs = checkedAtMs(trackers);
	const pauses = trackers.flatMap(({ connection: { index } }) =>
		index.pause?.kind === 'budget' && Number.isFinite(index.pause.untilMs) ? [index.pause.untilMs] : [],
	);
	return [
		...(pauses.length === 0 ? [] : [pausedText(maxOf(pauses), nowMs)]),
		...(atMs === undefined ? [] : [vscode.l10n.t('updated {0}', agoText(atMs, nowMs, 'short'))]),
	].join(' · ');
}
