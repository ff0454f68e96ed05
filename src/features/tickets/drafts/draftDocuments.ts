import * as vscode from 'vscode';
import { openDiff, showDocument } from '../../../editor/documents/showDocument.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { BesideDraft, DraftCursor } from '../../../editor/documents/mailDrafts.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { closeTabs } from '../../../editor/links/tabAddresses.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { keptLineEnds } from 'patchmail/review/keptLineEnds.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { draftOfUri, draftUri, isDraftAt, openDraft, shownUri } from './draftUri.ts';
import { type DocumentSubject } from './draftSubject.ts';
import { comparedToDraft } from './restoredText.ts';

/** Delay before typed text reaches the draft store. No keystroke older than a second may get lost. */
const keepMs = 300;

/**
 * Idle time before a save. It must be shorter than the delay of the editor's backup, whose copy would override the
 * draft after a restart.
 */
const saveMs = 400;

/** Longest wait for a save that the editor started, including all its participants. */
const editorsSaveMs = 10_000;

/** Stores the text of draft documents while the user types, so that nobody needs to save. */
export type DraftDocuments = ReturnType<typeof draftDocuments>;

/** Listens to all documents, including those that the editor restored after a restart. */
export function draftDocuments(drafts: Drafts, clock: Clock, problems: Problems) {
	const owned = new Disposables();
	const typing = new Map<string, { keeping: Disposable | undefined; saving: Disposable | undefined }>();
	const finished = new Set<string>();
	const didReplace = owned.add(new Emitter<DocumentSubject>());
	let isFailing = false;
	const asTyped = owned.add(
		savedAsTyped(
			clock,
			async (about, _, text) => {
				stop(keyOf(about)); // Otherwise the changes by settings reach the draft.
				await keep(about, text);
				didReplace.fire(about);
			},
			failed,
		),
	);

	function typed(document: vscode.TextDocument): void {
		const about = draftOfUri(document.uri);
		const key = about && keyOf(about);
		// A reload changes a clean document. So does an undo back to the saved text, but only after typing.
		if (!about || key === undefined || finished.has(key) || (!document.isDirty && !typing.has(key))) {
			return;
		}
		const timers = typing.get(key) ?? { keeping: undefined, saving: undefined };
		typing.set(key, timers);
		timers.keeping ??= clock.after(keepMs, () => {
			timers.keeping = undefined;
			keep(about, document.getText()).then(() => (isFailing = false), failed);
		});
		timers.saving?.dispose();
		timers.saving = clock.after(saveMs, () => {
			timers.saving = undefined;
			save(document).catch(problems.log);
		});
	}

	/** A dirty document comes from the editor's backup; the draft may be newer. */
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

	/** The user may want either text, so keep both. */
	async function offerDraft(document: vscode.TextDocument, draft: string): Promise<void> {
		const useDraft = vscode.l10n.t('Use Draft');
		const name = visibleLine(document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1));
		const said = vscode.l10n.t('The editor restored another text of "{0}" than its draft.', name);
		if ((await notify('warning', said, useDraft)) === useDraft) {
			await replaceText(document, draft);
		}
	}

	/** Only once: the next keystroke would repeat it. */
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

	function stop(key: string): void {
		const timers = typing.get(key);
		timers?.keeping?.dispose();
		timers?.saving?.dispose();
		typing.delete(key);
	}

	/** Saves without formatters: formatting and trimming would move text under the cursor. */
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

	/**
	 * Waits for a save that the editor started. Until it ends the editor refuses other saves, and a late write would
	 * recreate a deleted draft.
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
		/**
		 * Shows the document; `text` is its content without a draft. Sets the cursor at once: a later move would split text
		 * that the user is typing.
		 */
		async open(about: DocumentSubject, text?: string, cursor: DraftCursor = 'start') {
			const uri = shownUri(about);
			finished.delete(keyOf(about));
			if (text !== undefined && !drafts.draft(about)) {
				await keep(about, text);
			}
			if (cursor === 'start') {
				return showDocument(uri, { preview: false });
			}
			const document = await vscode.workspace.openTextDocument(uri);
			const last = document.lineCount - 1;
			const { end } = document.lineAt(cursor === 'end' ? last : Math.min(cursor, last)).range;
			return showDocument(document, { preview: false, selection: new vscode.Range(end, end) });
		},
		/** Shows the document as the changed side of a diff. */
		async openBeside(about: DocumentSubject, { original, title }: BesideDraft) {
			const uri = shownUri(about);
			finished.delete(keyOf(about));
			await openDiff(original, uri, title, { preview: false });
			if (!drafts.draft(about)) {
				// The editor may have cached a finished document and show its old text.
				didReplace.fire(about);
				asTyped.begin(uri, (await vscode.workspace.openTextDocument(original)).getText());
			}
		},
		/** Closes the document and forgets its draft, without a question. */
		async finish(about: DocumentSubject) {
			finished.add(keyOf(about));
			stop(keyOf(about));
			asTyped.forget(draftUri(about));
			try {
				const document = openDraft(about);
				if (document) {
					// Leaves the document clean, so that the editor has nothing to save either.
					await save(document);
					if (document.isDirty) {
						await savedByEditor(document);
						await save(document);
					}
				}
				await closeTabs((address) => isDraftAt(address, about));
				await drafts.keep(about, { text: '', atMs: clock.nowMs() });
				didReplace.fire(about);
			} finally {
				// After a failure the document stays open, so store its text again.
				finished.delete(keyOf(about));
			}
		},
		/**
		 * The text of a document changed outside the editor: its draft was finished or recreated, or changes by editor
		 * settings were reverted.
		 */
		onDidReplace: didReplace.event,
		/** Current text of the open document, or of the draft; `undefined` if neither exists. */
		textOf: (about: DocumentSubject) => openDraft(about)?.getText() ?? drafts.draft(about)?.text,
		dispose() {
			typing.forEach(({ keeping, saving }) => {
				keeping?.dispose();
				saving?.dispose();
			});
			owned.dispose();
		},
	};
}

