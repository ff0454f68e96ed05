import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { listKey, type PatchsetRef } from 'sourcehut/port/list.ts';
import { placeOfDocument } from '../../../editor/patchDocuments/patchUri.ts';
import type { ReviewComment, CommentPlace } from 'patchmail/review/reviewComment.ts';
import { threadBeside, type ReadingPlace, type ReviewThread } from 'patchmail/review/reviewThreads.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { shortLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { commentGroups, commentPlaceText, countsOf } from '../../lists/reviewState/commentGroups.ts';
import type { RepliesReview } from '../../lists/reviewState/patchsetReviews.ts';
import { firstLineOf, writerName, questionText } from '../../lists/reviewState/reviewWords.ts';
import { subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import {
	commentSubject,
	mailSubject,
	patchsetSubject,
	type CommentSubject,
	type ListsSubject,
	type PatchFileSubject,
} from '../../lists/subjects/subjects.ts';
import { addressKey, tabAddresses } from '../../../editor/links/tabAddresses.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import type { CommentThreads } from '../comments/commentThreads.ts';
import { patchsetOf, readShown, lineOfPlace, placeOfLine, sideOfDocument } from '../comments/documentPlaces.ts';

/** The heading shares a line with the first comment and must leave room for its words. */
const longestHeading = 32;

/** Where to go from there. */
interface Step {
	readonly by: 1 | -1;
	/** Only unanswered questions. */
	readonly isOfQuestions: boolean;
}

/** Opens comments on their lines, lists them, and goes from one to the next. */
export function commentCommands(parts: ListsContext, editors: CommentEditors): CommandTable {
	async function open(subject: unknown, signal: AbortSignal): Promise<void> {
		const meant = commentSubject(subject);
		if (!meant) {
			return tellBriefly(vscode.l10n.t('Select a comment first.'));
		}
		await show(meant, signal);
	}

	async function show(meant: CommentSubject, signal: AbortSignal): Promise<void> {
		const { connectionKey, list, patchsetId } = meant;
		const ref = { list, id: patchsetId };
		const review = await reviewOf(parts, { connectionKey, ref }, signal);
		const thread = threadOf(review, meant);
		const isShown = thread && (await editors.open({ connectionKey, ref }, { thread, review }, signal));
		if (isShown !== true) {
			// Comments without patch or text, or no longer loaded, open in their mail.
			await vscode.commands.executeCommand('forge.lists.openThread', { ...meant, kind: 'mail' });
		}
	}

	/** From a row of the view, from the document in front, or from the page of a patchset. */
	async function begin(subject: unknown, signal: AbortSignal) {
		const isOfEditor = subject === undefined || placeOfDocument(subject) !== undefined;
		const meant = subjectOrInFront(parts.pages, subject);
		const inFront = isOfEditor ? await editors.inFront(meant, signal) : undefined;
		if (inFront) {
			return inFront;
		}
		const comment = commentSubject(subject);
		if (comment) {
			const { connectionKey, list, patchsetId } = comment;
			const from = (review: RepliesReview) => placeOfKey(review, threadOf(review, comment)?.key);
			return { connectionKey, ref: { list, id: patchsetId }, from };
		}
		const mail = mailSubject(subject);
		const ofMail = mail && parts.connections.byKey(mail.connectionKey)?.lists.knownMail(mail.id)?.patchsetId;
		if (mail && ofMail !== undefined) {
			const place = { kind: 'general', mailId: mail.id } as const;
			const { connectionKey, list } = mail;
			return { connectionKey, ref: { list, id: ofMail }, from: () => ({ place, isAbove: true }) };
		}
		if (meant?.kind === 'patchFile') {
			// A picture has no cursor.
			const { connectionKey, list, patchsetId, mailId, fileIndex } = meant;
			const place = { kind: 'file', mailId, file: fileIndex } as const;
			return { connectionKey, ref: { list, id: patchsetId }, from: () => ({ place, isAbove: true }) };
		}
		const patchset = patchsetSubject(meant);
		return patchset && { ...patchset, from: undefined };
	}

	async function step(subject: unknown, { by, isOfQuestions }: Step, signal: AbortSignal): Promise<void> {
		const walk = await begin(subject, signal);
		if (!walk) {
			return tellBriefly(noPatchsetText());
		}
		const review = await reviewOf(parts, walk, signal);
		const reachable = review.threads.filter(({ place }) => fileOfPlace(place, review) !== undefined);
		const wanted = isOfQuestions
			? reachable.filter(({ comments }) => comments.some((comment) => review.open.has(comment)))
			: reachable;
		const thread = threadBeside(wanted, review.series, { from: walk.from?.(review), by });
		if (!thread) {
			const noQuestion =
				by === 1
					? vscode.l10n.t('No unanswered question after this place.')
					: vscode.l10n.t('No unanswered question before this place.');
			const noComment =
				by === 1
					? vscode.l10n.t('This is the last comment on the patches of this series.')
					: vscode.l10n.t('This is the first comment on the patches of this series.');
			const none = isOfQuestions ? noQuestion : noComment;
			return tellBriefly(
				reachable.length === 0 ? vscode.l10n.t('No reply comments on the patches of this series.') : none,
			);
		}
		const isShown = await editors.open(walk, { thread, review }, signal);
		const found = foundText(thread, isOfQuestions ? review.open : undefined, reachable);
		const unseen = areHidden()
			? vscode.l10n.t('Your setting comments.visible hides comments. {0}', found)
			: vscode.l10n.t('Not shown as text. {0}', found);
		tellBriefly(isShown ? found : unseen);
	}

	async function goTo(subject: unknown, signal: AbortSignal): Promise<void> {
		const walk = await begin(subject, signal);
		if (!walk) {
			return tellBriefly(noPatchsetText());
		}
		const review = await reviewOf(parts, walk, signal);
		if (review.threads.length === 0) {
			return tellBriefly(vscode.l10n.t('No reply comments on this patchset.'));
		}
		const choices = commentGroups(review).flatMap(({ title, threads }) => {
			const rows = threads.flatMap(({ place, comments }) =>
				comments.map((comment) => {
					const isQuestion = review.open.has(comment);
					const facts = [
						...(isQuestion ? [questionText()] : []),
						writerName(comment.mail),
						commentPlaceText(place, review.series.patches),
						shortAge(comment.mail.createdMs, parts.clock.nowMs(), vscode.env.language),
					];
					return {
						label: firstLineOf(comment),
						detail: facts.filter((fact) => fact !== '').join(' · '),
						iconPath: new vscode.ThemeIcon(
							isQuestion ? 'question' : 'comment',
							isQuestion ? new vscode.ThemeColor('charts.yellow') : undefined,
						),
						value: comment,
					};
				}),
			);
			const heading = { label: shortLine(title, longestHeading), kind: vscode.QuickPickItemKind.Separator };
			// The editor makes headings unselectable.
			return [...rows.slice(0, 1).map(({ value }) => ({ ...heading, value })), ...rows];
		});
		const counts = countsOf(review.threads, review).join(' · ');
		const { mail, index } = await choose(vscode.l10n.t('Choose a comment'), choices, counts);
		const { connectionKey, ref } = walk;
		const { id, messageId } = mail;
		const patchsetId = ref.id;
		await show({ kind: 'mail', connectionKey, list: ref.list, id, messageId, patchsetId, comment: index }, signal);
	}

	return {
		'forge.comments.open': open,
		'forge.comments.goTo': goTo,
		'forge.comments.next': (subject, signal) => step(subject, { by: 1, isOfQuestions: false }, signal),
		'forge.comments.previous': (subject, signal) => step(subject, { by: -1, isOfQuestions: false }, signal),
		'forge.comments.nextUnanswered': (subject, signal) => step(subject, { by: 1, isOfQuestions: true }, signal),
		'forge.comments.previousUnanswered': (subject, signal) => step(subject, { by: -1, isOfQuestions: true }, signal),
	};
}

/** From the cache if possible: a step should not wait. */
async function reviewOf(
	{ connections, reviews }: ListsContext,
	{ connectionKey, ref }: { readonly connectionKey: string; readonly ref: PatchsetRef },
	signal: AbortSignal,
): Promise<RepliesReview> {
	const connection = connectionOf(connections, { connectionKey });
	return withProgress(vscode.l10n.t('Loading the comments…'), signal, async (working) =>
		reviews.of(connection.reviews.known(ref) ?? (await connection.reviews.read(ref, working)), working),
	);
}

function threadOf({ threads }: RepliesReview, { id, comment: index }: CommentSubject): ReviewThread | undefined {
	return threads.find(({ comments }) => comments.some(({ mail, ...each }) => mail.id === id && each.index === index));
}

function noPatchsetText(): string {
	return vscode.l10n.t('Open the diff of a patch or select a patchset first.');
}

/** Position of a comment in the view's count, and its first words. */
function foundText(
	{ comments }: ReviewThread,
	open: ReadonlySet<ReviewComment> | undefined,
	reachable: readonly ReviewThread[],
): string {
	const question = open && comments.find((comment) => open.has(comment));
	const comment = question ?? comments[0];
	if (!comment) {
		return '';
	}
	const all = reachable.flatMap((thread) => thread.comments);
	const words = [all.indexOf(comment) + 1, all.length, writerName(comment.mail), firstLineOf(comment)] as const;
	return question
		? vscode.l10n.t('Unanswered question, comment {0} of {1}, by {2}: {3}', ...words)
		: vscode.l10n.t('Comment {0} of {1}, by {2}: {3}', ...words);
}

/** True if the editor shows no comments in its texts. */
function areHidden(): boolean {
	return vscode.workspace.getConfiguration('comments').get('visible') === false;
}

/** The patchset of a comment. */
interface OfPatchset {
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
}

/** A thread in a file that is no text, such as a picture. */
interface UnseenThread extends OfPatchset {
	readonly key: string;
	readonly file: FileOfPatch;
}

interface FileOfPatch {
	readonly mailId: number;
	readonly fileIndex: number;
}

/** Text editors that show patches, as places of comments. */
type CommentEditors = ReturnType<typeof commentEditors>;

export function commentEditors({ connections }: ListsContext, files: PatchFiles, threads: CommentThreads) {
	/** Last opened thread and its position, since several may share a line. */
	let last: { readonly uri: string; readonly line: number; readonly key: string } | undefined;
	/** Last opened thread without a text. Steps start behind it until a text is active. */
	let unseen: UnseenThread | undefined;

	async function goTo({ key, place }: ReviewThread, fileIndex: number, signal: AbortSignal): Promise<boolean> {
		const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		// The active one first: another group may show the same document.
		const addresses = new Set(tabAddresses(input).map(addressKey));
		const { activeTextEditor, visibleTextEditors } = vscode.window;
		const editors = visibleTextEditors
			.filter(({ document }) => addresses.has(addressKey(document.uri)))
			.toSorted((one, other) => Number(other === activeTextEditor) - Number(one === activeTextEditor));
		for (const editor of editors) {
			const { uri } = editor.document;
			const shown = await readShown(connections, files, editor.document.uri, signal);
			const line = shown && lineOfPlace(place, shown);
			const view = shown?.place.view;
			if (shown && view && view.kind !== 'raw' && view.fileIndex === fileIndex && line !== undefined) {
				if (input instanceof vscode.TabInputTextDiff) {
					await vscode.commands.executeCommand(
						sideOfDocument(shown) === 'old'
							? 'workbench.action.compareEditor.focusSecondarySide'
							: 'workbench.action.compareEditor.focusPrimarySide',
					);
				}
				last = { uri: uri.toString(), line, key };
				// Unfold first: threads above the line push it down. The centre leaves room for the thread below it.
				const isUnfolded = await threads.unfold(uri, key);
				editor.selection = new vscode.Selection(line, 0, line, 0);
				editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
				return isUnfolded && !areHidden();
			}
		}
		return false;
	}

	return {
		/**
		 * Patchset of the active editor and the cursor's place in it; `undefined` for other documents. `front`: what is in
		 * front without a cursor.
		 */
		async inFront(
			front: ListsSubject | undefined,
			signal: AbortSignal,
		): Promise<(OfPatchset & { readonly from: (review: RepliesReview) => ReadingPlace | undefined }) | undefined> {
			const editor = vscode.window.activeTextEditor;
			if (!editor && unseen && isStillThere(unseen, front)) {
				const { key, ...of } = unseen;
				return { ...of, from: (review) => placeOfKey(review, key) };
			}
			const shown = editor && (await readShown(connections, files, editor.document.uri, signal));
			const connection = connections.byKey(shown?.place.connectionKey ?? '');
			if (!shown || !connection) {
				return undefined;
			}
			const ref = patchsetOf(connection, shown.place);
			const { line } = editor.selection.active;
			const key = last?.uri === editor.document.uri.toString() && last.line === line ? last.key : undefined;
			return (
				ref && {
					connectionKey: connection.key,
					ref,
					from: (review) => placeOfKey(review, key) ?? placeOfLine(line, shown),
				}
			);
		},
		/** Opens the thread's diff at its line, unfolded. False without a diff or a text, as for a picture. */
		async open(
			{ connectionKey, ref }: OfPatchset,
			{ thread, review }: { readonly thread: ReviewThread; readonly review: RepliesReview },
			signal: AbortSignal,
		) {
			const file = fileOfPlace(thread.place, review);
			if (!file) {
				return false;
			}
			const subject: PatchFileSubject = {
				kind: 'patchFile',
				connectionKey,
				list: ref.list,
				patchsetId: ref.id,
				...file,
				...(thread.place.kind === 'line' ? { at: thread.place.end } : {}),
			};
			await vscode.commands.executeCommand('forge.patchsets.openDiff', subject);
			const isShown = await goTo(thread, file.fileIndex, signal);
			unseen = isShown ? undefined : { connectionKey, ref, key: thread.key, file };
			return isShown;
		},
	};
}

/** False after the user went to another page or picture. The two sides of a changed picture have no known subject. */
function isStillThere({ connectionKey, ref, file }: UnseenThread, front: ListsSubject | undefined): boolean {
	if (front && front.connectionKey !== connectionKey) {
		return false;
	}
	switch (front?.kind) {
		case 'patchset':
			return front.ref.id === ref.id && listKey(front.ref.list) === listKey(ref.list);
		case 'patchFile':
			return front.mailId === file.mailId && front.fileIndex === file.fileIndex;
		case 'list':
		case 'mail':
			return false;
		case undefined:
			return true;
	}
}

function placeOfKey({ threads }: RepliesReview, key: string | undefined): ReadingPlace | undefined {
	const known = threads.find((thread) => thread.key === key);
	return known && { place: known.place, isAbove: false };
}

/** The file whose diff contains a comment; `undefined` without one. */
function fileOfPlace(place: CommentPlace, { series: { patches } }: RepliesReview): FileOfPatch | undefined {
	if (place.kind === 'elsewhere' || place.kind === 'cover') {
		return undefined;
	}
	const fileIndex = place.kind === 'line' || place.kind === 'file' ? place.file : 0;
	const patch = patches.find(({ mail }) => mail.id === place.mailId);
	return patch?.patch.diff.files[fileIndex] ? { mailId: patch.mail.id, fileIndex } : undefined;
}
