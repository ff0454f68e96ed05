import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import { keptLineEnds } from '../../../engine/review/keptLineEnds.ts';
import { draftOfUri, type DocumentSubject } from './draftUri.ts';

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
		if (isSuggested(document.uri)) {
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
		const isAsBefore = (isWhole && !isInFront(document)) || text === known.left;
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

/** A suggested file goes out as a diff; other drafts go out as whole text. */
function isSuggested(uri: vscode.Uri): boolean {
	const about = draftOfUri(uri);
	return about?.kind === 'review' && about.part.kind === 'suggestedFile';
}

function isInFront(document: vscode.TextDocument): boolean {
	return vscode.window.activeTextEditor?.document === document;
}

/**
 * True if settings may have made the change before a save: only blanks and line ends, and away from all cursors. A save
 * during that change aborts the editor's own save and its save participants.
 */
function isAsSettingsDo({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
	const selected = vscode.window.visibleTextEditors
		.filter((editor) => editor.document === document)
		.flatMap(({ selections }) => selections);
	return (
		contentChanges.some(({ range: { start } }) => !selected.some((each) => holdsLine(each, start.line))) &&
		contentChanges.every(({ range: { start }, text }) => /^\s*$/.test(text) && isAtLineEnd(document, start)) &&
		areLineEndsSet(document)
	);
}

function holdsLine({ start, end }: vscode.Selection, line: number): boolean {
	return start.line <= line && line <= end.line;
}

function isAtLineEnd(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
	return line < document.lineCount && document.lineAt(line).text.length <= character;
}

function areLineEndsSet({ uri, languageId }: vscode.TextDocument): boolean {
	const files = vscode.workspace.getConfiguration('files', { uri, languageId });
	return ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'].some((name) => files.get(name) === true);
}
