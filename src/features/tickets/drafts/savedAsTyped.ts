import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import { keptLineEnds } from '../../../review/keptLineEnds.ts';
import { draftOfUri, type DocumentSubject } from './draftUri.ts';

export interface SavedAsTypedParts {
	readonly clock: Clock;
	/** Puts a text in the place of what was saved. */
	readonly replace: (about: DocumentSubject, uri: vscode.Uri, text: string) => Promise<void>;
	readonly failed: (error: unknown) => void;
}

/**
 * Takes back what the editor changes by its settings while it saves a suggested file, such as blanks at the ends of lines:
 * nobody suggested that. The settings hold for every scheme, and whoever saves "without formatting" saves the editor in
 * front only.
 */
export interface SavedAsTyped extends Disposable {
	/** The document begins as this text. */
	begin(uri: vscode.Uri, text: string): void;
	/** Nothing is taken back in it any more. */
	forget(uri: vscode.Uri): void;
	/** Saves a document in which nobody types, so that all that is different afterwards comes from settings. */
	save(document: vscode.TextDocument): Promise<void>;
}

interface TypedText {
	/** As far as it is known, without what settings did. */
	text: string;
	/** It is saved in a way in which settings change it. */
	isChanged: boolean;
	/** It is saved while nobody types in it. */
	isWhole: boolean;
	/**
	 * What settings left of it, as long as the editor shows that and not yet what was put in its place: a save that was
	 * asked for meanwhile writes it once more, and nobody is told that settings act.
	 */
	left: string | undefined;
}

/** Listens to all documents from now on. */
export function savedAsTyped({ clock, replace, failed }: SavedAsTypedParts): SavedAsTyped {
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
			return; // Somebody went on, and what is different now is looked at when that is saved.
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

	// The editor asks those who may change what is saved only where its own settings may, too.
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
		begin,
		forget: (uri) => void typed.delete(uri.toString()),
		async save(document) {
			const known = typed.get(document.uri.toString());
			// While settings act, and until what they did is taken back, what the editor shows is not what was typed.
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

/** What is different in one is told to others; what is saved of the other drafts is their whole text. */
function isSuggested(uri: vscode.Uri): boolean {
	const about = draftOfUri(uri);
	return about?.kind === 'review' && about.part.kind === 'suggestedFile';
}

function isInFront(document: vscode.TextDocument): boolean {
	return vscode.window.activeTextEditor?.document === document;
}

/**
 * May be what settings do before a save: only blanks and line ends, and elsewhere than at a cursor. A save of ours that comes
 * then makes the editor end its own, and nobody is asked any more who may change what is saved.
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
