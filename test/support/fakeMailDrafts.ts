import './vscodeStub.ts';
import type * as vscode from 'vscode';
import type { MailDraft, MailDraftDocuments } from '../../src/editor/documents/mailDrafts.ts';
import { draftKey, type Drafts } from '../../src/store/drafts/drafts.ts';
import { standFor } from './standFor.ts';

const { draftOfUri, draftUri } = await import('../../src/features/tickets/drafts/draftUri.ts');

/** Mail documents without an editor: their text is the draft. */
export interface FakeMailDrafts extends MailDraftDocuments {
	/** Open drafts, latest last. */
	readonly opened: MailDraft[];
	/** Types into a document without saving its draft. */
	type(about: MailDraft, text: string): void;
	/** Errors of the next closings. */
	readonly failures: Error[];
}

export function fakeMailDrafts(drafts: Drafts): FakeMailDrafts {
	const opened: MailDraft[] = [];
	const failures: Error[] = [];
	const typed = new Map<string, string>();
	return {
		opened,
		type: (about, text) => void typed.set(draftKey(about), text),
		failures,
		async open(about, text) {
			opened.push(about);
			if (text !== undefined && !drafts.draft(about)) {
				await drafts.keep(about, { text, atMs: 1 });
			}
			return standFor<vscode.TextEditor>({ document: standFor<vscode.TextDocument>({ uri: draftUri(about) }) });
		},
		openBeside(about) {
			opened.push(about);
			return Promise.resolve();
		},
		async finish(about) {
			const failure = failures.shift();
			if (failure) {
				throw failure;
			}
			const at = opened.findIndex((each) => draftKey(each) === draftKey(about));
			opened.splice(at, at === -1 ? 0 : 1);
			typed.delete(draftKey(about));
			await drafts.keep(about, { text: '', atMs: 1 });
		},
		textOf: (about) => typed.get(draftKey(about)) ?? drafts.draft(about)?.text,
		aboutOf(uri) {
			const about = draftOfUri(uri);
			return about?.kind === 'mail' || about?.kind === 'review' ? about : undefined;
		},
	};
}
