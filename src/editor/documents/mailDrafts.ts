import type * as vscode from 'vscode';
import type { MailDraftSubject, ReviewSubject } from '../../state/drafts/drafts.ts';

/** What somebody writes to a list, as a document. */
export type MailDraft = MailDraftSubject | ReviewSubject;

/** Where the cursor of a draft stands when it is shown: a number is the line, from 0, at whose end. */
export type DraftCursor = 'start' | 'end' | number;

/** What a document of a draft is shown beside. */
export interface BesideDraft {
	readonly original: vscode.Uri;
	/** Of the tab. */
	readonly title: string;
}

/** Mails, and comments of reviews, in documents whose text is a draft at every moment. */
export interface MailDraftDocuments {
	/** Shows the document; `text` is what it says when there is no draft yet. `cursor`: where one goes on writing. */
	open(about: MailDraft, text?: string, cursor?: DraftCursor): Promise<vscode.TextEditor>;
	/** Shows the document as the changed side of a diff. */
	openBeside(about: MailDraft, beside: BesideDraft): Promise<void>;
	/** Closes the document and forgets its draft, without a question. */
	finish(about: MailDraft): Promise<void>;
	/** What is written now: in the open document, else in the draft; `undefined` where there is neither. */
	textOf(about: MailDraft): string | undefined;
	/** What a document is the draft of; `undefined` for all others. */
	aboutOf(uri: vscode.Uri): MailDraft | undefined;
}
