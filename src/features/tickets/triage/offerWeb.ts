import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';

/** Says what only the web can do, and leads there. */
export async function offerWeb(text: string, address: string | undefined): Promise<void> {
	const open = vscode.l10n.t('Open on the Web');
	const chosen = await notify('information', text, ...(address === undefined ? [] : [open]));
	if (chosen === open && address !== undefined) {
		await openExactly(address);
	}
}
