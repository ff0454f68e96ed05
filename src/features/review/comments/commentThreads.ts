import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Event } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { nextTurn, turns } from '@forge-desk/base/timeSlice.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { placeOfPatchUri, type PatchPlace } from '../../../editor/patchDocuments/patchUri.ts';
import { isEmptyDraft, type DraftComment, type DraftPlace } from 'patchmail/review/reviewDraft.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import { watchConnections, type Connection } from '../../../store/connection.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import {
	documentThreads,
	completeAtOnce,
	type DocumentThreads,
	type LineThread,
	type ThreadMaker,
} from './documentThreads.ts';
import {
	commentableRanges,
	filePlace,
	isInThread,
	draftThreads,
	targetPlace,
	patchsetOf,
	readShown,
	type ShownDocument,
	threadsOnDocument,
	type PlacedThread,
} from './documentPlaces.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { RepliesReview } from '../../lists/reviewState/patchsetReviews.ts';
import { failureOfMails, type PatchsetReview as KnownReview } from '../../../store/lists/patchsets/patchsetReview.ts';

/** Threads on an earlier version, on the lines that they were about. */
export interface EarlierThreads {
	/** Currently loaded threads. */
	on(standing: KnownReview, document: ShownDocument): readonly PlacedThread[];
	readonly onDidChange: Event<void>;
}

/** Target of a new comment. */
export interface DraftTarget {
	readonly of: Reviewed;
	readonly place: DraftPlace;
}

/** A visible draft. */
export interface DraftShown {
	readonly of: Reviewed;
	readonly draft: DraftComment;
}

/** A visible comment of a reply. */
export interface ReplyShown {
	readonly of: Reviewed;
	readonly comment: ReviewComment;
}

interface OpenDocument {
	readonly uri: vscode.Uri;
	readonly place: PatchPlace;
	readonly threads: DocumentThreads;
	readonly ending: AbortController;
	/** Needs a redraw. */
	isDue: boolean;
	/** Some comments failed to load. */
	hasFailed: boolean;
	drawing?: Promise<void> | undefined;
	completing?: Promise<void> | undefined;
	/** To the editor's last question for lines. */
	answer?: Promise<unknown>;
	/** Fixed content of the document. */
	shown?: ShownDocument | undefined;
	/** Set when the patchset is found. */
	ref?: PatchsetRef | undefined;
	/** Last loaded review. */
	review?: RepliesReview | undefined;
	standing?: KnownReview;
}

/** A slow forge must not keep the user from writing comments. */
const mostHeldMs = 3000;

/** The editor's host sends the state of a new thread after 100 ms. With it, the editor draws the thread only once. */
const gatheredMs = 110;

/** Threads that the editor draws between two chances for the user. */
const slice = 20;

/** Replies and own drafts as comment threads in open patch documents. */
export type CommentThreads = ReturnType<typeof commentThreads>;

/**
 * Shows comments in open documents; follows accounts, drafts and reviews. `isBeingTyped`: an open box of the editor
 * holds the draft. `maker` exists before the first document opens, so the editor asks it in each round.
 */
