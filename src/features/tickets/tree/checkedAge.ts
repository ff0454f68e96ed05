import * as vscode from 'vscode';
import type { NoticeRowParts } from '../../../editor/noticeRow.ts';
import { spokenAge } from '../../../text/age.ts';
import type { SeenTracker } from './ticketShelf.ts';

const minuteMs = 60_000;

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

/** "12 minutes ago", "12 min. ago", "just now". */
export function agoText(atMs: number, nowMs: number, style: 'long' | 'short'): string {
	return nowMs - atMs < minuteMs ? vscode.l10n.t('just now') : spokenAge(atMs, nowMs, vscode.env.language, style);
}

/** "checked 12 min. ago", to be read beside the view's name; empty when nothing is known. */
export function checkedText(trackers: readonly SeenTracker[], nowMs: number): string {
	const atMs = checkedAtMs(trackers);
	return atMs === undefined ? '' : vscode.l10n.t('checked {0}', agoText(atMs, nowMs, 'short'));
}
