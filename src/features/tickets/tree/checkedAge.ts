import * as vscode from 'vscode';
import type { NoticeRowParts } from '../../../editor/trees/noticeRow.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import type { SeenTracker } from './shelf.ts';

/** When the oldest of what is shown was confirmed, and how long ago; `undefined` when nothing is known at all. */
export function checkedAge(trackers: readonly SeenTracker[], nowMs: () => number): NoticeRowParts['age'] {
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

/** "updated 12 min. ago", to be read beside the view's name; empty when nothing is known. */
export function checkedText(trackers: readonly SeenTracker[], nowMs: number): string {
	const atMs = checkedAtMs(trackers);
	return atMs === undefined ? '' : vscode.l10n.t('updated {0}', agoText(atMs, nowMs, 'short'));
}
