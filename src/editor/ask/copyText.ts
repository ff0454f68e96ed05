import * as vscode from 'vscode';
import { tellBriefly } from './notify.ts';

/** Copies a text to the clipboard and confirms it. */
export async function copyText(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	tellBriefly(vscode.l10n.t('Copied'));
}
