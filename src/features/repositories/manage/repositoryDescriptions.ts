import * as vscode from 'vscode';
import type { DescribedKind } from '../../../editor/documents/described.ts';
import { changeRepository } from './changeRepository.ts';
import { descriptionComplaint } from './repositoryFacts.ts';

/** Descriptions of repositories. */
export function repositoryDescriptions(): DescribedKind {
	return {
		saving: vscode.l10n.t('Save Repository Description'),
		async look(connection, ref, signal) {
			const { description = '' } = await connection.repositories.renew(ref, signal);
			return {
				description,
				write: (text, sending) => changeRepository(connection, ref, { description: text }, sending),
			};
		},
		complaint: descriptionComplaint,
	};
}
