import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { askUntil, untilText } from '../../../editor/ask/snoozeTimes.ts';
import { actHistory, actsSoFar } from '../../../editor/bulk/actHistory.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Snooze } from '../../../store/lists/patchsets/snoozes.ts';
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
			const title =
				subjects.length === 1
					? vscode.l10n.t('How long to snooze the patchset (private)')
					: vscode.l10n.t('How long to snooze {0} patchsets (private)', subjects.length);
			const chosen = await askUntil(title, clock.nowMs(), {
				label: vscode.l10n.t('Until a New Version'),
				iconPath: new vscode.ThemeIcon('versions'),
				value: 'version',
			} as const);
			const untilMs = chosen === 'version' ? undefined : chosen;
			const snoozeOf = (subject: PatchsetSubject): Snooze => ({ untilMs, version: versions.get(subject) ?? 1 });
			record(await put(subjects, snoozeOf));
			const text = untilText(untilMs);
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
