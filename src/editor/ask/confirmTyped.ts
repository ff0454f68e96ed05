import * as vscode from 'vscode';
import { askFor, confirmForGoodOrCancel } from './ask.ts';

/** The deletion and its texts. */
export interface TypedConfirmation {
	/** Required input. */
	readonly exact: string;
	/** The same as people read it. */
	readonly name: string;
	/** Consequences of the deletion. */
	readonly deletes: string;
	readonly typeToDelete: string;
}

/** Says what goes with a thing, and has its whole name typed. Throws `cancelled()` otherwise. */
export async function confirmTyped({ exact, name, deletes, typeToDelete }: TypedConfirmation): Promise<void> {
	await confirmForGoodOrCancel(vscode.l10n.t('Delete {0}?', name), deletes, vscode.l10n.t('Continue…'));
	await askFor({
		title: vscode.l10n.t('Delete {0}', name),
		prompt: typeToDelete,
		placeHolder: name,
		complaint: (value) => (value.trim() === exact ? undefined : vscode.l10n.t('Type {0} exactly as shown.', name)),
	});
}
