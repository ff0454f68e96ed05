import * as vscode from 'vscode';
import type { DescribedKind } from '../../../editor/documents/described.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { descriptionComplaint } from './createTracker.ts';

/** Descriptions of trackers. */
export function trackerDescriptions(): DescribedKind {
	return {
		saving: vscode.l10n.t('Save Tracker Description'),
		async look({ tickets, writes }, ref, signal) {
			const now = await tickets.renewTracker(ref, signal);
			return {
				description: now.description ?? '',
				write: (text, sending) =>
					withProgress(vscode.l10n.t('Saving…'), sending, (working) => writes.trackers.describe(ref, text, working)),
			};
		},
		complaint: descriptionComplaint,
	};
}
