import * as vscode from 'vscode';
import { tellBriefly } from './notify.ts';

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	tellBriefly(vscode.l10n.t('Copied'));
}
