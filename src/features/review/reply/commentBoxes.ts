import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { DraftComment, DraftPlace } from 'patchmail/review/reviewDraft.ts';
import { isOnlyTyped, typedId } from 'patchmail/review/typedDraft.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { draftKey, type ReviewSubject } from '../../../store/drafts/drafts.ts';
import {
	addTyped,
	forgetComment,
	keepComment,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { CommentThreads } from '../comments/commentThreads.ts';

/** Length of a comment's excerpt in the question. */
const longestText = 200;

/** Delay before typed text reaches the draft store. No keystroke older than a second may get lost. */
const keepMs = 300;

/** URI scheme of the editor's comment boxes: with a controller for new comments, without one for edits. */
const boxScheme = 'comment';

/** Commands of the editor's comment boxes in patch documents; unsent comments are drafts. */
export function commentBoxes(
	{ drafts, clock, newName }: ListsContext,
	threads: CommentThreads,
	typed: TypedComments,
): CommandTable {
	const keep = (of: Reviewed, id: string, place: DraftPlace, text: string): Promise<void> =>
		keepComment(drafts, of, { id, place, text }, clock.nowMs());

	return {
		'forge.review.addComment': async (subject) => {
			if (!isReply(subject)) {
				return tellBriefly(vscode.l10n.t('Open the diff of a patch and select a line first.'));
			}
			const { thread, text } = subject;
			const target = threads.targetOf(thread);
			if (!target) {
				const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content: text });
				await showDocument(document, { preview: false });
				typed.added(text);
				void notify('warning', vscode.l10n.t("This place can't hold a comment. Your text is in a new document."));
				return;
			}
			await keep(target.of, newName(), target.place, text);
			typed.added(text);
			if (thread.comments.length === 0) {
				// Replaces the editor's own thread with one of ours, and restores the focus.
				thread.dispose();
				await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
			}
			tellBriefly(vscode.l10n.t('Draft comment saved'));
		},
		'forge.review.editComment': async (subject) => {
			if (isComment(subject)) {
				threads.setEditing(subject, true);
			}
			await Promise.resolve();
		},
		'forge.review.cancelEdit': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			if (isComment(subject) && shown) {
				threads.setEditing(subject, false);
				typed.editEnded(shown.draft);
			}
			await Promise.resolve();
		},
		'forge.review.saveComment': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			if (!isComment(subject) || !shown) {
				return;
			}
			const { body } = subject;
			const text = typeof body === 'string' ? body : body.value;
			threads.setEditing(subject, false);
			const { of, draft } = shown;
			let saved: Promise<unknown> = Promise.resolve();
			if (text.trim() === '') {
				tellBriefly(vscode.l10n.t('A comment needs text. The draft is as it was.'));
			} else if (isOnlyTyped(draft)) {
				saved = addTyped(drafts, of, draft, text, clock.nowMs());
			} else {
				saved = keep(of, draft.id, draft.place, text);
			}
			// Before the save: further typing during the save must stay unsaved.
			typed.editEnded(draft);
			await saved;
		},
		'forge.review.discardComment': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			if (!shown) {
				return;
			}
			const { of, draft } = shown;
			const known = (): DraftComment | undefined => reviewDraft(drafts, of).comments.find(({ id }) => id === draft.id);
			// Another window may have a later text.
			const now = known() ?? draft;
			const text = shortLine(visibleLine(now.text), longestText);
			const detail =
				now.text === draft.text
					? vscode.l10n.t("It was not sent. This can't be undone.")
					: vscode.l10n.t(
							'Its text was changed in another window, and is now "{0}". It was not sent. This can\'t be undone.',
							text,
						);
			if (!(await confirmForGood(vscode.l10n.t('Discard this draft comment?'), detail, vscode.l10n.t('Discard')))) {
				return;
			}
			await forgetComment(drafts, of, now);
			if (known()) {
				const kept = vscode.l10n.t(
					'The draft comment has another text in another window, so it is kept as it is there.',
				);
				void notify('information', kept);
			}
		},
	};
}

function isReply(subject: unknown): subject is vscode.CommentReply {
	return isRecord(subject) && typeof subject['text'] === 'string' && isRecord(subject['thread']);
}

function isComment(subject: unknown): subject is vscode.Comment {
	return isRecord(subject) && 'body' in subject && 'mode' in subject;
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

export type TypedComments = ReturnType<typeof typedComments>;

/**
 * Stores text typed in comment boxes, because the editor loses it when the window closes. `controller`: id of the
 * controller of our threads.
 *
 * The editor hides a box's line, so unsaved text belongs to the active document's file. A cancel empties the box and
 * the stored text; text left in a closed box becomes a draft "not added". Text typed while editing a draft is stored
 * next to it, on its lines, and leaves the draft unchanged until the save.
 */
export function typedComments(
	{ drafts, clock, problems, newName }: ListsContext,
	threads: CommentThreads,
	controller: string,
) {
	const owned = new Disposables();
	const boxes = new Map<string, Box>();
	let isFailing = false;

	function boxOf(document: vscode.TextDocument): Box | undefined {
		const { uri } = document;
		const known = boxes.get(uri.toString());
		if (known || uri.scheme !== boxScheme) {
			return known;
		}
		const box = uri.authority === '' ? editBox(document) : uri.authority === controller ? newBox() : undefined;
		if (box) {
			boxes.set(uri.toString(), box);
		}
		return box;
	}

	function newBox(): Box | undefined {
		const { activeTextEditor, visibleTextEditors } = vscode.window;
		const editors = [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors];
		const target = editors.map(({ document }) => threads.fileTarget(document.uri)).find((each) => each !== undefined);
		if (!target) {
			return undefined;
		}
		const id = typedId(newName());
		const about = reviewSubject(target.of, { kind: 'comment', id, place: target.place });
		return { id, about, edits: undefined, original: '', text: '', keeping: undefined };
	}

	/** Boxes of all extensions look alike; ours contain the text of an edited draft or its earlier unsaved text. */
	function editBox(document: vscode.TextDocument): Box | undefined {
		const text = textIn(document);
		const taken = new Set([...boxes.values()].map(({ edits }) => edits));
		for (const { of, draft } of threads.edited().filter(({ draft: { id } }) => !taken.has(id))) {
			const { id: edits, place, text: original } = draft;
			const aboutAs = (id: string): ReviewSubject => reviewSubject(of, { kind: 'comment', id, place });
			const before = drafts.draft(aboutAs(typedId(edits)))?.text;
			if (text === plainEnds(original) || text === before) {
				// Keep unsaved text of an earlier window.
				const id = typedId(before === undefined || before === text ? edits : newName());
				return { id, about: aboutAs(id), edits, original: plainEnds(original), text, keeping: undefined };
			}
		}
		return undefined;
	}

	function keep(box: Box): void {
		box.keeping?.dispose();
		box.keeping = undefined;
		const text = box.text.trim() === '' || box.text === box.original ? '' : box.text;
		drafts.keep(box.about, { text, atMs: clock.nowMs() }).then(
			() => (isFailing = false),
			(error) => {
				problems.log(error);
				if (!isFailing) {
					isFailing = true;
					void problems.show(error);
				}
			},
		);
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
		/** Call after the user added a box's text as a comment. */
		added: (text: string): void => done((box) => box.edits === undefined && box.text.trim() === plainEnds(text).trim()),
		/** Call after a save or cancel of a draft's edit box. */
		editEnded: ({ id }: DraftComment): void => done(({ edits }) => edits === id),
		/** True for the draft of an open box. */
		isOpen: (id: string): boolean => [...boxes.values()].some((box) => box.id === id),
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
