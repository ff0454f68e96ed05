import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Drafts, ReviewSubject } from '../../../store/drafts/drafts.ts';
import type { DraftComment } from '../../../engine/review/reviewDraft.ts';
import { draftKey } from '../../../store/drafts/draftSubject.ts';
import { reviewSubject } from '../../../store/drafts/reviewDrafts.ts';
import { typedId } from '../../../engine/review/typedDraft.ts';
import type { DraftShown, DraftTarget } from '../review/commentThreads.ts';

/** Delay before typed text reaches the draft store. No keystroke older than a second may get lost. */
const keepMs = 300;

/** URI scheme of the editor's comment boxes: with a controller for new comments, without one for edits. */
const boxScheme = 'comment';

export interface TypedCommentsParts {
	readonly drafts: Drafts;
	readonly clock: Clock;
	readonly problems: Problems;
	/** A name that nothing else has. */
	readonly newName: () => string;
	/** Id of the controller of our threads. */
	readonly controller: string;
	/** The file that a document of a patch shows. */
	readonly fileTarget: (uri: vscode.Uri) => DraftTarget | undefined;
	/** Drafts in open edit boxes. */
	readonly edited: () => readonly DraftShown[];
}

/** Stores text typed in comment boxes, because the editor loses it when the window closes. */
export interface TypedComments extends Disposable {
	/** The draft is what a box holds that is open now. */
	isOpen(id: string): boolean;
	/** Call after the user added a box's text as a comment. */
	added(text: string): void;
	/** Call after a save or cancel of a draft's edit box. */
	editEnded(draft: Pick<DraftComment, 'id'>): void;
}

interface Box {
	readonly id: string;
	readonly about: ReviewSubject;
	/** The draft that it edits. */
	readonly edits: string | undefined;
	/** Initial text. */
	readonly original: string;
	text: string;
	keeping: Disposable | undefined;
}

/**
 * The editor hides a box's line, so unsaved text belongs to the active document's file. A cancel empties the box and
 * the stored text; text left in a closed box becomes a draft "not added". Text typed while editing a draft is stored
 * next to it, on its lines, and leaves the draft unchanged until the save.
 */
export function typedComments(parts: TypedCommentsParts): TypedComments {
	const { drafts, clock, problems } = parts;
	const owned = new Disposables();
	const boxes = new Map<string, Box>();
	let isFailing = false;

	function boxOf(document: vscode.TextDocument): Box | undefined {
		const { uri } = document;
		const known = boxes.get(uri.toString());
		if (known || uri.scheme !== boxScheme) {
			return known;
		}
		const box = uri.authority === '' ? editBox(document) : uri.authority === parts.controller ? newBox() : undefined;
		if (box) {
			boxes.set(uri.toString(), box);
		}
		return box;
	}

	function newBox(): Box | undefined {
		const { activeTextEditor, visibleTextEditors } = vscode.window;
		const editors = [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors];
		const target = editors.map(({ document }) => parts.fileTarget(document.uri)).find((each) => each !== undefined);
		if (!target) {
			return undefined;
		}
		const id = typedId(parts.newName());
		const about = reviewSubject(target.of, { kind: 'comment', id, place: target.place });
		return { id, about, edits: undefined, original: '', text: '', keeping: undefined };
	}

	/** Boxes of all extensions look alike; ours contain the text of an edited draft or its earlier unsaved text. */
	function editBox(document: vscode.TextDocument): Box | undefined {
		const text = textIn(document);
		const taken = new Set([...boxes.values()].map(({ edits }) => edits));
		for (const { of, draft } of parts.edited().filter(({ draft: { id } }) => !taken.has(id))) {
			const { id: edits, place, text: original } = draft;
			const aboutAs = (id: string): ReviewSubject => reviewSubject(of, { kind: 'comment', id, place });
			const before = drafts.draft(aboutAs(typedId(edits)))?.text;
			if (text === plainEnds(original) || text === before) {
				// Keep unsaved text of an earlier window.
				const id = typedId(before === undefined || before === text ? edits : parts.newName());
				return { id, about: aboutAs(id), edits, original: plainEnds(original), text, keeping: undefined };
			}
		}
		return undefined;
	}

	function keep(box: Box): void {
		box.keeping?.dispose();
		box.keeping = undefined;
		const text = box.text.trim() === '' || box.text === box.original ? '' : box.text;
		drafts.keep(box.about, { text, atMs: clock.nowMs() }).then(() => (isFailing = false), failed);
	}

	/** Only once: the next keystroke would repeat it. */
	function failed(error: unknown): void {
		problems.log(error);
		if (!isFailing) {
			isFailing = true;
			void problems.show(error);
		}
	}

	owned.add(
		vscode.workspace.onDidOpenTextDocument((document) => {
			if (document.uri.authority === '') {
				boxOf(document);
			}
		}),
	);
	owned.add(
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			const box = boxOf(document);
			if (box && box.text !== textIn(document)) {
				box.text = textIn(document);
				if (box.text === '') {
					return keep(box);
				}
				box.keeping ??= clock.after(keepMs, () => keep(box));
			}
		}),
	);
	owned.add(
		vscode.workspace.onDidCloseTextDocument(({ uri }) => {
			const box = boxes.get(uri.toString());
			boxes.delete(uri.toString());
			if (box && box.text !== '' && box.text !== box.original) {
				// Store again: the list now shows it as a draft.
				keep(box);
			}
		}),
	);
	owned.add(
		drafts.onDidChange((about) => {
			const key = draftKey(about);
			for (const box of boxes.values()) {
				if (!box.keeping && draftKey(box.about) === key && !drafts.draft(box.about)) {
					// The list of drafts added or discarded it; the box may still show it.
					box.text = '';
				}
			}
		}),
	);
	function done(isMeant: (box: Box) => boolean): void {
		for (const box of [...boxes.values()].filter(isMeant)) {
			box.text = '';
			keep(box);
		}
	}

	return {
		added: (text) => done((box) => box.edits === undefined && box.text.trim() === plainEnds(text).trim()),
		editEnded: ({ id }) => done(({ edits }) => edits === id),
		isOpen: (id) => [...boxes.values()].some((box) => box.id === id),
		dispose() {
			boxes.forEach(({ keeping }) => keeping?.dispose());
			owned.dispose();
		},
	};
}

function textIn(document: vscode.TextDocument): string {
	return plainEnds(document.getText());
}

/** On Windows, comment boxes use CRLF. */
function plainEnds(text: string): string {
	return text.replaceAll('\r\n', '\n');
}
