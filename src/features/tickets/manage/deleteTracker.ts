import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { isNamed, trackerRefText, type TrackerRef } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { mayHaveArrived } from '../../../state/tickets/writing/writeFailures.ts';
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
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => remove(connection, ref, working));
	connection.tickets.apply({ kind: 'trackerDeleted', tracker: ref });
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}

/** When the answer is lost, a look tells whether the tracker is gone. */
async function remove({ forge }: Connection, ref: TrackerRef, signal: AbortSignal): Promise<void> {
	try {
		await forge.trackers.remove(ref, signal);
	} catch (error) {
		if (!isForgeError(error) || !mayHaveArrived(error) || !(await isGone({ forge }, ref, signal))) {
			throw error;
		}
	}
}

async function isGone({ forge }: Pick<Connection, 'forge'>, ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
	try {
		return !isNamed(await forge.trackers.tracker(ref, signal), ref);
	} catch (error) {
		return isForgeError(error) && error.problem.kind === 'notFound';
	}
}