/** An edit like typing, so that Undo restores the old text. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
	await vscode.workspace.applyEdit(edit);
}

/** Equal for all documents of a draft. */
function keyOf(about: DocumentSubject): string {
	return draftUri(about).toString();
}

interface TypedText {
	/** Best known text without changes by settings. */
	text: string;
	/** Settings may change the text during this save. */
	isChanged: boolean;
	/** No typing during this save. */
	isWhole: boolean;
	/**
	 * Text after the settings' changes, while the editor still shows it. A parallel save may write it again, and no
	 * event announces the changes.
	 */
	left: string | undefined;
}

/**
 * Reverts changes by editor settings on save, such as trimmed trailing blanks, in suggested files: the user did not
 * suggest them. These settings apply to every scheme, and "Save without Formatting" covers only the active editor.
 */
/** Listens to all documents from now on. */
export function savedAsTyped(
	clock: Clock,
	replace: (about: DocumentSubject, uri: vscode.Uri, text: string) => Promise<void>,
	failed: (error: unknown) => void,
) {
	const owned = new Disposables();
	const ending = new AbortController();
	const slices = resting(clock);
	const typed = new Map<string, TypedText>();

	function begin(uri: vscode.Uri, text: string): void {
		typed.set(uri.toString(), { text, isChanged: false, isWhole: false, left: undefined });
	}

	function opened(document: vscode.TextDocument): void {
		// A suggested file goes out as a diff; other drafts go out as whole text.
		const about = draftOfUri(document.uri);
		if (about?.kind === 'review' && about.part.kind === 'suggestedFile') {
			begin(document.uri, document.getText());
		}
	}

	async function saved(document: vscode.TextDocument): Promise<void> {
		const { uri } = document;
		const known = typed.get(uri.toString());
		const about = draftOfUri(uri);
		if (!known || !about) {
			return;
		}
		const text = document.getText();
		const { isChanged, isWhole } = known;
		known.isChanged = false;
		const isAsBefore = (isWhole && vscode.window.activeTextEditor?.document !== document) || text === known.left;
		const wanted = isAsBefore ? known.text : await asTyped(known.text, text, isChanged);
		if (typed.get(uri.toString()) !== known || document.getText() !== text) {
			return; // The text changed meanwhile; its next save handles it.
		}
		known.text = wanted;
		if (wanted !== text) {
			known.left = text;
			await replace(about, uri, wanted);
		}
	}

	async function asTyped(before: string, text: string, isChanged: boolean): Promise<string> {
		return isChanged ? runResting(keptLineEnds(before, text), slices, ending.signal) : text;
	}

	// The editor fires this event only for saves in which settings may change the text.
	owned.add(
		vscode.workspace.onWillSaveTextDocument(({ document }) => {
			const known = typed.get(document.uri.toString());
			if (known) {
				known.isChanged = true;
			}
		}),
	);
	owned.add(
		vscode.workspace.onDidSaveTextDocument((document) => {
			saved(document).catch((error: unknown) => {
				if (!ending.signal.aborted) {
					failed(error);
				}
			});
		}),
	);
	owned.add(
		vscode.workspace.onDidChangeTextDocument((change) => {
			const { document } = change;
			const known = typed.get(document.uri.toString());
			if (known?.left !== undefined && document.getText() !== known.left) {
				known.left = undefined;
			}
			if (known && isAsSettingsDo(change)) {
				known.isChanged = true;
			}
		}),
	);
	owned.add(vscode.workspace.onDidOpenTextDocument(opened));
	owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void typed.delete(uri.toString())));
	vscode.workspace.textDocuments.forEach(opened);

	return {
		/** The document begins as this text. */
		begin,
		/** Stops reverting changes in the document. */
		forget: (uri: vscode.Uri): void => void typed.delete(uri.toString()),
		/** Saves a document without pending typing, so that all differences come from settings. */
		async save(document: vscode.TextDocument) {
			const known = typed.get(document.uri.toString());
			// Between the settings' change and its revert, the document differs from the typed text.
			if (!known || known.isChanged || document.getText() === known.left) {
				await document.save();
				return;
			}
			known.text = document.getText();
			known.isWhole = true;
			try {
				await document.save();
			} finally {
				known.isWhole = false;
			}
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

/**
 * True if settings may have made the change before a save: only blanks and line ends, and away from all cursors. A save
 * during that change aborts the editor's own save and its save participants.
 */
function isAsSettingsDo({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
	const selected = vscode.window.visibleTextEditors
		.filter((editor) => editor.document === document)
		.flatMap(({ selections }) => selections);
	const mayBe =
		contentChanges.some(
			({ range: { start } }) => !selected.some((each) => each.start.line <= start.line && start.line <= each.end.line),
		) &&
		contentChanges.every(
			({ range: { start }, text }) =>
				/^\s*$/.test(text) &&
				start.line < document.lineCount &&
				document.lineAt(start.line).text.length <= start.character,
		);
	if (!mayBe) {
		return false;
	}
	const files = vscode.workspace.getConfiguration('files', document);
	return ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'].some((name) => files.get(name) === true);
}
