import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { BesideDraft, DraftCursor } from '../../../editor/documents/mailDrafts.ts';
import type { Drafts } from '../../../state/drafts/drafts.ts';
import { addressKey, closeTabs } from '../../../editor/links/tabAddresses.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { visibleLine } from '../../../text/visible.ts';
import { draftOfUri, draftUri, type DocumentSubject } from './draftUri.ts';
import { comparedToDraft } from './restoredText.ts';
import { savedAsTyped } from './savedAsTyped.ts';

/** How long typing may go on before it is kept. No keystroke may be lost that is a second old. */
const keepMs = 300;

/**
 * How long nobody has typed when the document is saved: sooner than the editor's own copy of unsaved documents, which
 * would otherwise stand before the draft after a restart.
 */
const saveMs = 400;

/** How long a save that the editor began by itself may take, with all that takes part in it. */
const editorsSaveMs = 10_000;

/** What the documents need. */
export interface DraftDocumentParts {
	readonly drafts: Drafts;
	readonly clock: Clock;
	readonly problems: Problems;
}

/** Keeps what is typed in documents of drafts, so that saving them is nothing that anybody has to think of. */
export interface DraftDocuments extends Disposable {
	/**
	 * Shows the document; `text` is what it says when there is no draft yet. The cursor stands where it is wanted from the
	 * start: moved later, it would part what somebody types meanwhile.
	 */
	open(about: DocumentSubject, text?: string, cursor?: DraftCursor): Promise<vscode.TextEditor>;
	/** Shows the document as the changed side of a diff. */
	openBeside(about: DocumentSubject, beside: BesideDraft): Promise<void>;
	/** Closes the document and forgets its draft, without a question. */
	finish(about: DocumentSubject): Promise<void>;
	/** What is written now: in the open document, else in the draft; `undefined` where there is neither. */
	textOf(about: DocumentSubject): string | undefined;
	/**
	 * The document has another text now than the one that the editor may hold: its draft was done with, begins anew, or is
	 * again what it was before the editor's settings changed it.
	 */
	readonly onDidReplace: Event<DocumentSubject>;
}

interface Typing {
	keeping: Disposable | undefined;
	saving: Disposable | undefined;
}

