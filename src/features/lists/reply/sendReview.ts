import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, confirmForGood, notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { GitFailure } from '../../../localGit/gitFailure.ts';
import type { MailSent } from '../../../localGit/sendMail.ts';
import { mailForGit, type OutgoingMail } from '../../../mail/outgoingMail.ts';
import {
	afterInterruption,
	afterLook,
	plannedSending,
	sendWaiting,
	sentOf,
	type Sending,
	type SendOutcome,
} from '../../../review/sending.ts';
import { findMail } from '../../../state/lists/findMail.ts';
import { sendingText } from '../../../state/drafts/keptSending.ts';
import { forgetSent, reviewDraft, reviewSubject, type Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { keptSending, type ReadReviewParts, type ReviewReader, type WrittenReview } from './readReview.ts';
import { askInBox, askWay, handOver, type HandOver } from './sendWays.ts';
import { gitProblemText, mailsText, notWritableText, reasonText, sendingDetail, troubleText } from './sendWords.ts';

export interface SendReviewParts extends ReadReviewParts {
	readonly reader: ReviewReader;
	readonly problems: Problems;
}

/** Sends a review, or hands its mails over, and says what became of it. */
export async function sendReview(parts: SendReviewParts, of: Reviewed, signal: AbortSignal): Promise<void> {
	await settle(parts, of, signal);
	const written = await withProgress(vscode.l10n.t('Preparing the review…'), signal, (working) =>
		parts.reader.read(of, working),
	);
	if (typeof written === 'string') {
		void notify('error', notWritableText(written));
		return;
	}
	const mails = written.rendered.replies.map(({ mail }) => mail);
	if (mails.length === 0) {
		void notify('information', vscode.l10n.t('Nothing to send: no draft comments.'));
		return;
	}
	const way = await askWay(parts.mailer, mails);
	await (way === 'git' ? sendByGit(parts, of, written, signal) : giveOut(parts, of, { written, way }));
}

/** Hands the mails over; only the person knows whether they were sent then, so the drafts stay until they say so. */
async function giveOut(
	parts: SendReviewParts,
	of: Reviewed,
	{ written, way }: { readonly written: WrittenReview; readonly way: HandOver },
): Promise<void> {
	const done = await handOver(
		way,
		written.rendered.replies.map(({ mail }) => mail),
		parts.clock.nowMs(),
	);
	void afterHandOver(parts, of, written, done);
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function afterHandOver(
	{ drafts, reader, problems }: SendReviewParts,
	of: Reviewed,
	{ draft, rendered }: WrittenReview,
	done: string,
): Promise<void> {
	const discard = vscode.l10n.t('Discard Drafts');
	const text = vscode.l10n.t('{0} Your draft comments are kept. Discard them once the mails are sent.', done);
	if ((await notify('information', text, discard)) === discard) {
		const plan = plannedSending(draft, rendered.replies);
		await forgetMails(drafts, of, plan, draft).catch((error: unknown) => problems.show(error));
		reader.forgetIds(of);
	}
}

async function sendByGit(
	parts: SendReviewParts,
	of: Reviewed,
	{ draft, rendered, posting }: WrittenReview,
	signal: AbortSignal,
): Promise<void> {
	const { drafts, reader } = parts;
	const mails = new Map(rendered.replies.map(({ mail }) => [mail.messageId, mail]));
	const all = [...mails.values()];
	if (!(await confirm(vscode.l10n.t('Send {0}?', mailsText(all.length)), sendingDetail(all), vscode.l10n.t('Send')))) {
		throw cancelled();
	}
	const plan = plannedSending(draft, rendered.replies);
	let kept: Sending = plan;
	let failure: unknown;
	const complaints: string[] = [];
	const keep = async (now: Sending): Promise<void> => {
		kept = now;
		await drafts.keep(reviewSubject(of, { kind: 'sending' }), { text: sendingText(now), atMs: parts.clock.nowMs() });
	};
	await withProgress(vscode.l10n.t('Sending {0}…', mailsText(all.length)), signal, async (working) => {
		try {
			await sendWaiting(
				plan,
				{
					send: async (id, sending) => {
						const mail = mails.get(id);
						const sent = mail && (await sendOne(parts, mail, sending));
						complaints.push(sent ? failedText(sent) : '');
						return outcomeOf(sent);
					},
					keep,
				},
				working,
			);
		} catch (error) {
			failure = error;
		}
	});
	const sent = kept.filter(({ progress }) => progress.kind === 'sent');
	await forgetDone(parts, of, kept, draft);
	if (sent.length === all.length) {
		reader.forgetIds(of);
		void notify('information', vscode.l10n.t('Sent {0} to {1}.', mailsText(sent.length), posting));
		return;
	}
	void tellFailed(parts, of, { sent: sent.length, complaint: complaints.at(-1) ?? '', failure });
}

interface Failed {
	readonly sent: number;
	readonly complaint: string;
	/** What was thrown before the first try. */
	readonly failure: unknown;
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function tellFailed(parts: SendReviewParts, of: Reviewed, { sent, complaint, failure }: Failed): Promise<void> {
	const { problems } = parts;
	if (failure !== undefined) {
		problems.log(failure);
	}
	const reason = failure === undefined ? complaint : thrownText(parts, failure);
	const why = reason === '' ? vscode.l10n.t('Sending was cancelled.') : reason;
	const text =
		sent === 0
			? vscode.l10n.t('No mail was sent. {0} Your drafts are kept.', why)
			: vscode.l10n.t('Only {0} sent. {1} The other drafts are kept.', mailsText(sent), why);
	const again = vscode.l10n.t('Try Again');
	if ((await notify('error', text, again)) === again) {
		await vscode.commands.executeCommand('forge.review.send', subjectOf(of));
	}
}

/** Sends one mail by git. Throws where it was not even tried. */
export async function sendOne(
	{ mailer }: Pick<SendReviewParts, 'mailer'>,
	mail: OutgoingMail,
	signal: AbortSignal,
): Promise<MailSent> {
	const source = mailForGit(mail);
	if (!source) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	return await mailer.send(source, askInBox, signal);
}

/** What went wrong before anything was tried, in words. */
export function thrownText({ problems }: Pick<SendReviewParts, 'problems'>, error: unknown): string {
	return error instanceof GitFailure ? gitProblemText(error.problem) : problems.explain(error).message;
}

/** Why a mail did not go out for sure; empty for one that did. */
export function failedText(sent: MailSent): string {
	switch (sent.kind) {
		case 'sent':
			return '';
		case 'notSent':
			return troubleText(sent.trouble, sent.complaint);
		case 'unsure':
			return vscode.l10n.t("It isn't known whether the last one was sent: {0}", reasonText(sent.complaint));
	}
}

function outcomeOf(sent: MailSent | undefined): SendOutcome {
	return sent?.kind === 'sent' || sent?.kind === 'unsure'
		? sent
		: { kind: 'notSent', complaint: sent?.complaint ?? '' };
}

/**
 * What an earlier try left: what was sent is no draft any more, and a mail of which nobody knows is looked for on the list.
 * Throws `cancelled()` where the person does not want it sent once more.
 */
async function settle(parts: SendReviewParts, of: Reviewed, signal: AbortSignal): Promise<void> {
	const { connections, drafts } = parts;
	const kept = keptSending(drafts, of);
	if (!kept) {
		return;
	}
	let sending = afterInterruption(kept);
	for (const { messageId, progress } of sending) {
		if (progress.kind === 'unsure') {
			const { lists } = connectionOf(connections, of);
			const found = await withProgress(vscode.l10n.t('Searching the list for the last mail…'), signal, (working) =>
				findMail({ lists }, { messageId, list: of.ref }, working),
			);
			if (!found && !(await wantsAgain())) {
				throw cancelled();
			}
			sending = afterLook(sending, messageId, found !== undefined);
		}
	}
	await forgetDone(parts, of, sending, reviewDraft(drafts, of));
}

function wantsAgain(): Promise<boolean> {
	return confirmForGood(
		vscode.l10n.t('A mail of this review may have been sent already.'),
		vscode.l10n.t(
			"It isn't on the list, but it may still be on its way. Sending it again may deliver it twice to the people in Cc.",
		),
		vscode.l10n.t('Send Again'),
	);
}

async function forgetMails(
	drafts: SendReviewParts['drafts'],
	of: Reviewed,
	mails: Sending,
	draft: WrittenReview['draft'],
): Promise<void> {
	for (const mail of mails) {
		await forgetSent(drafts, of, sentOf(draft, mail));
	}
}

/** What was sent is no draft any more; what is left of the plan is kept for the next try. */
async function forgetDone(
	{ drafts, clock }: Pick<SendReviewParts, 'drafts' | 'clock'>,
	of: Reviewed,
	sending: Sending,
	draft: WrittenReview['draft'],
): Promise<void> {
	const sent = sending.filter(({ progress }) => progress.kind === 'sent');
	await forgetMails(drafts, of, sent, draft);
	const about = reviewSubject(of, { kind: 'sending' });
	const known = drafts.draft(about);
	if (sent.length < sending.length) {
		const rest = sending.filter((mail) => !sent.includes(mail));
		await drafts.keep(about, { text: sendingText(rest), atMs: clock.nowMs() });
	} else if (known) {
		await drafts.forget({ about, draft: known });
	}
}

/** What a command on the patchset of a review is handed. */
function subjectOf({ connectionKey, ref, patchsetId }: Reviewed): object {
	return { kind: 'patchset', connectionKey, ref: { list: ref, id: patchsetId } };
}
