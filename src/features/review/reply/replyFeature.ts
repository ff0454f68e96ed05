import * as vscode from 'vscode';
import { previewText } from './reviewTexts.ts';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { cancelled, choose, confirmForGoodOrCancel, type Choice } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { followedDocuments } from '../../../editor/documents/followedDocuments.ts';
import { mailsInLanguage } from '../../../editor/documents/mailDrafts.ts';
import { reviewTrailers, type ReviewTrailer } from 'patchmail/review/reviewDraft.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { withGitErrors, type ListsContext } from '../../lists/context/listsContext.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { watchConnections, type Connection } from '../../../store/connection.ts';
import { putDraft, type DraftEntry, type Drafts, type ReviewSubject } from '../../../store/drafts/drafts.ts';
import { settleMoves } from '../../../store/drafts/movedDrafts.ts';
import {
	keptSending,
	reviewDraft,
	reviewKey,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import { suggestionCommands } from './applySuggestion.ts';
import type { PatchsetProtocol } from '../../../pages/protocol/patchsetProtocol.ts';
import type { CommentThreads } from '../comments/commentThreads.ts';
import { draftCountTexts } from '../../lists/reviewState/draftCounts.ts';
import { documentInFront, givenSubject, subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import { madeMailOfUri, reviewOfUri, reviewUri } from '../../lists/subjects/reviewUri.ts';
import { commentBoxes, type TypedComments } from './commentBoxes.ts';
import { editMail } from './editMail.ts';
import { moveCommands } from './moveDrafts.ts';
import { reviewReader, type ReplyContext } from './readReview.ts';
import { thrownText, type MailOrigin } from '../../lists/send/sendInTurn.ts';
import { oneSending } from '../../lists/send/sendMails.ts';
import { askReviewStatus, keepTyped, readAddressed, reviewOrigin, sendReview } from './sendReview.ts';
import { noSenderText } from '../../lists/send/sendWords.ts';
import { mailCommands } from '../../lists/send/writeMail.ts';

/** Replies and reviews. */
export function replyFeature(parts: ListsContext, threads: CommentThreads, typed: TypedComments) {
	const owned = new Disposables();
	const context = { ...parts, reader: reviewReader(parts) };
	const commands = withGitErrors(parts, {
		...commentBoxes(parts, threads, typed),
		...suggestionCommands(parts, threads),
		...reviewCommands(context),
		...moveCommands(context),
		...mailCommands(context),
	});
	// Of a window that was killed during a move.
	settleMoves(parts.drafts, parts.clock.nowMs()).catch(parts.problems.log);
	return {
		/** Previews of reviews, `forge-review:`. */
		previews: owned.add(reviewPreview(context)),
		commands,
		/** Of queued mails. */
		originOf: (connection: Connection, of: Reviewed): MailOrigin =>
			reviewOrigin(context, connection, of, reviewDraft(parts.drafts, of), refText(of.ref.list)),
		dispose: () => owned.dispose(),
	};
}

/** Commands on review drafts. From the palette each asks for the patchset, drafts first. */
function reviewCommands(parts: ReplyContext): CommandTable {
	const inTurn = oneSending();
	return {
		'forge.review.preview': async (subject, signal) => {
			const of = await begunTarget(parts, subject, signal);
			await showDocument(reviewUri(of), { preview: true });
		},
		'forge.review.editMail': async (subject, signal) => {
			const of = await begunTarget(parts, subject, signal);
			await keepTyped(parts, of);
			const written = await readAddressed(parts, of, signal);
			if (!written) {
				void notify('error', noSenderText());
				return;
			}
			await editMail(parts, of, written);
		},
		'forge.review.send': async (subject, signal) => {
			const of = await begunTarget(parts, subject, signal);
			await inTurn(String(reviewUri(of)), () => sendReview(parts, of, signal));
		},
		'forge.review.setTrailer': async (subject, signal) => {
			const of = await reviewTarget(parts, subject, signal);
			const { drafts, clock } = parts;
			const ids = await askMails(parts, of, givenMail(subject), true, signal);
			const none = vscode.l10n.t('None');
			const chosen = await choose<ReviewTrailer | 'none'>(vscode.l10n.t('Choose a trailer'), [
				...reviewTrailers.map((trailer): Choice<ReviewTrailer> => ({ label: trailer, value: trailer })),
				{ label: none, value: 'none' },
			]);
			for (const messageId of ids) {
				const about = reviewSubject(of, { kind: 'trailer', messageId });
				await putDraft(drafts, about, chosen === 'none' ? '' : chosen, clock.nowMs());
			}
			tellBriefly(chosen === 'none' ? vscode.l10n.t('Trailer removed') : vscode.l10n.t('Draft saved: {0}', chosen));
		},
		'forge.review.setStatus': async (subject, signal) =>
			askReviewStatus(parts, await reviewTarget(parts, subject, signal), signal),
		'forge.review.comment': async (subject, signal) => {
			const isPage = subject === undefined && !documentInFront();
			const page = isPage ? parts.pages.front<PatchsetProtocol>('forge.patchset') : undefined;
			if (page) {
				page.tell('write', 'comment');
				return;
			}
			const of = await reviewTarget(parts, subject, signal);
			const [messageId] = await askMails(parts, of, givenMail(subject), false, signal);
			if (messageId !== undefined) {
				const place = { kind: 'mail', messageId } as const;
				await parts.mailDrafts.open(reviewSubject(of, { kind: 'comment', id: parts.newName(), place }));
			}
		},
		// The editor's own box, on the line of the cursor.
		'forge.review.commentOnLine': async () => {
			await vscode.commands.executeCommand('workbench.action.addComment');
		},
		'forge.review.discard': async (subject, signal) => discardReview(parts, await begunTarget(parts, subject, signal)),
	};
}

/** The review of the row, document or page, else one with drafts. */
async function reviewTarget(parts: ReplyContext, subject: unknown, signal: AbortSignal): Promise<Reviewed> {
	return (await begunReview(parts, subject)) ?? patchsetTarget(parts, subject, signal);
}

/** The same for a command that needs drafts. A list of all patchsets would not lead to a review. */
async function begunTarget(parts: ReplyContext, subject: unknown, signal: AbortSignal): Promise<Reviewed> {
	const begun = await begunReview(parts, subject);
	if (!begun && subjectOrInFront(parts.pages, subject) === undefined) {
		void notify(
			'information',
			vscode.l10n.t('You have no draft review. Open a patchset and comment on a line of its diff.'),
		);
		throw cancelled();
	}
	return begun ?? patchsetTarget(parts, subject, signal);
}

/** Without a row, document or page: the review with drafts, or the one that the user chooses. */
async function begunReview(parts: ReplyContext, subject: unknown): Promise<Reviewed | undefined> {
	if (subjectOrInFront(parts.pages, subject) !== undefined) {
		return undefined;
	}
	// Of signed-in accounts, the last written first.
	const each = new Map<string, Reviewed>();
	for (const { about } of parts.drafts.all()) {
		const isBegun = about.kind === 'review' && about.part.kind !== 'sending' && about.part.kind !== 'movedFrom';
		if (isBegun && parts.connections.byKey(about.connectionKey)) {
			const key = reviewKey(about);
			each.set(key, each.get(key) ?? about);
		}
	}
	const begun = [...each.values()];
	return begun.length > 1
		? choose(
				vscode.l10n.t('Choose a review'),
				begun.map((of): Choice<Reviewed> => {
					const { lists } = connectionOf(parts.connections, of);
					const known = lists.knownPatchset(of.ref);
					return {
						label: known ? visibleLine(known.subject) : `#${firstMailOfFormed(of.ref.id) ?? of.ref.id}`,
						description: visibleLine(refText(of.ref.list)),
						detail: draftCountTexts(parts.draftCounts.of(of)).join(' · '),
						value: of,
					};
				}),
			)
		: begun[0];
}

/** The patch or cover letter under the command. */
function givenMail(subject: unknown): number | undefined {
	const meant = givenSubject(subject ?? documentInFront());
	switch (meant?.kind) {
		case 'mail':
			return meant.id;
		case 'patchFile':
			return meant.mailId;
		case 'list':
		case 'patchset':
		case undefined:
			return undefined;
	}
}

/** Message-IDs of the given mail, else of the user's choice in the series. `hasEach`: offers all patches together. */
async function askMails(
	{ connections }: ReplyContext,
	of: Reviewed,
	given: number | undefined,
	hasEach: boolean,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const { reviews } = connectionOf(connections, of);
	const { series } = await withProgress(vscode.l10n.t('Loading patches…'), signal, (working) =>
		reviews.read(of.ref, working),
	);
	const { cover, patches } = series;
	const mails = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
	const known = mails.length === 1 ? mails[0] : mails.find(({ id }) => id === given);
	if (known) {
		return [known.messageId];
	}
	const all = patches.map(({ mail }) => mail.messageId);
	return choose<readonly string[]>(vscode.l10n.t('Choose a patch'), [
		...(cover ? [{ label: vscode.l10n.t('Series (cover letter)'), value: [cover.messageId] }] : []),
		...(hasEach && all.length > 1 ? [{ label: vscode.l10n.t('Each patch'), value: all }] : []),
		...patches.map(({ mail, patch, index }) => ({
			label: `${index} ${visibleLine(patch.subject)}`,
			value: [mail.messageId],
		})),
	]);
}

const kindsWithDocument: ReadonlySet<ReviewSubject['part']['kind']> = new Set(['comment', 'suggestedFile', 'mail']);

/** Deletes all drafts of a review after a confirmation with their counts. */
async function discardReview(parts: ReplyContext, of: Reviewed): Promise<void> {
	const { drafts, mailDrafts, reader } = parts;
	const entries = entriesOf(drafts, of);
	if (entries.length === 0) {
		void notify('information', vscode.l10n.t('No drafts to discard.'));
		return;
	}
	const isUnsure = keptSending(drafts, of)?.some(
		({ progress }) => progress.kind === 'unsure' || progress.kind === 'underWay',
	);
	await confirmForGoodOrCancel(
		vscode.l10n.t('Discard your review of this patchset?'),
		isUnsure === true
			? vscode.l10n.t(
					"These are removed: {0}. A message of them may have been sent already. This can't be undone.",
					writtenText(parts, of),
				)
			: vscode.l10n.t("These are removed: {0}. They were not sent. This can't be undone.", writtenText(parts, of)),
		vscode.l10n.t('Discard'),
	);
	for (const entry of entries) {
		await drafts.forget(entry);
	}
	for (const { about } of entries.filter((each) => kindsWithDocument.has(each.about.part.kind))) {
		// A keystroke in an open document would restore the whole draft.
		await mailDrafts.finish(about);
	}
	reader.forgetIds(of);
}

/** Counts of all drafts of a review, in words. */
function writtenText({ drafts, draftCounts }: ReplyContext, of: Reviewed): string {
	const { comments, edits } = reviewDraft(drafts, of);
	const typed = comments.filter(isOnlyTyped).length;
	const files = new Set(
		entriesOf(drafts, of).flatMap(({ about: { part } }) => (part.kind === 'suggestedFile' ? [part.document] : [])),
	).size;
	const texts = [
		...draftCountTexts(draftCounts.of(of)),
		...(typed === 0 ? [] : [vscode.l10n.t('comments that were typed and not added: {0}', typed)]),
		...(edits.size === 0 ? [] : [vscode.l10n.t('edited messages: {0}', edits.size)]),
		...(files === 0 ? [] : [vscode.l10n.t('files that you were changing: {0}', files)]),
	];
	return texts.length === 0 ? vscode.l10n.t('notes on what was sent') : texts.join(', ');
}

interface ReviewEntry extends DraftEntry {
	readonly about: ReviewSubject;
}

/** All drafts of a review, from all windows. */
function entriesOf(drafts: Drafts, of: Reviewed): readonly ReviewEntry[] {
	return drafts
		.all()
		.flatMap(({ about, draft }) => (about.kind === 'review' && isSame(about, of) ? [{ about, draft }] : []));
}

/** Read-only file system `forge-review:`. A document follows its review and always shows the mails to send. */
function reviewPreview({ connections, drafts, reader, ready, problems }: ReplyContext) {
	const owned = new Disposables();
	const documents = owned.add(followedDocuments<Reviewed>(reviewOfUri, text));

	async function text(of: Reviewed | undefined, uri: vscode.Uri, signal: AbortSignal): Promise<string> {
		if (!of) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		await ready();
		try {
			const review = await reader.read(of, signal);
			if (!review) {
				return noSenderText();
			}
			const answered = madeMailOfUri(uri);
			return answered === undefined
				? previewText(review)
				: (review.rendered.replies.find((reply) => reply.answered.messageId === answered)?.madeFrom.text ?? '');
		} catch (error) {
			problems.log(error);
			throw isForgeError(error) && error.problem.kind === 'notFound'
				? vscode.FileSystemError.FileNotFound(uri)
				: vscode.FileSystemError.Unavailable(thrownText(problems, error));
		}
	}

	owned.add(mailsInLanguage((uri) => reviewOfUri(uri) !== undefined));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && about.part.kind !== 'sending') {
				documents.tell((of) => isSame(of, about));
			}
		}),
	);
	owned.add(
		watchConnections(
			connections,
			({ key, reviews, listChoices }) => [
				listChoices.onDidChange((list) =>
					documents.tell(({ connectionKey, ref }) => connectionKey === key && refText(ref.list) === refText(list)),
				),
				reviews.onDidChange((ref) => documents.tell((of) => isSame(of, { connectionKey: key, ref }))),
			],
			() => documents.tell(() => true),
		),
	);
	return { ...documents, dispose: () => owned.dispose() };
}

function isSame(one: Reviewed, other: Reviewed): boolean {
	return reviewKey(one) === reviewKey(other);
}
