import { refText } from '../../../forge/namedRef.ts';
import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Event } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { turns } from '../../../base/timeSlice.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import { placeOfPatchUri, type PatchPlace } from '../../../patchDocuments/patchUri.ts';
import type { ReviewComment } from '../../../review/reviewComment.ts';
import { isWaiting, type ReviewThread } from '../../../review/reviewThreads.ts';
import type { PatchsetReview as KnownReview } from '../../../state/lists/review/patchsetReview.ts';
import { watchConnections } from '../../../state/connection.ts';
import type { PatchsetReviews } from './patchsetReviews.ts';
import { besideWriter, commentBody, placeText, writerText } from './reviewWords.ts';
import { patchsetOf, readShown, type ShownDocument, type ShownDocumentParts } from './shownDocument.ts';
import { threadsOnDocument, type PlacedThread } from './threadsOnDocument.ts';

/** What shows threads in documents. */
export type ThreadMaker = Pick<vscode.CommentController, 'createCommentThread'>;

export interface CommentThreadsParts extends ShownDocumentParts {
	readonly reviews: PatchsetReviews;
	readonly problems: Pick<Problems, 'log'>;
	readonly clock: Clock;
	/** Called when there is a first thread: the editor shows a panel for comments from then on. */
	readonly maker: () => ThreadMaker;
	/** What was said of an earlier version. */
	readonly earlier?: EarlierThreads;
}

/** Threads on an earlier version, on the lines that they were about. */
export interface EarlierThreads {
	/** Those that are known now. */
	on(standing: KnownReview, document: ShownDocument): readonly PlacedThread[];
	readonly onDidChange: Event<void>;
}

/** The replies to patches, as comment threads in the documents of patches that are open. */
export interface CommentThreads extends Disposable {
	/** Unfolds a thread once it is there. Resolves where the document is not open or has no such thread. */
	unfold(uri: vscode.Uri, key: string): Promise<void>;
}

interface OpenDocument {
	readonly uri: vscode.Uri;
	readonly place: PatchPlace;
	readonly threads: Map<string, ShownThread>;
	readonly ending: AbortController;
	/** Something may be different from what is shown. */
	isDue: boolean;
	drawing: Promise<void> | undefined;
	/** What the document shows, which stays. */
	shown: ShownDocument | undefined;
	/** The patchset, once it is known. */
	ref: PatchsetRef | undefined;
}

interface ShownThread {
	readonly thread: vscode.CommentThread;
	/** What it shows, to tell whether something is different. */
	look: string;
}

