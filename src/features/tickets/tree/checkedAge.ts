import * as vscode from 'vscode';
import type { NoticeAge } from '../../../editor/trees/noticeRow.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import type { SeenTracker } from './shelf.ts';

/** Time and age of the oldest data on screen; `undefined` before the first load. */
export function checkedAge(trackers: readonly SeenTracker[], nowMs: () => number): NoticeAge | undefined {
	const atMs = checkedAtMs(trackers);
	return atMs === undefined ? undefined : { atMs, text: () => agoText(atMs, nowMs(), 'long') };
}

function checkedAtMs(trackers: readonly SeenTracker[]): number | undefined {
	const times = trackers.flatMap(({ connection, ref }) => {
		const state = connection.index.state(ref);
		return state.kind === 'unread' ? [] : [state.checkedAtMs];
	});
	return times.length === 0 ? undefined : Math.min(...times);
}

/** "updated 12 min. ago" beside the view's name; empty before the first load. */
export function checkedText(trackers: readonly SeenTracker[], nowMs: number): string {
	const atMs = checkedAtMs(trackers);
	return atMs === undefined ? '' : vscode.l10n.t('updated {0}', agoText(atMs, nowMs, 'short'));
}
