import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify } from '../../../editor/ask/notify.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { plannedSending, sentOf, withOlder, type Sending } from '../../../engine/review/sending.ts';
import { sendingText } from '../../../store/drafts/keptSending.ts';
import {
	forgetSent,
	forgetUnreadable,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import {
	keptSending,
	notAddedNow,
	reviewStanding,
	type NotWritable,
	type ReadReviewParts,
	type ReviewReader,
	type WrittenReview,
} from './readReview.ts';
import { subjectOfReview } from '../subjects/reviewUri.ts';
import { settleEdits } from './editMail.ts';
import { sureAddress } from './listAddress.ts';
import { askToWrap, confirmPatches } from './ownTexts.ts';
import { confirmSending, removeSent, sendInTurn, settled, type WhyNotSent } from './sendInTurn.ts';
import { askWay, handOver, type HandOver } from './sendWays.ts';
import { handedOverText, sendWithoutMails, setReviewStatus, type ReviewStatusParts } from './setReviewStatus.ts';
import type { Standing } from './standing.ts';
import { keepTyped, textsOf, typedNow } from './typedMails.ts';
import {
	mailsText,
	notInMailsTexts,
	noSenderText,
	sentBeforeTexts,
	sentSubjects,
	statusText,
	subjectsText,
} from './sendWords.ts';

export interface SendReviewParts extends ReadReviewParts, ReviewStatusParts {
	readonly reader: ReviewReader;
	readonly problems: Problems;
	/** Documents for mails and comments. */
	readonly mailDrafts: MailDraftDocuments;
}

/** Sends a review or hands its mails over, and reports the outcome. */
export async function sendReview(parts: SendReviewParts, of: Reviewed, signal: AbortSignal): Promise<void> {
	const before = await settle(parts, of, signal);
	const { written: read, standing } = await readSettled(parts, of, signal);
	if ('kind' in read) {
		void notify('error', noSenderText());
		return;
	}
	const written = await withoutDoubts(read);
	const mails = written.rendered.replies.map(({ mail }) => mail);
	if (mails.length === 0) {
		return sendWithoutMails(parts, of, { written, before }, signal);
	}
	const way = await askWay(parts.mailer, mails, 'prose');
	await (way === 'git'
		? sendByGit(parts, of, { ...written, standing, before }, signal)
		: giveOut(parts, of, { written, standing, way }, signal));
}

interface StandingReview {
	readonly written: WrittenReview | NotWritable;
	readonly standing: Standing;
}

/** Repeats the load until the drafts stay unchanged during it, so that the mails match the documents. */
async function readSettled(parts: SendReviewParts, of: Reviewed, signal: AbortSignal): Promise<StandingReview> {
	const now = (): string => reviewStanding(parts.drafts, of) + typedNow(parts, of);
	for (;;) {
		const typed = typedNow(parts, of);
		await keepTyped(parts, of);
		const asked = now();
		const written = await readAddressed(parts, of, signal);
		const isOther = !('kind' in written) && (await settleEdits(parts, of, written));
		// Text typed during a save is only in the documents.
		if (!isOther && now() === asked && typedNow(parts, of) === typed) {
			return { written, standing: { asked, now } };
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
	{ reader, connections }: Pick<SendReviewParts, 'reader' | 'connections'>,
	of: Reviewed,
	signal: AbortSignal,
): ReturnType<ReviewReader['read']> {
	const read = (): ReturnType<ReviewReader['read']> =>
		withProgress(vscode.l10n.t('Preparing the review…'), signal, (working) => reader.read(of, working));
	const written = await read();
	if ('kind' in written || written.posting !== '') {
		return written;
	}
	await sureAddress(connectionOf(connections, of), of.ref, written.named);
	return read();
}

/** Hands the mails over. Only the user knows whether they are out, so the drafts stay until the user discards them. */
async function giveOut(
	parts: SendReviewParts,
	of: Reviewed,
	{
		written,
		standing,
		way,
	}: Pick<StandingReview, 'standing'> & { readonly written: WrittenReview; readonly way: HandOver },
	signal: AbortSignal,
): Promise<void> {
	const notIn = notInNow(parts, of, written);
	if (
		notIn.length > 0 &&
		!(await confirm(
			vscode.l10n.t('Hand over only a part of your review?'),
			notIn.join('\n'),
			vscode.l10n.t('Hand Over the Rest'),
		))
	) {
		throw cancelled();
	}
	const done = await handOver(
		way,
		written.rendered.replies.map(({ mail }) => mail),
		{ nowMs: parts.clock.nowMs(), standing },
	);
	parts.reader.forgetIds(of);
	void afterHandOver(parts, of, { written, done: handedOverText(done, way, written.status) }, signal);
}

/** Not awaited: the notice may stay open for hours. */
async function afterHandOver(
	parts: SendReviewParts,
	of: Reviewed,
	{ written: { draft, rendered, status }, done }: { readonly written: WrittenReview; readonly done: string },
	signal: AbortSignal,
): Promise<void> {
	const discard = vscode.l10n.t('Discard Drafts');
	const text = vscode.l10n.t('{0} Your draft comments are kept. Discard them once the messages are sent.', done);
	if ((await notify('information', text, discard)) === discard) {
		const plan = plannedSending(rendered.replies);
		try {
			await forgetMails(parts, of, plan, draft);
			lookAtReviewed(parts, of);
			if (status?.way !== 'api') {
				return;
			}
			if (reviewDraft(parts.drafts, of).status !== status.word) {
				void notify('information', vscode.l10n.t('The status of this review was changed since, so none was set.'));
				return;
			}
			await setReviewStatus(parts, { of, status, done: '' }, signal);
		} catch (error) {
			void parts.problems.show(error);
		}
	}
}

/** Includes comments typed since the load. */
function notInNow(
	{ drafts }: SendReviewParts,
	of: Reviewed,
	{ rendered, hasUnread }: WrittenReview,
): readonly string[] {
	return notInMailsTexts({ rendered, hasUnread, notAdded: notAddedNow(drafts, of) });
}

async function sendByGit(
	parts: SendReviewParts,
	of: Reviewed,
	written: WrittenReview & { readonly standing: Standing; readonly before: number },
	signal: AbortSignal,
): Promise<void> {
	const { drafts } = parts;
	const { draft, rendered, posting, status, standing, before } = written;
	const all = rendered.replies.map(({ mail }) => mail);
	await confirmSending(all, standing, [
		...sentBeforeTexts(before),
		...(status ? [statusText(status)] : []),
		...notInNow(parts, of, written),
	]);
	const plan = plannedSending(rendered.replies);
	const known = keptSending(drafts, of) ?? [];
	const keep = (now: Sending): Promise<void> =>
		drafts.keep(reviewSubject(of, { kind: 'sending' }), {
			text: sendingText(withOlder(now, known)),
			atMs: parts.clock.nowMs(),
		});
	const { sentMails, lists } = connectionOf(parts.connections, of);
	const wentOut = (id: string): void => {
		sentMails.wentOut(of.ref, id);
		lists.answered({ list: of.ref, id: of.patchsetId });
	};
	const { now: planned, ...failed } = await sendInTurn(parts, { plan, known, mails: all, keep, wentOut }, signal);
	const kept = withOlder(planned, known);
	const sent = kept.filter(({ progress }) => progress.kind === 'sent');
	const isRemoved = await removeSent(parts, sent.length, () => forgetDone(parts, of, kept, draft));
	if (sent.length < all.length) {
		void tellFailed(of, sentSubjects(all, sent), failed);
	} else {
		lookAtReviewed(parts, of);
	}
	if (sent.length === all.length && isRemoved) {
		const done = vscode.l10n.t('Sent {0} to {1}.', mailsText(sent.length), posting);
		if (status?.way === 'api') {
			return setReviewStatus(parts, { of, status, done }, signal);
		}
		void notify('information', done);
	}
}

/** A reviewed patchset counts as read, even if its page never opened. */
function lookAtReviewed({ connections, marks }: SendReviewParts, of: Reviewed): void {
	marks.lookAtPatchset(connectionOf(connections, of), { list: of.ref, id: of.patchsetId });
}

/** `sent`: subjects of sent mails. Not awaited by the command: a notice may stay open. */
async function tellFailed(of: Reviewed, sent: readonly string[], { why, severity }: WhyNotSent): Promise<void> {
	const text =
		sent.length === 0
			? vscode.l10n.t('No message was sent. {0} Your drafts are kept.', why)
			: vscode.l10n.t(
					'Only {0} sent: {1}. {2} The other drafts are kept.',
					mailsText(sent.length),
					subjectsText(sent),
					why,
				);
	const again = vscode.l10n.t('Try Again');
	if ((await notify(severity, text, again)) === again) {
		await vscode.commands.executeCommand('forge.review.send', subjectOfReview(of));
	}
}

/**
 * Cleans up after an earlier try: deletes drafts of sent mails and looks for mails in doubt. Returns the number of sent
 * mails. Throws `cancelled()` if the user refuses to send one again.
 */
async function settle(parts: SendReviewParts, of: Reviewed, signal: AbortSignal): Promise<number> {
	const { connections, drafts } = parts;
	const kept = keptSending(drafts, of);
	if (!kept) {
		return 0;
	}
	const { lists } = connectionOf(connections, of);
	const { known } = await settled(kept, { lists, list: of.ref }, signal);
	await forgetDone(parts, of, known, reviewDraft(drafts, of));
	return known.filter(({ progress }) => progress.kind === 'sent').length;
}

async function forgetMails(
	parts: Pick<SendReviewParts, 'drafts' | 'mailDrafts'>,
	of: Reviewed,
	mails: Sending,
	draft: WrittenReview['draft'],
): Promise<void> {
	for (const mail of mails) {
		const sent = sentOf(draft, mail);
		await closeDocuments(parts, of, sent);
		await forgetSent(parts.drafts, of, sent);
		// Even if its edit is empty.
		await forgetUnreadable(parts.drafts, of, mail.answers);
	}
}

/** A keystroke in a sent comment's document would recreate the draft. */
async function closeDocuments(
	{ mailDrafts }: Pick<SendReviewParts, 'mailDrafts'>,
	of: Reviewed,
	sent: WrittenReview['draft'],
): Promise<void> {
	for (const { about, text } of textsOf(of, sent)) {
		if (mailDrafts.textOf(about) === text) {
			await mailDrafts.finish(about);
		}
	}
}

/** Deletes sent drafts and stores the rest of the plan for the next try. */
async function forgetDone(
	parts: Pick<SendReviewParts, 'drafts' | 'mailDrafts' | 'clock' | 'reader'>,
	of: Reviewed,
	sending: Sending,
	draft: WrittenReview['draft'],
): Promise<void> {
	const { drafts, clock, reader } = parts;
	const sent = sending.filter(({ progress }) => progress.kind === 'sent');
	if (sent.length > 0) {
		// A list drops a second mail with the same id. The plan contains the ids of the remaining mails.
		reader.forgetIds(of);
	}
	await forgetMails(parts, of, sent, draft);
	const about = reviewSubject(of, { kind: 'sending' });
	const known = drafts.draft(about);
	if (sent.length < sending.length) {
		const rest = sending.filter((mail) => !sent.includes(mail));
		await drafts.keep(about, { text: sendingText(rest), atMs: clock.nowMs() });
	} else if (known) {
		await drafts.forget({ about, draft: known });
	}
}
