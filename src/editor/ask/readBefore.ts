import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { ReadBefore } from '../../store/shared/listing.ts';
import { spokenAge } from '../../engine/text/age.ts';

const minuteMs = 60_000;

/** "12 minutes ago", "12 min. ago", "just now". */
export function agoText(atMs: number, nowMs: number, style: 'long' | 'short'): string {
	return nowMs - atMs < minuteMs ? vscode.l10n.t('just now') : spokenAge(atMs, nowMs, vscode.env.language, style);
}

/**
 * Explains stale content: `error` prevented a reload, or without it the reload is running. `age`: age of the content,
 * if known.
 */
export function readBeforeText(error: unknown, age: string | undefined): string {
	const isOffline = isForgeError(error) && error.problem.kind === 'unreachable';
	if (age === undefined) {
		return isAbort(error)
			? vscode.l10n.t('Cancelled – showing earlier data')
			: isOffline
				? vscode.l10n.t('Offline – showing earlier data')
				: vscode.l10n.t('Not up to date – showing earlier data');
	}
	if (error === undefined) {
		return vscode.l10n.t('Refreshing – showing data from {0}', age);
	}
	if (isAbort(error)) {
		return vscode.l10n.t('Cancelled – showing data from {0}', age);
	}
	return isOffline
		? vscode.l10n.t('Offline – showing data from {0}', age)
		: vscode.l10n.t('Not up to date – showing data from {0}', age);
}

/** The same as a line for a language model; empty for current content. */
export function readBeforeLines(before: ReadBefore | undefined): readonly string[] {
	return before ? [`The forge does not answer; this was read ${new Date(before.readAtMs).toISOString()}.`] : [];
}
