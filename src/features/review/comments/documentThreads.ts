import * as vscode from 'vscode';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { receivedSuggestion } from 'patchmail/review/receivedSuggestion.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import type { DraftComment } from 'patchmail/review/reviewDraft.ts';
import { isWaiting, type ReviewThread } from 'patchmail/review/reviewThreads.ts';
import { placeOfPatchUri } from '../../../editor/patchDocuments/patchUri.ts';
import { codeBlock } from '../../../engine/text/codeBlock.ts';
import { plainMarkdown } from '../../../engine/text/plainMarkdown.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import { besideWriter, commentBody, placeText, writerText } from '../../lists/reviewState/reviewWords.ts';

/** The used part of a comment controller. */
export interface ThreadMaker {
	readonly createCommentThread: vscode.CommentController['createCommentThread'];
}

/** Replies and drafts on one line of a document. */
export interface LineThread {
	/** Stable key within the document. */
	readonly key: string;
	/** In the document, from 0. */
	readonly line: number;
	/** Text for threads of an earlier version, which are never pending. */
	readonly label?: string | undefined;
	readonly replies: ReviewThread | undefined;
	readonly drafts: readonly DraftComment[];
	/** Questions without an answer by others. */
	readonly questions: ReadonlySet<ReviewComment>;
}

interface ShownThread {
	readonly shown: vscode.CommentThread;
	now: LineThread;
	/** Fingerprint of the visible content. */
	appearance: string;
	/** By draft id; an edited comment must stay the same object. */
	drafts: ReadonlyMap<string, vscode.Comment>;
	replies: ReadonlyMap<vscode.Comment, ReviewComment>;
}

/**
 * The editor draws all threads of an opening document before it responds again: some 10 ms for a reply box, and 20 ms
 * for an unfolded thread. So those after the first get both later.
 */
export const completeAtOnce = 30;

/** The threads that one document shows. */
export type DocumentThreads = ReturnType<typeof documentThreads>;

/** `writtenMs`: time of a draft's last change. */
export function documentThreads(
	uri: vscode.Uri,
	maker: () => ThreadMaker,
	writtenMs: (draft: DraftComment) => number | undefined,
) {
	const threads = new Map<string, ShownThread>();
	/** Incomplete threads, and whether they unfold. */
	const later = new Map<string, boolean>();
	const isNewSide = ['after', 'wholeAfter'].includes(placeOfPatchUri(uri)?.view.kind ?? '');

	/** The editor hides whether the user collapsed a thread, so set the state only once. */
	function put(now: LineThread): void {
		const appearance = appearanceOf(now);
		const known = threads.get(now.key);
		if (known?.appearance === appearance) {
			return;
		}
		const before = known?.now.drafts.map((draft) => JSON.stringify(draftAppearance(draft)));
		const drafts = new Map(
			now.drafts.map((draft): readonly [string, vscode.Comment] => {
				const isSame = before?.includes(JSON.stringify(draftAppearance(draft))) === true;
				const same = isSame ? known?.drafts.get(draft.id) : undefined;
				if (same) {
					return [draft.id, same];
				}
				const atMs = writtenMs(draft);
				const comment: vscode.Comment = {
					author: { name: vscode.l10n.t('You') },
					body: draftBody(draft),
					mode: vscode.CommentMode.Preview,
					label: draftLabel(draft),
					contextValue: 'draft',
					...(atMs === undefined ? {} : { timestamp: new Date(atMs) }),
				};
				return [draft.id, comment];
			}),
		);
		const replies = new Map(
			now.replies?.comments.map((comment): readonly [vscode.Comment, ReviewComment] => {
				const isQuestion = now.questions.has(comment);
				const label = besideWriter(comment, isQuestion);
				const shownComment: vscode.Comment = {
					author: { name: writerText(comment.mail) },
					body: commentBody(comment),
					mode: vscode.CommentMode.Preview,
					timestamp: new Date(comment.mail.createdMs),
					...(label === '' ? {} : { label }),
					...(receivedSuggestion(comment.prose) === undefined ? {} : { contextValue: 'suggestion' }),
				};
				return [shownComment, comment];
			}) ?? [],
		);
		const comments = [...replies.keys(), ...drafts.values()];
		const isOpen = now.replies === undefined || (now.label === undefined && isWaiting(now.replies, now.questions));
		const shown = known?.shown ?? begin(now, comments, isOpen || now.drafts.length > 0);
		shown.state = isOpen ? vscode.CommentThreadState.Unresolved : vscode.CommentThreadState.Resolved;
		if (known) {
			shown.comments = comments;
			if (known.now.line !== now.line) {
				shown.range = new vscode.Range(now.line, 0, now.line, 0);
			}
			if (now.label !== undefined && known.now.label !== now.label) {
				shown.label = now.label;
			}
		}
		threads.set(now.key, { shown, now, appearance, drafts, replies });
	}

	function begin(
		{ key, line, label: given, replies, drafts }: LineThread,
		comments: readonly vscode.Comment[],
		isUnfolded: boolean,
	): vscode.CommentThread {
		later.set(key, isUnfolded);
		const shown = maker().createCommentThread(uri, new vscode.Range(line, 0, line, 0), comments);
		const place = replies?.place ?? drafts[0]?.place;
		const removed =
			isNewSide && (place?.kind === 'line' || place?.kind === 'lines') && place.side === 'old'
				? vscode.l10n.t('On removed line {0}', place.line)
				: undefined;
		const label = given ?? removed ?? (replies ? placeText(replies.place, false) : draftPlaceText(drafts[0]));
		shown.canReply = false;
		shown.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
		// Never undefined: screen readers would read "undefined".
		shown.label = label;
		return shown;
	}

	/** Expands pending threads, as VS Code's pull request reviews do. */
	function complete(key: string): void {
		const thread = threads.get(key);
		if (thread) {
			// Reply to an earlier version in its own document.
			thread.shown.canReply = thread.now.label === undefined;
			if (later.get(key) === true) {
				thread.shown.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
			}
		}
		later.delete(key);
	}

	const lineOf = (key: string): number => threads.get(key)?.now.line ?? 0;

	/** Completes threads from the top. False if all are complete. */
	function completeNext(count: number): boolean {
		const next = [...later.keys()].toSorted((one, other) => lineOf(one) - lineOf(other)).slice(0, count);
		next.forEach(complete);
		return next.length > 0;
	}

	function threadOf(comment: vscode.Comment): ShownThread | undefined {
		return [...threads.values()].find(({ drafts }) => [...drafts.values()].includes(comment));
	}

	function draftOf(comment: vscode.Comment): DraftComment | undefined {
		const thread = threadOf(comment);
		return thread?.now.drafts.find(({ id }) => thread.drafts.get(id) === comment);
	}

	return {
		put,
		/** Takes away the threads that are not named. */
		keepOnly(keys: ReadonlySet<string>) {
			for (const [key, { shown }] of threads) {
				if (!keys.has(key)) {
					shown.dispose();
					threads.delete(key);
					later.delete(key);
				}
			}
		},
		completeNext,
		/** Completes those above, too: they would push it down later. False without such a thread. */
		unfold(key: string): boolean {
			const thread = threads.get(key);
			if (thread) {
				completeNext([...later.keys()].filter((each) => lineOf(each) < lineOf(key)).length);
				later.set(key, true);
				complete(key);
			}
			return thread !== undefined;
		},
		/** The line thread behind an editor thread; `undefined` for one that the user just began. */
		lineThreadOf: (thread: vscode.CommentThread) => [...threads.values()].find(({ shown }) => shown === thread)?.now,
		/** The draft that the editor shows as this comment. */
		draftOf,
		/** The reply's comment that the editor shows so. */
		replyOf: (shown: unknown): ReviewComment | undefined =>
			[...threads.values()].flatMap(({ replies }) => [...replies]).find(([comment]) => comment === shown)?.[1],
		/** Drafts with open boxes. */
		edited: (): readonly DraftComment[] =>
			[...threads.values()].flatMap(({ now, drafts }) =>
				now.drafts.filter(({ id }) => drafts.get(id)?.mode === vscode.CommentMode.Editing),
			),
		/** Opens a draft's edit box, or closes it without a change. */
		setEditing(comment: vscode.Comment, isEditing: boolean) {
			const draft = draftOf(comment);
			const thread = threadOf(comment);
			if (draft && thread) {
				comment.mode = isEditing ? vscode.CommentMode.Editing : vscode.CommentMode.Preview;
				comment.body = isEditing ? draft.text : draftBody(draft);
				// The editor looks at a comment again only with the whole list.
				thread.shown.comments = [...thread.shown.comments];
			}
		},
	};
}

