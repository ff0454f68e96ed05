import * as vscode from 'vscode';
import type { DescribedKind } from '../../../editor/documents/described.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { descriptionComplaint } from './createTracker.ts';

/** Descriptions of trackers. */
export function trackerDescriptions(): DescribedKind {
	return {
		saving: vscode.l10n.t('Save Tracker Description'),
		async look({ forge, tickets }, ref, signal) {
			const now = await forge.trackers.tracker(ref, signal);
			return {
				description: now.description ?? '',
				async write(text, sending) {
					const answered = await withProgress(vscode.l10n.t('Saving…'), sending, (working) =>
						forge.trackers.update(ref, text, working),
					);
					tickets.apply({ kind: 'trackerChanged', tracker: answered ?? { ...now, description: text } });
				},
			};
		},
		complaint: descriptionComplaint,
	};
}
