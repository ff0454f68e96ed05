import * as vscode from 'vscode';
import type { OwnedKind } from '../../../editor/owned/ownedKind.ts';

/** Repositories, as what people own. */
export const repositoryKind: OwnedKind = {
	rules: {
		// docs/protocol.md#repository-names: older servers refuse a digit at the beginning too, and say so themselves.
		longestName: 256,
		longestDescription: 1024,
		isLetterFirst: false,
		exampleName: 'my-project',
	},
	texts: {
		create: () => vscode.l10n.t('Create a repository'),
		isTaken: () => vscode.l10n.t('You already have a repository with this name.'),
		saveDescription: () => vscode.l10n.t('Save Repository Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the repository with its whole history, all branches, tags and release files for everyone. Links to its files and commits will stop working. Only existing clones remain. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with its whole history', name),
	},
	own: ({ repositories }, signal) => repositories.ownRepositories(signal),
	moreOwn: ({ repositories }, signal) => repositories.moreOwnRepositories(signal),
	async description({ repositories }, ref, signal) {
		return (await repositories.renew(ref, signal)).description;
	},
	describe: ({ repositories }, ref, description, signal) => repositories.writes.change(ref, { description }, signal),
	async remove({ repositories }, ref, signal) {
		await repositories.writes.remove(ref, signal);
		return true;
	},
};