/** Fingerprint of a thread's content and line. */
function appearanceOf({ line, label, replies, drafts, questions }: LineThread): string {
	return JSON.stringify([
		line,
		label,
		(replies?.comments ?? []).map((comment) => [
			comment.mail.id,
			comment.index,
			comment.place.kind,
			comment.prose.length,
			questions.has(comment),
		]),
		drafts.map(draftAppearance),
	]);
}

function draftAppearance({ id, text, suggestion, moved }: DraftComment): unknown {
	return [id, text, suggestion?.firstLine, suggestion?.rows, moved?.isChanged];
}

function draftLabel(draft: DraftComment): string {
	if (isOnlyTyped(draft)) {
		return vscode.l10n.t('Typed, not added');
	}
	return draft.moved?.isChanged === true
		? vscode.l10n.t('Draft. These lines changed since v{0}', draft.moved.version)
		: vscode.l10n.t('Draft');
}

/** The suggestion follows the text, as in the mail. Below are the lines of the earlier version, if they changed. */
function draftBody({ text, suggestion, moved }: DraftComment): vscode.MarkdownString {
	return untrustedMarkdown([
		plainMarkdown(text),
		...(suggestion ? [codeBlock(suggestion.rows.join('\n'))] : []),
		...(moved?.isChanged === true
			? [
					plainMarkdown(vscode.l10n.t('On v{0}, not sent:', moved.version)),
					codeBlock(moved.lines.slice(-mostOldLines).join('\n')),
				]
			: []),
	]);
}

const mostOldLines = 12;

/** Target of a draft outside the patch's lines. */
function draftPlaceText(draft: DraftComment | undefined): string {
	switch (draft?.place.kind) {
		case 'file':
			return placeText({ kind: 'file', mailId: 0, file: 0 }, false);
		case 'text':
			return draft.place.part === 'text' ? '' : placeText({ kind: draft.place.part, mailId: 0, line: 0 }, false);
		case 'mail':
			return placeText({ kind: 'general', mailId: 0 }, false);
		case 'lines':
		case undefined:
			return '';
	}
}
