import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Drafts, ReviewSubject } from '../../../state/drafts/drafts.ts';
import { reviewSubject } from '../../../state/drafts/reviewDrafts.ts';
import { typedPrefix } from '../review/typedDraft.ts';
import type { DraftTarget } from '../review/commentThreads.ts';

/** How long typing may go on before it is kept. No keystroke may be lost that is a second old. */
const keepMs = 300;

/** The editor's own boxes are documents of this scheme, by the controller of their thread. */
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
}

/** Keeps what is typed in the editor's comment boxes: it keeps none of it when the window ends. */
export interface TypedComments extends Disposable {
	/** The draft is what a box holds that is open now. */
	isOpen(id: string): boolean;
	/** What a box held was added, and is kept as that. */
	added(text: string): void;
}

interface Box {
	readonly id: string;
	readonly about: ReviewSubject;
	text: string;
	keeping: Disposable | undefined;
}

/**
 * The editor does not tell on which line a box is, so what is kept of it is on the file of the document in front. Giving up
 * empties a box, and with it what was kept; what is left when it closes is a draft that was not added.
 */
export function typedComments(parts: TypedCommentsParts): TypedComments {
	const { drafts, clock, problems } = parts;
	const owned = new Disposables();
	const boxes = new Map<string, Box>();
	let isFailing = false;

	function boxOf({ uri }: vscode.TextDocument): Box | undefined {
		const known = boxes.get(uri.toString());
		if (known || uri.scheme !== boxScheme || uri.authority !== parts.controller) {
			return known;
		}
		const { activeTextEditor, visibleTextEditors } = vscode.window;
		const editors = [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors];
		const target = editors.map(({ document }) => parts.fileTarget(document.uri)).find((each) => each !== undefined);
		if (!target) {
			return undefined;
		}
		const id = `${typedPrefix}${parts.newName()}`;
		const about = reviewSubject(target.of, { kind: 'comment', id, place: target.place });
		const box: Box = { id, about, text: '', keeping: undefined };
		boxes.set(uri.toString(), box);
		return box;
	}

	function keep(box: Box): void {
		box.keeping?.dispose();
		box.keeping = undefined;
		const text = box.text.trim() === '' ? '' : box.text;
		drafts.keep(box.about, { text, atMs: clock.nowMs() }).then(() => (isFailing = false), failed);
	}

	/** Said once, because the next key would say it again. */
	function failed(error: unknown): void {
		problems.log(error);
		if (!isFailing) {
			isFailing = true;
			void problems.show(error);
		}
	}

	owned.add(
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			const box = boxOf(document);
			if (box) {
				box.text = document.getText();
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
			if (box && box.text !== '') {
				// Told once more: it is shown as a draft from now on.
				keep(box);
			}
		}),
	);
	return {
		added(text) {
			for (const box of [...boxes.values()].filter((each) => each.text.trim() === text.trim())) {
				box.text = '';
				keep(box);
			}
		},
		isOpen: (id) => [...boxes.values()].some((box) => box.id === id),
		dispose() {
			boxes.forEach(({ keeping }) => keeping?.dispose());
			owned.dispose();
		},
	};
}
