import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { trackerRefText, type TrackerRef } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';

/** Says what goes with a tracker, has its whole name typed, and removes it. */
export async function deleteTracker(connection: Connection, ref: TrackerRef, signal: AbortSignal): Promise<void> {
	const name = visibleLine(trackerRefText(ref));
	const isMeant = await confirm(
		vscode.l10n.t('Delete {0}?', name),
		vscode.l10n.t(
			"Deletes the tracker with all tickets, comments and labels for everyone. Links to its tickets will stop working. This can't be undone.",
		),
		vscode.l10n.t('Continue…'),
	);
	if (!isMeant) {
		throw cancelled();
	}
	await askFor({
		title: vscode.l10n.t('Delete {0}', name),
		prompt: vscode.l10n.t('Type {0} to delete it with all its tickets', name),
		placeHolder: name,
		complaint: (value) =>
			value.trim() === trackerRefText(ref) ? undefined : vscode.l10n.t('Type {0} exactly as shown.', name),
	});
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => connection.writes.trackers.remove(ref, working));
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}