/** Follows the documents that are open, the accounts, and what is known of patchsets. */
export function commentThreads(parts: CommentThreadsParts): CommentThreads {
	const { connections, reviews, problems, clock } = parts;
	const owned = new Disposables();
	const open = new Map<string, OpenDocument>();
	const turn = turns(clock);

	function opened({ uri }: Pick<vscode.TextDocument, 'uri'>): void {
		const place = placeOfPatchUri(uri);
		const key = uri.toString();
		if (place && !open.has(key)) {
			const document: OpenDocument = {
				uri,
				place,
				threads: new Map(),
				ending: new AbortController(),
				isDue: false,
				drawing: undefined,
				shown: undefined,
				ref: undefined,
			};
			open.set(key, document);
			changed(document);
		}
	}

	function closed(key: string): void {
		const document = open.get(key);
		open.delete(key);
		document?.ending.abort();
		if (document) {
			clear(document);
		}
	}

	function changed(document: OpenDocument): void {
		document.isDue = true;
		document.drawing ??= drawAll(document).finally(() => (document.drawing = undefined));
	}

	async function drawAll(document: OpenDocument): Promise<void> {
		const { signal } = document.ending;
		while (document.isDue && !signal.aborted) {
			document.isDue = false;
			try {
				await draw(document, signal);
			} catch (error) {
				// What is shown stays: it was said, whatever else cannot be read now.
				if (!isAbort(error)) {
					problems.log(error);
				}
			}
		}
	}

	async function draw(document: OpenDocument, signal: AbortSignal): Promise<void> {
		const connection = connections.byKey(document.place.connectionKey);
		if (!connection) {
			return clear(document);
		}
		const shown = (document.shown ??= await readShown(parts, document.uri, signal));
		document.ref = patchsetOf(connection, document.place);
		if (!document.ref || !shown) {
			return;
		}
		const standing = await connection.reviews.read(document.ref, signal);
		if (document.threads.size > 0 && standing.failures.some(({ part }) => part !== 'versions')) {
			// What cannot be loaded again was said all the same.
			return;
		}
		const review = await reviews.of(standing, signal);
		const placed = [...threadsOnDocument(review.threads, shown), ...(parts.earlier?.on(standing, shown) ?? [])];
		const keys = new Set(placed.map(({ thread }) => thread.key));
		for (const [key, { thread }] of document.threads) {
			if (!keys.has(key)) {
				thread.dispose();
				document.threads.delete(key);
			}
		}
		for (const each of placed) {
			put(document, each, review.open);
			await turn(signal);
		}
	}

	/** Whether somebody has folded a thread only the editor knows, so that is decided once. */
	function put(document: OpenDocument, placed: PlacedThread, questions: ReadonlySet<ReviewComment>): void {
		const { thread } = placed;
		const look = lookOf(thread, questions);
		const known = document.threads.get(thread.key);
		if (known?.look === look) {
			return;
		}
		const comments = thread.comments.map((comment) => shownComment(comment, questions.has(comment)));
		const isOpen = placed.label === undefined && isWaiting(thread, questions);
		const shown = known?.thread ?? begin(document.uri, placed, comments, isOpen);
		shown.state = isOpen ? vscode.CommentThreadState.Unresolved : vscode.CommentThreadState.Resolved;
		if (known) {
			known.look = look;
			shown.comments = comments;
		} else {
			document.threads.set(thread.key, { thread: shown, look });
		}
	}

	/** What waits for somebody is unfolded, as the editor's own reviews of pull requests have it. */
	function begin(
		uri: vscode.Uri,
		{ thread, line, label: given }: PlacedThread,
		comments: readonly vscode.Comment[],
		isUnfolded: boolean,
	): vscode.CommentThread {
		const shown = parts.maker().createCommentThread(uri, new vscode.Range(line, 0, line, 0), comments);
		const label = given ?? placeText(thread.place, false);
		shown.canReply = false;
		shown.collapsibleState = isUnfolded
			? vscode.CommentThreadCollapsibleState.Expanded
			: vscode.CommentThreadCollapsibleState.Collapsed;
		if (label !== '') {
			shown.label = label;
		}
		return shown;
	}

	function clear({ threads }: OpenDocument): void {
		threads.forEach(({ thread }) => thread.dispose());
		threads.clear();
	}

	function changedWhere(isMeant: (document: OpenDocument) => boolean): void {
		[...open.values()].filter(isMeant).forEach(changed);
	}

	owned.add(vscode.workspace.onDidOpenTextDocument(opened));
	owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => closed(uri.toString())));
	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.reviews.onDidChange((ref) =>
					changedWhere(({ place, ref: own }) => place.connectionKey === connection.key && isSame(own, ref)),
				),
			],
			() => changedWhere(() => true),
		),
	);
	if (parts.earlier) {
		owned.add(parts.earlier.onDidChange(() => changedWhere(() => true)));
	}
	vscode.workspace.textDocuments.forEach(opened);
	return {
		async unfold(uri, key) {
			const document = open.get(uri.toString());
			await document?.drawing;
			const shown = document?.threads.get(key);
			if (shown) {
				shown.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
			}
		},
		dispose() {
			owned.dispose();
			[...open.keys()].forEach(closed);
		},
	};
}

/** The same text as long as a thread says the same. */
function lookOf({ comments }: ReviewThread, questions: ReadonlySet<ReviewComment>): string {
	return JSON.stringify(
		comments.map((comment) => [comment.mail.id, comment.index, comment.prose.length, questions.has(comment)]),
	);
}

function shownComment(comment: ReviewComment, isQuestion: boolean): vscode.Comment {
	const label = besideWriter(comment, isQuestion);
	return {
		author: { name: writerText(comment.mail) },
		body: commentBody(comment),
		mode: vscode.CommentMode.Preview,
		timestamp: new Date(comment.mail.createdMs),
		...(label === '' ? {} : { label }),
	};
}

function isSame(one: PatchsetRef | undefined, other: PatchsetRef): boolean {
	return one !== undefined && one.id === other.id && refText(one.list) === refText(other.list);
}
