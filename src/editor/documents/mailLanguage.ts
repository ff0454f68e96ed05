import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';

/** The language of mails that are shown as texts, which the manifest describes: prose wraps, and no bracket is unmatched. */
export const mailLanguage = 'forge-mail';

/** The document in this language. The editor closes it in its own and opens it anew where that is another one. */
export async function inLanguage(document: vscode.TextDocument, language: string): Promise<vscode.TextDocument> {
	return document.languageId === language ? document : vscode.languages.setTextDocumentLanguage(document, language);
}

/** Gives documents of mails their language when they open, also those that the editor brings back by itself. */
export function mailsInLanguage(isMail: (uri: vscode.Uri) => boolean): Disposable {
	return vscode.workspace.onDidOpenTextDocument((document) => {
		if (isMail(document.uri)) {
			void inLanguage(document, mailLanguage);
		}
	});
}
