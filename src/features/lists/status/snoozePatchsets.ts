import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { askFor, choose } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { actHistory, actsSoFar } from '../../../editor/bulk/actHistory.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { daysToMonday, morningIn, typedTime } from '../../../engine/text/typedTime.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Snooze } from '../../../store/lists/patchsets/snoozes.ts';
import { dayTime } from '../../../engine/text/age.ts';
import { snoozeText } from '../subjects/snoozeText.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** One patchset that was snoozed or not before. */
interface SnoozeChange {
	readonly subject: PatchsetSubject;
	readonly before: Snooze | undefined;
}

/** Snoozes patchsets, ends that, and takes back the last of both. */
export function snoozePatchsets(connections: Connections, clock: Clock) {
	const history = actHistory<PatchsetSubject, SnoozeChange>(({ connectionKey, ref }) => `${connectionKey} ${ref.id}`);
	/** Number of the last act of this history among all acts of the window. */
	let last = -1;

	async function put(
		subjects: readonly PatchsetSubject[],
		snoozeOf: (subject: PatchsetSubject) => Snooze | undefined,
	): Promise<readonly SnoozeChange[]> {
		const changes: SnoozeChange[] = [];
		for (const subject of subjects) {
			const [before] = await connectionOf(connections, subject).snoozes.put([
				{ ref: subject.ref, snooze: snoozeOf(subject) },
			]);
			changes.push({ subject, before: before?.snooze });
		}
		return changes;
	}

	function record(changes: readonly SnoozeChange[]): void {
		history.record('', changes);
		last = actsSoFar();
	}

	return {
		/** Asks how long, and snoozes all. */
		async snooze(subjects: readonly PatchsetSubject[], signal: AbortSignal): Promise<void> {
			const versions = new Map<PatchsetSubject, number>();
			for (const subject of subjects) {
				const { version } = await connectionOf(connections, subject).lists.patchset(subject.ref, signal);
				versions.set(subject, version);
			}
			const untilMs = await askUntil(subjects.length, clock.nowMs());
			const snoozeOf = (subject: PatchsetSubject): Snooze => ({ untilMs, version: versions.get(subject) ?? 1 });
			record(await put(subjects, snoozeOf));
			const text = snoozeText({ untilMs, version: 1 });
			tellBriefly(
				subjects.length === 1
					? vscode.l10n.t('1 patchset: {0}', text)
					: vscode.l10n.t('{0} patchsets: {1}', subjects.length, text),
			);
		},
		async unsnooze(subjects: readonly PatchsetSubject[]): Promise<void> {
			record(await put(subjects, () => undefined));
			tellBriefly(
				subjects.length === 1
					? vscode.l10n.t('1 patchset is no longer snoozed')
					: vscode.l10n.t('{0} patchsets are no longer snoozed', subjects.length),
			);
		},
		/** Takes back the last snooze if no other act of the window came later; false otherwise. */
		async undo(): Promise<boolean> {
			const act = last === actsSoFar() ? history.takeNewest([]) : undefined;
			if (!act) {
				return false;
			}
			last = -1;
			for (const { subject, before } of act.items) {
				if (connections.byKey(subject.connectionKey)) {
					await put([subject], () => before);
				}
			}
			tellBriefly(
				act.items.length === 1
					? vscode.l10n.t('Undid the snooze of 1 patchset')
					: vscode.l10n.t('Undid the snooze of {0} patchsets', act.items.length),
			);
			return true;
		},
	};
}

/** `undefined`: until a new version. */
async function askUntil(count: number, nowMs: number): Promise<number | undefined> {
	const choices = [
		[vscode.l10n.t('Tomorrow'), morningIn(1, nowMs)],
		[vscode.l10n.t('Next Monday'), morningIn(daysToMonday(nowMs), nowMs)],
		[vscode.l10n.t('In Two Weeks'), morningIn(14, nowMs)],
	] as const;
	const title =
		count === 1
			? vscode.l10n.t('How long to snooze the patchset')
			: vscode.l10n.t('How long to snooze {0} patchsets', count);
	const chosen = await choose<number | 'version' | 'typed'>(title, [
		{ label: vscode.l10n.t('Until a New Version'), iconPath: new vscode.ThemeIcon('versions'), value: 'version' },
		...choices.map(([label, untilMs]) => ({
			label,
			description: dayTime(untilMs, vscode.env.language),
			iconPath: new vscode.ThemeIcon('clock'),
			value: untilMs,
		})),
		{ label: vscode.l10n.t('Enter a Date or a Duration…'), iconPath: new vscode.ThemeIcon('edit'), value: 'typed' },
	]);
	if (chosen !== 'typed') {
		return chosen === 'version' ? undefined : chosen;
	}
	const typed = await askFor({
		title,
		prompt: vscode.l10n.t('A duration such as 12h, 3d or 2w, or a date such as 2027-01-31 or 2027-01-31 14:30'),
		placeHolder: '3d',
		complaint: (text) =>
			typedTime(text, nowMs) === undefined
				? vscode.l10n.t('Write a duration such as 3d, or a future date such as 2027-01-31.')
				: undefined,
	});
	return typedTime(typed, nowMs);
}