export function commentThreads(
	{ connections, reviews, drafts, problems, clock }: ListsContext,
	files: PatchFiles,
	earlier: EarlierThreads | undefined,
	isBeingTyped: (id: string) => boolean,
	maker: () => ThreadMaker,
) {
	const owned = new Disposables();
	const open = new Map<string, OpenDocument>();
	const turn = turns(clock);
	const pause = (ms: number): Promise<void> =>
		new Promise((resolve) => {
			clock.after(ms, resolve);
		});

	function opened(uri: vscode.Uri): void {
		const place = placeOfPatchUri(uri);
		const key = uri.toString();
		if (place && !open.has(key)) {
			const document: OpenDocument = {
				uri,
				place,
				threads: documentThreads(uri, maker, (draft) => {
					const { ref } = document;
					const part = { kind: 'comment', id: draft.id, place: draft.place } as const;
					return ref && drafts.draft(reviewSubject(reviewedOf(place, ref), part))?.atMs;
				}),
				ending: new AbortController(),
				isDue: false,
				hasFailed: false,
			};
			open.set(key, document);
			changed(document);
		}
	}

	function closed(key: string): void {
		const document = open.get(key);
		open.delete(key);
		document?.ending.abort();
		document?.threads.keepOnly(new Set());
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
				if (!isAbort(error)) {
					failed(document, error);
				}
			}
		}
	}

	/** Visible comments stay after a failure. A return to the document retries. */
	function failed(document: OpenDocument, error: unknown): void {
		problems.log(error);
		if (!document.hasFailed) {
			tellBriefly(vscode.l10n.t("Comments on this patch couldn't be loaded. Return to its tab to try again."));
		}
		document.hasFailed = true;
	}

	async function identify(document: OpenDocument, connection: Connection): Promise<ShownDocument | undefined> {
		const shown = document.shown ?? (await readShown(connections, files, document.uri, document.ending.signal));
		document.shown = shown;
		document.ref = patchsetOf(connection, document.place);
		return shown;
	}

	async function draw(document: OpenDocument, signal: AbortSignal): Promise<void> {
		const connection = connections.byKey(document.place.connectionKey);
		if (!connection) {
			document.review = undefined;
			return document.threads.keepOnly(new Set());
		}
		const shown = await identify(document, connection);
		if (!document.ref || !shown) {
			return;
		}
		let failure: unknown;
		try {
			const standing = await connection.reviews.read(document.ref, signal);
			const missing = failureOfMails(standing);
			if (!missing || !document.review) {
				document.review = await reviews.of(standing, signal);
				document.standing = standing;
			}
			// Replies may be missing.
			failure = missing?.error;
		} catch (error) {
			failure = error;
		}
		signal.throwIfAborted();
		const threads = lineThreads(document, shown);
		document.threads.keepOnly(new Set(threads.map(({ key }) => key)));
		for (const each of threads) {
			document.threads.put(each);
			await turn(signal);
		}
		document.threads.completeNext(completeAtOnce);
		document.completing ??= completeRest(document).finally(() => (document.completing = undefined));
		if (failure === undefined) {
			document.hasFailed = false;
		} else {
			failed(document, failure);
		}
	}

	/** One slice after the editor has drawn the last one: in between, it responds to the user. */
	async function completeRest({ threads, ending: { signal } }: OpenDocument): Promise<void> {
		await pause(gatheredMs);
		while (!signal.aborted && threads.completeNext(slice)) {
			await pause(gatheredMs);
			// Its answer follows the drawing.
			await vscode.commands.executeCommand('setContext', 'forge.comments.completing', true);
		}
	}

	/** Drafts on a reply join its thread; others get threads of their own. */
	function lineThreads(document: OpenDocument, shown: ShownDocument): readonly LineThread[] {
		const { review, standing } = document;
		const questions: LineThread['questions'] = review?.open ?? new Set();
		// Drafts of the document's patchset, but for those that a box of the editor holds.
		const all = document.ref ? reviewDraft(drafts, reviewedOf(document.place, document.ref)).comments : [];
		const written = all.filter((draft) => !isEmptyDraft(draft) && !isBeingTyped(draft.id));
		const before = standing ? (earlier?.on(standing, shown) ?? []) : [];
		const placed = [...threadsOnDocument(review?.threads ?? [], shown), ...before];
		const threads = placed.map(({ thread, line, label }): LineThread => ({
			key: thread.key,
			line,
			label,
			replies: thread,
			drafts: label === undefined ? written.filter((draft) => isInThread(draft, thread, shown)) : [],
			questions,
		}));
		const taken = new Set(threads.flatMap((thread) => thread.drafts));
		const left = written.filter((each) => !taken.has(each));
		return [...threads, ...draftThreads(left, shown, questions)];
	}

	/**
	 * The editor takes a document's threads, asks all extensions with comments for lines, and shows those threads after
	 * the last answer. A thread that begins between two such answers is lost, so this answers after the first drawing.
	 */
	async function answerTo(document: OpenDocument, lineCount: number): Promise<vscode.CommentingRanges | undefined> {
		const { drawing, place } = document;
		const connection = connections.byKey(place.connectionKey);
		// Without replies, which may take longer. The drawing reports errors.
		const shown = await (connection && identify(document, connection))?.catch(() => undefined);
		if (drawing) {
			await Promise.race([drawing, pause(mostHeldMs)]);
			await pause(gatheredMs);
		}
		return shown && document.ref
			? {
					enableFileComments: place.view.kind !== 'raw',
					ranges: commentableRanges(shown, lineCount).map(({ start, end }) => new vscode.Range(start, 0, end, 0)),
				}
			: undefined;
	}

	function changedWhere(isMeant: (document: OpenDocument) => boolean): void {
		[...open.values()].filter(isMeant).forEach(changed);
	}

	/** A return to a document retries after a failure. */
	function retryVisible(): void {
		const visible = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
		changedWhere(({ hasFailed, uri }) => hasFailed && visible.has(uri.toString()));
	}

	owned.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => opened(uri)));
	owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => closed(uri.toString())));
	owned.add(vscode.window.onDidChangeVisibleTextEditors(retryVisible));
	owned.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('diffEditor')) {
				open.forEach((document) => (document.shown = undefined));
				changedWhere(() => true);
			}
		}),
	);
	owned.add(vscode.window.onDidChangeWindowState(retryVisible));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review') {
				changedWhere((document) => isOf(document, about.connectionKey, about.ref));
			}
		}),
	);
	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.reviews.onDidChange((ref) => changedWhere((document) => isOf(document, connection.key, ref))),
			],
			() => changedWhere(() => true),
		),
	);
	if (earlier) {
		owned.add(earlier.onDidChange(() => changedWhere(() => true)));
	}
	vscode.workspace.textDocuments.forEach(({ uri }) => opened(uri));
	return {
		/**
		 * Expands a thread, behind all threads that the editor has asked for: those above it move its line. False if the
		 * document is closed or lacks the thread.
		 */
		async unfold(uri: vscode.Uri, key: string): Promise<boolean> {
			const document = open.get(uri.toString());
			await document?.drawing;
			await document?.answer?.then(nextTurn);
			return document?.threads.unfold(key) === true;
		},
		/** Lines of a document that accept comments; `undefined` outside patchsets. */
		ranges(uri: vscode.Uri, lineCount: number): Promise<vscode.CommentingRanges | undefined> {
			opened(uri);
			const document = open.get(uri.toString());
			const answer = document ? answerTo(document, lineCount) : Promise.resolve(undefined);
			if (document) {
				document.answer = answer;
			}
			return answer;
		},
		/** The file of a document; `undefined` if it shows none. */
		fileTarget(uri: vscode.Uri): DraftTarget | undefined {
			const document = open.get(uri.toString());
			const place = document?.shown && filePlace(document.shown);
			return place && document?.ref && { of: reviewedOf(document.place, document.ref), place };
		},
		/** Target of text in the editor's thread; `undefined` for foreign threads. */
		targetOf(thread: vscode.CommentThread): DraftTarget | undefined {
			const document = open.get(thread.uri.toString());
			const place =
				document?.shown &&
				targetPlace(
					document.threads.lineThreadOf(thread),
					thread.range && { start: thread.range.start.line, end: thread.range.end.line },
					document.shown,
				);
			return place && document?.ref && { of: reviewedOf(document.place, document.ref), place };
		},
		draftOf(comment: vscode.Comment): DraftShown | undefined {
			for (const { threads, ref, place } of open.values()) {
				const draft = threads.draftOf(comment);
				if (draft && ref) {
					return { of: reviewedOf(place, ref), draft };
				}
			}
			return undefined;
		},
		/** For any argument of a command. */
		replyOf(shown: unknown): ReplyShown | undefined {
			for (const { threads, ref, place } of open.values()) {
				const comment = threads.replyOf(shown);
				if (comment && ref) {
					return { of: reviewedOf(place, ref), comment };
				}
			}
			return undefined;
		},
		/** Drafts in open edit boxes. */
		edited: (): readonly DraftShown[] =>
			[...open.values()].flatMap(({ threads, ref, place }) =>
				ref ? threads.edited().map((draft) => ({ of: reviewedOf(place, ref), draft })) : [],
			),
		/** Opens a draft's edit box, or closes it without a change. */
		setEditing: (comment: vscode.Comment, isEditing: boolean) =>
			open.forEach(({ threads }) => threads.setEditing(comment, isEditing)),
		dispose() {
			owned.dispose();
			[...open.keys()].forEach(closed);
		},
	};
}

function reviewedOf({ connectionKey }: PatchPlace, ref: PatchsetRef): Reviewed {
	return { connectionKey, ref };
}

function isOf({ place, ref }: OpenDocument, connectionKey: string, other: PatchsetRef): boolean {
	return place.connectionKey === connectionKey && ref?.id === other.id && refText(ref.list) === refText(other.list);
}
