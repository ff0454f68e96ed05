import * as vscode from 'vscode';
import { dayTime } from '../../../engine/text/age.ts';
import type { Snooze } from '../../../store/lists/patchsets/snoozes.ts';

/** How long a patchset stays snoozed, for rows and messages. */
export function snoozeText({ untilMs }: Snooze): string {
	return untilMs === undefined
		? vscode.l10n.t('snoozed until a new version')
		: vscode.l10n.t('snoozed until {0}', dayTime(untilMs, vscode.env.language));
}
