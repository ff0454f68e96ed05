import type * as vscode from 'vscode';
import type { MailDraftSubject, ReviewSubject } from '../../store/drafts/drafts.ts';

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
