import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify, offer } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ReviewDraft } from '../../../engine/review/reviewDraft.ts';
import { plannedSending, sentOf, withOlder, type Sending } from '../../../engine/review/sending.ts';
import { isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import type { ReviewSubject } from '../../../store/drafts/drafts.ts';
import { keepSending, keptSending } from '../../../store/drafts/keptSending.ts';
import {
	forgetSent,
	forgetUnreadable,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import { settleEdits } from './editMail.ts';
import { sureAddress } from './listAddress.ts';
import { notAddedNow, reviewStanding, type ReplyDesk, type WrittenReview } from './readReview.ts';
import { confirmSending, removeSent, sendInTurn, settled } from './sendInTurn.ts';
import { askToWrap, askWay, confirmPatches, handOver, type HandOver } from './sendWays.ts';
import {
	mailsText,
	notInMailsTexts,
	noSenderText,
	sentBeforeTexts,
	sentSubjects,
	statusText,
	subjectsText,
} from './sendWords.ts';
import { handedOverText, offerAgain, sendWithoutMails, setReviewStatus } from './setReviewStatus.ts';

/** Sends a review or hands its mails over, and reports the outcome. */
export async function sendReview(desk: ReplyDesk, of: Reviewed, signal: AbortSignal): Promise<void> {
	const before = await settle(desk, of, signal);
	const { written: read, isStale } = await readSettled(desk, of, signal);
	if (!read) {
		void notify('error', noSenderText());
		return;
	}
	const written = await withoutDoubts(read);
	const mails = written.rendered.replies.map(({ mail }) => mail);
	if (mails.length === 0) {
		return sendWithoutMails(desk, of, written, before, signal);
	}
	const way = await askWay(desk.mailer, mails, 'prose');
	if (way !== 'git') {
		return giveOut(desk, of, written, { way, isStale }, signal);
	}
	await confirmSending(mails, isStale, [
		...sentBeforeTexts(before),
		...(written.status ? [statusText(written.status)] : []),
		...notInNow(desk, of, written),
	]);
	await sendByGit(desk, of, written, signal);
}

/** Repeats the load until the drafts stay unchanged during it, so that the mails match the documents. */
async function readSettled(
	desk: ReplyDesk,
	of: Reviewed,
	signal: AbortSignal,
): Promise<{ readonly written: WrittenReview | undefined; readonly isStale: () => boolean }> {
	const now = (): string => reviewStanding(desk.drafts, of) + typedNow(desk, of);
	for (;;) {
		const typed = typedNow(desk, of);
		await keepTyped(desk, of);
		const asked = now();
		const written = await readAddressed(desk, of, signal);
		const isOther = written !== undefined && (await settleEdits(desk, of, written));
		// Text typed during a save is only in the documents.
		if (!isOther && now() === asked && typedNow(desk, of) === typed) {
			return { written, isStale: () => now() !== asked };
		}
	}
}

/** Asks the questions about edited mails and returns the final review. */
async function withoutDoubts(written: WrittenReview): Promise<WrittenReview> {
	const { replies } = written.rendered;
	const edited = replies.flatMap(({ mail, edit }) => (edit ? [mail] : []));
	await confirmPatches(edited);
	const wanted = new Map((await askToWrap(edited)).map((mail) => [mail.messageId, mail]));
	const asWanted = replies.map((reply) => ({ ...reply, mail: wanted.get(reply.mail.messageId) ?? reply.mail }));
	return { ...written, rendered: { ...written.rendered, replies: asWanted } };
}

/** Asks for an uncertain list address. Throws `cancelled()` if the user closes the question. */
export async function readAddressed(
	{ reader, connections }: ReplyDesk,
	of: Reviewed,
	signal: AbortSignal,
): Promise<WrittenReview | undefined> {
	const read = (): Promise<WrittenReview | undefined> =>
		withProgress(vscode.l10n.t('Preparing the review…'), signal, (working) => reader.read(of, working));
	const written = await read();
	if (written?.posting !== '') {
		return written;
	}
	await sureAddress(connectionOf(connections, of), of.ref.list, written.named);
	return read();
}

/** Hands the mails over. Only the user knows whether they are out, so the drafts stay until the user discards them. */
async function giveOut(
	desk: ReplyDesk,
	of: Reviewed,
	written: WrittenReview,
	{ way, isStale }: { readonly way: HandOver; readonly isStale: () => boolean },
	signal: AbortSignal,
): Promise<void> {
	const { draft, rendered, status } = written;
	const notIn = notInNow(desk, of, written);
	const question = vscode.l10n.t('Hand over only a part of your review?');
	if (notIn.length > 0 && !(await confirm(question, notIn.join('\n'), vscode.l10n.t('Hand Over the Rest')))) {
		throw cancelled();
	}
	const mails = rendered.replies.map(({ mail }) => mail);
	const done = handedOverText(await handOver(way, mails, desk.clock.nowMs(), isStale), way, status);
	desk.reader.forgetIds(of);
	const text = vscode.l10n.t('{0} Your draft comments are kept. Discard them once the messages are sent.', done);
	void offer('information', text, vscode.l10n.t('Discard Drafts'), async () => {
		try {
			await forgetMails(desk, of, plannedSending(rendered.replies), draft);
			lookAtReviewed(desk, of);
			if (status?.way !== 'api') {
				return;
			}
			if (reviewDraft(desk.drafts, of).status !== status.word) {
				void notify('information', vscode.l10n.t('The status of this review was changed since, so none was set.'));
				return;
			}
			await setReviewStatus(desk, of, status, '', signal);
		} catch (error) {
			void desk.problems.show(error);
		}
	});
}

/** Includes comments typed since the load. */
function notInNow({ drafts }: ReplyDesk, of: Reviewed, written: WrittenReview): readonly string[] {
	return notInMailsTexts({ ...written, notAdded: notAddedNow(drafts, of) });
}

async function sendByGit(desk: ReplyDesk, of: Reviewed, written: WrittenReview, signal: AbortSignal): Promise<void> {
	const { drafts, clock } = desk;
	const { draft, rendered, posting, status } = written;
	const mails = rendered.replies.map(({ mail }) => mail);
	const known = keptSending(drafts, of) ?? [];
	const { sentMails, lists } = connectionOf(desk.connections, of);
	const { now, why, severity } = await sendInTurn(
		desk,
		{ plan: plannedSending(rendered.replies), known },
		mails,
		{
			keep: (next) => keepSending(drafts, of, withOlder(next, known), clock.nowMs()),
			wentOut: (id) => {
				sentMails.wentOut(of.ref.list, id);
				lists.answered(of.ref);
			},
		},
		signal,
	);
	const kept = withOlder(now, known);
	const sent = sentIn(kept);
	const isRemoved = await removeSent(desk, sent.length, () => forgetDone(desk, of, kept, draft));
	if (sent.length < mails.length) {
		const subjects = sentSubjects(mails, sent);
		const text =
			subjects.length === 0
				? vscode.l10n.t('No message was sent. {0} Your drafts are kept.', why)
				: vscode.l10n.t(
						'Only {0} sent: {1}. {2} The other drafts are kept.',
						mailsText(subjects.length),
						subjectsText(subjects),
						why,
					);
		void offerAgain(severity, text, of);
		return;
	}
	lookAtReviewed(desk, of);
	if (isRemoved) {
		const done = vscode.l10n.t('Sent {0} to {1}.', mailsText(sent.length), posting);
		if (status?.way === 'api') {
			return setReviewStatus(desk, of, status, done, signal);
		}
		void notify('information', done);
	}
}

/** A reviewed patchset counts as read, even if its page never opened. */
function lookAtReviewed({ connections, finder }: ReplyDesk, of: Reviewed): void {
	finder.marks.lookAtPatchset(connectionOf(connections, of), of.ref);
}

/**
 * Cleans up after an earlier try: deletes drafts of sent mails and looks for mails in doubt. Returns the number of sent
 * mails. Throws `cancelled()` if the user refuses to send one again.
 */
async function settle(desk: ReplyDesk, of: Reviewed, signal: AbortSignal): Promise<number> {
	const kept = keptSending(desk.drafts, of);
	if (!kept) {
		return 0;
	}
	const { known } = await settled(kept, connectionOf(desk.connections, of), of.ref.list, signal);
	await forgetDone(desk, of, known, reviewDraft(desk.drafts, of));
	return sentIn(known).length;
}

function sentIn(sending: Sending): Sending {
	return sending.filter(({ progress }) => progress.kind === 'sent');
}

async function forgetMails(desk: ReplyDesk, of: Reviewed, mails: Sending, draft: ReviewDraft): Promise<void> {
	const { drafts, mailDrafts } = desk;
	for (const mail of mails) {
		const sent = sentOf(draft, mail);
		for (const { about, text } of textsOf(of, sent)) {
			// A keystroke in a sent comment's document would recreate the draft.
			if (mailDrafts.textOf(about) === text) {
				await mailDrafts.finish(about);
			}
		}
		await forgetSent(drafts, of, sent);
		// Even if its edit is empty.
		await forgetUnreadable(drafts, of, mail.answers);
	}
}

/** Deletes sent drafts and stores the rest of the plan for the next try. */
async function forgetDone(desk: ReplyDesk, of: Reviewed, sending: Sending, draft: ReviewDraft): Promise<void> {
	const sent = sentIn(sending);
	if (sent.length > 0) {
		// A list drops a second mail with the same id. The plan contains the ids of the remaining mails.
		desk.reader.forgetIds(of);
	}
	await forgetMails(desk, of, sent, draft);
	const rest = sending.filter((mail) => !sent.includes(mail));
	await keepSending(desk.drafts, of, rest, desk.clock.nowMs());
}

/** Parts of a review with a document: comments and edited mails. */
function textsOf(
	of: Reviewed,
	{ comments, edits }: ReviewDraft,
): readonly { readonly about: ReviewSubject; readonly text: string }[] {
	return [
		...[...edits].map(([messageId, { text }]) => ({ about: reviewSubject(of, { kind: 'mail', messageId }), text })),
		...comments.map(({ id, place, text }) => ({ about: reviewSubject(of, { kind: 'comment', id, place }), text })),
	];
}

/** Stores the current text of a review's documents, so that the mails include it. */
export async function keepTyped({ drafts, mailDrafts, clock }: ReplyDesk, of: Reviewed): Promise<void> {
	for (const { about, text: known } of textsOf(of, reviewDraft(drafts, of))) {
		const typed = mailDrafts.textOf(about) ?? known;
		// As documents keep their texts.
		const text = typed.trim() === '' ? '' : typed;
		if (text !== known) {
			await drafts.keep(about, { text, atMs: clock.nowMs() });
		}
	}
}

/** Fingerprint of a review's documents, for the sent parts. */
function typedNow({ drafts, mailDrafts }: ReplyDesk, of: Reviewed): string {
	const draft = reviewDraft(drafts, of);
	const sent = textsOf(of, { ...draft, comments: draft.comments.filter((comment) => !isOnlyTyped(comment)) });
	return JSON.stringify(sent.map(({ about }) => mailDrafts.textOf(about) ?? ''));
}
