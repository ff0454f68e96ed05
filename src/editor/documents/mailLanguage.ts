import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';

/** Language id of mail documents from the manifest: wraps prose, and has no bracket matching. */
export const mailLanguage = 'forge-mail';

/** Sets the document's language. The editor closes and reopens it on a change. */
export async function inLanguage(document: vscode.TextDocument, language: string): Promise<vscode.TextDocument> {
	return document.languageId === language ? document : vscode.languages.setTextDocumentLanguage(document, language);
}

/** Sets the language of mail documents when they open, including restored ones. */
export function mailsInLanguage(isMail: (uri: vscode.Uri) => boolean): Disposable {
	return vscode.workspace.onDidOpenTextDocument((document) => {
		if (isMail(document.uri)) {
			void inLanguage(document, mailLanguage);
		}
	});
}
