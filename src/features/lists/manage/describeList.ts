import * as vscode from 'vscode';
import type { DescribedKind } from '../../../editor/documents/described.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { descriptionComplaint } from './createList.ts';

/** Descriptions of lists. */
export function listDescriptions(): DescribedKind {
	return {
		saving: vscode.l10n.t('Save List Description'),
		async look({ lists }, ref, signal) {
			const { description = '' } = await lists.renewList(ref, signal);
			return {
				description,
				write: (text, sending) =>
					withProgress(vscode.l10n.t('Saving…'), sending, (working) => lists.describe(ref, text, working)),
			};
		},
		complaint: descriptionComplaint,
	};
}
