import * as vscode from 'vscode';
import { descriptionDocuments, type DescriptionDocuments } from '../../../editor/descriptionDocuments.ts';
import type { Connections } from '../../../state/connection.ts';
import { changeRepository } from './changeRepository.ts';
import { descriptionComplaint } from './repositoryFacts.ts';

/** Descriptions of repositories as documents. */
export function repositoryDescriptions(connections: Connections): DescriptionDocuments {
	return descriptionDocuments(connections, {
		ending: ' repository.md',
		saving: { title: vscode.l10n.t('Save Repository Description'), command: 'forge.repositories.edit' },
		read: async ({ forge }, ref, signal) => (await forge.repositories.repository(ref, signal)).description ?? '',
		write: (connection, ref, description, signal) => changeRepository(connection, ref, { description }, signal),
		complaint: descriptionComplaint,
	});
}