/** Listens to all documents from now on, also to those that the editor opened by itself after a restart. */
export function draftDocuments({ drafts, clock, problems }: DraftDocumentParts): DraftDocuments {
	const owned = new Disposables();
	const typing = new Map<string, Typing>();
	const finished = new Set<string>();
	const didReplace = owned.add(new Emitter<DocumentSubject>());
	let isFailing = false;
	const asTyped = owned.add(
		savedAsTyped({
			clock,
			failed,
			async replace(about, uri, text) {
				stop(uri); // What the settings left would be kept.
				await keep(about, text);
				didReplace.fire(about);
			},
		}),
	);

	function typed(document: vscode.TextDocument): void {
		const about = draftOfUri(document.uri);
		const key = document.uri.toString();
		// Reloading is a change of a clean document. So is going back to what was saved, but only after typing.
		if (!about || finished.has(key) || (!document.isDirty && !typing.has(key))) {
			return;
		}
		const timers = typing.get(key) ?? { keeping: undefined, saving: undefined };
		typing.set(key, timers);
		timers.keeping ??= clock.after(keepMs, () => {
			timers.keeping = undefined;
			keep(about, document.getText()).then(keptAgain, failed);
		});
		timers.saving?.dispose();
		timers.saving = clock.after(saveMs, () => {
			timers.saving = undefined;
			save(document).catch((error: unknown) => problems.log(error));
		});
	}

	/** One that is not saved when it opens comes from the editor's own copy, and the draft may be newer than that. */
	function opened(document: vscode.TextDocument): void {
		const about = draftOfUri(document.uri);
		const draft = about && drafts.draft(about)?.text;
		const restored = document.isDirty && draft !== undefined ? comparedToDraft(document.getText(), draft) : 'same';
		if (draft === undefined || restored === 'same' || restored === 'newer') {
			return typed(document);
		}
		if (restored === 'older') {
			replaceText(document, draft).catch(failed);
			return undefined;
		}
		typed(document);
		return void offerDraft(document, draft).catch(failed);
	}

	/** Both texts may be what somebody wants, so neither is lost. */
	async function offerDraft(document: vscode.TextDocument, draft: string): Promise<void> {
		const useDraft = vscode.l10n.t('Use Draft');
		const name = visibleLine(document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1));
		const said = vscode.l10n.t('The editor restored another text of "{0}" than its draft.', name);
		if ((await notify('warning', said, useDraft)) === useDraft) {
			await replaceText(document, draft);
		}
	}

	function keptAgain(): void {
		isFailing = false;
	}

	/** Said once, because the next key would say it again. */
	function failed(error: unknown): void {
		problems.log(error);
		if (!isFailing) {
			isFailing = true;
			void problems.show(error);
		}
	}

	function keep(about: DocumentSubject, text: string): Promise<void> {
		return drafts.keep(about, { text: text.trim() === '' ? '' : text, atMs: clock.nowMs() });
	}

	function stop(uri: vscode.Uri): void {
		const timers = typing.get(uri.toString());
		timers?.keeping?.dispose();
		timers?.saving?.dispose();
		typing.delete(uri.toString());
	}

	/** Saves as it is: formatting and trimming would move what is being typed. */
	async function save(document: vscode.TextDocument): Promise<void> {
		if (!document.isDirty || document.isClosed) {
			return;
		}
		if (vscode.window.activeTextEditor?.document === document) {
			await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
		}
		if (document.isDirty) {
			await asTyped.save(document);
		}
	}

	/** Nothing of it is left to be saved, also not by the editor. */
	async function saveAll(document: vscode.TextDocument): Promise<void> {
		await save(document);
		if (document.isDirty) {
			await savedByEditor(document);
			await save(document);
		}
	}

	/**
	 * Waits for a save that the editor began by itself: it refuses every other one from then on until it is done, and what
	 * it writes after the draft is forgotten would be a draft again.
	 */
	async function savedByEditor(document: vscode.TextDocument): Promise<void> {
		const waiting = new Disposables();
		try {
			await new Promise<void>((resolve) => {
				const ended = (each: vscode.TextDocument): void => void (each === document && resolve());
				waiting.add(vscode.workspace.onDidSaveTextDocument(ended));
				waiting.add(vscode.workspace.onDidCloseTextDocument(ended));
				waiting.add(clock.after(editorsSaveMs, resolve));
			});
		} finally {
			waiting.dispose();
		}
	}

	owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => typed(document)));
	owned.add(vscode.workspace.onDidOpenTextDocument(opened));
	vscode.workspace.textDocuments.forEach(opened);

	return {
		async open(about, text, cursor = 'start') {
			const uri = draftUri(about);
			finished.delete(uri.toString());
			if (text !== undefined && !drafts.draft(about)) {
				await keep(about, text);
			}
			if (cursor === 'start') {
				return vscode.window.showTextDocument(uri, { preview: false });
			}
			const document = await vscode.workspace.openTextDocument(uri);
			return vscode.window.showTextDocument(document, { preview: false, selection: endOf(document, cursor) });
		},
		async openBeside(about, { original, title }) {
			const uri = draftUri(about);
			finished.delete(uri.toString());
			await vscode.commands.executeCommand('vscode.diff', original, uri, title, { preview: false });
			if (!drafts.draft(about)) {
				// The editor may have held the document of one that was finished, and show its text.
				didReplace.fire(about);
				asTyped.begin(uri, (await vscode.workspace.openTextDocument(original)).getText());
			}
		},
		async finish(about) {
			const uri = draftUri(about);
			finished.add(uri.toString());
			stop(uri);
			asTyped.forget(uri);
			try {
				const document = openDocument(uri);
				if (document) {
					await saveAll(document);
				}
				await closeTabs((address) => addressKey(address) === addressKey(uri));
				await drafts.keep(about, { text: '', atMs: clock.nowMs() });
				didReplace.fire(about);
			} finally {
				// Where it failed the document is still there, and what is typed in it is kept again.
				finished.delete(uri.toString());
			}
		},
		onDidReplace: didReplace.event,
		textOf: (about) => openDocument(draftUri(about))?.getText() ?? drafts.draft(about)?.text,
		dispose() {
			typing.forEach(({ keeping, saving }) => {
				keeping?.dispose();
				saving?.dispose();
			});
			owned.dispose();
		},
	};
}

/** As if it had been typed: Undo brings back what was there. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
	await vscode.workspace.applyEdit(edit);
}

function endOf(document: vscode.TextDocument, line: 'end' | number): vscode.Range {
	const last = document.lineCount - 1;
	const { end } = document.lineAt(line === 'end' ? last : Math.min(line, last)).range;
	return new vscode.Range(end, end);
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
