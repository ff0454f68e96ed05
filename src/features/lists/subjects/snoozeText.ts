import * as vscode from 'vscode';
import type { Snooze } from '../../../store/lists/patchsets/snoozes.ts';

/** How long a patchset stays snoozed, for rows and messages. */
export function snoozeText({ untilMs }: Snooze): string {
	return untilMs === undefined
		? vscode.l10n.t('snoozed until a new version')
		: vscode.l10n.t(
				'snoozed until {0}',
				new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(untilMs),
			);
}
