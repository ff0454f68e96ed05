import * as vscode from 'vscode';
import { clockTime } from '../../engine/text/age.ts';

/** Beside a view's title: why it is not up to date, and the setting that changes it. */
export function pausedText(untilMs: number, nowMs: number): string {
	return vscode.l10n.t(
		'paused until {0}, request limit reached (forge.index.requestsPerHour)',
		clockTime(untilMs, nowMs, vscode.env.language),
	);
}
