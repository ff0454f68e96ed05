import * as vscode from 'vscode';
import type { OwnedKind } from '../../../editor/owned/ownedKind.ts';

/** Mailing lists, as what people own. */
export const listKind: OwnedKind = {
	rules: {
		// docs/protocol.md#list-names: longer ones make some servers fail.
		longestName: 128,
		longestDescription: 2047,
		isLetterFirst: false,
		exampleName: 'my-project-devel',
	},
	texts: {
		create: () => vscode.l10n.t('Create a list'),
		isTaken: () => vscode.l10n.t('You already have a list with this name.'),
		saveDescription: () => vscode.l10n.t('Save List Description'),
		deletes: () =>
			vscode.l10n.t(
				"Deletes the list with all mails, patchsets and subscriptions for everyone. Links to its mails will stop working. This can't be undone.",
			),
		typeToDelete: (name) => vscode.l10n.t('Type {0} to delete it with all its mails', name),
	},
	own: ({ lists }, signal) => lists.ownLists(signal),
	moreOwn: ({ lists }, signal) => lists.moreOwnLists(signal),
	async description({ lists }, ref, signal) {
		return (await lists.renewList(ref, signal)).description;
	},
	describe: ({ lists }, ref, text, signal) => lists.describe(ref, text, signal),
	remove: async ({ lists }, ref, signal) => (await lists.remove?.(ref, signal)) ?? false,
};
