import * as vscode from 'vscode';
import { dayTime } from '../../engine/text/age.ts';
import { daysToMonday, eveningOf, morningIn, typedTime } from '../../engine/text/typedTime.ts';
import { askFor, cancelled, choose } from './ask.ts';

/** How long something stays snoozed, for rows and messages. `undefined`: until a new version. */
export function untilText(untilMs: number | undefined): string {
	return untilMs === undefined
		? vscode.l10n.t('snoozed until a new version')
		: vscode.l10n.t('snoozed until {0}', timeText(untilMs));
}

/** Asks for the end of a snooze. `others`: choices before the times. */
export async function askUntil<Other extends string = never>(
	title: string,
	nowMs: number,
	...others: readonly (vscode.QuickPickItem & { readonly value: Other })[]
): Promise<number | Other> {
	const eveningMs = eveningOf(nowMs);
	const choices = [
		...(eveningMs === undefined ? [] : [[vscode.l10n.t('Tonight'), eveningMs] as const]),
		[vscode.l10n.t('Tomorrow'), morningIn(1, nowMs)],
		[vscode.l10n.t('Next Monday'), morningIn(daysToMonday(nowMs), nowMs)],
		[vscode.l10n.t('In Two Weeks'), morningIn(14, nowMs)],
	] as const;
	const chosen = await choose<number | Other | undefined>(title, [
		...others,
		...choices.map(([label, untilMs]) => ({
			label,
			description: timeText(untilMs),
			iconPath: new vscode.ThemeIcon('clock'),
			value: untilMs,
		})),
		{
			label: vscode.l10n.t('Enter a Date or a Duration…'),
			iconPath: new vscode.ThemeIcon('edit'),
			value: undefined,
		},
	]);
	if (chosen !== undefined) {
		return chosen;
	}
	const complaint = vscode.l10n.t('Write a duration such as 3d, or a future date such as 2027-01-31.');
	const typed = await askFor({
		title,
		prompt: vscode.l10n.t('A duration such as 12h, 3d or 2w, or a date such as 2027-01-31 or 2027-01-31 14:30'),
		placeHolder: '3d',
		complaint: (text) => (typedTime(text, nowMs) === undefined ? complaint : undefined),
	});
	const untilMs = typedTime(typed, nowMs);
	if (untilMs === undefined) {
		throw cancelled();
	}
	return untilMs;
}

/** The end of a snooze. */
export function timeText(atMs: number): string {
	return dayTime(atMs, vscode.env.language);
}
