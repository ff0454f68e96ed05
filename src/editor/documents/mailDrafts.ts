import * as vscode from 'vscode';
import type { MailDraftSubject, ReviewSubject } from '../../store/drafts/drafts.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** A mail or review draft with a document. */
export type MailDraft = MailDraftSubject | ReviewSubject;

/** Initial cursor of a draft; a number is a line (from 0), with the cursor at its end. */
export type DraftCursor = 'start' | 'end' | number;

/** The other side of a draft's diff. */
export interface BesideDraft {
	readonly original: vscode.Uri;
	/** Of the tab. */
	readonly title: string;
}

/** Mails and review comments in documents whose text is always a draft. */
export interface MailDraftDocuments {
	/** Shows the document; `text` is its content without a draft. `cursor`: initial position. */
	open(about: MailDraft, text?: string, cursor?: DraftCursor): Promise<vscode.TextEditor>;
	/** Shows the document as the changed side of a diff. */
	openBeside(about: MailDraft, beside: BesideDraft): Promise<void>;
	/** Closes the document and forgets its draft, without a question. */
	finish(about: MailDraft): Promise<void>;
	/** Current text of the open document, or of the draft; `undefined` if neither exists. */
	textOf(about: MailDraft): string | undefined;
	/** Draft of a document; `undefined` for other documents. */
	aboutOf(uri: vscode.Uri): MailDraft | undefined;
}

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
