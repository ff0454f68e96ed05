import * as vscode from 'vscode';
import { descriptionDocuments, type DescriptionDocuments } from '../../../editor/descriptionDocuments.ts';
import { withProgress } from '../../../editor/progress.ts';
import type { Connections } from '../../../state/connection.ts';
import { descriptionComplaint } from './createList.ts';

/** Descriptions of lists as documents. */
export function listDescriptions(connections: Connections): DescriptionDocuments {
	return descriptionDocuments(connections, {
		ending: '.md',
		saving: { title: vscode.l10n.t('Save List Description'), command: 'forge.lists.editDescription' },
		read: async ({ forge }, ref, signal) => (await forge.lists.list(ref, signal)).description ?? '',
		write: ({ lists }, ref, text, signal) =>
			withProgress(vscode.l10n.t('Saving…'), signal, (working) => lists.describe(ref, text, working)),
		complaint: descriptionComplaint,
	});
}
