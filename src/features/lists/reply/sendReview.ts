import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { plannedSending, sentOf, type Sending } from '../../../review/sending.ts';
import { sendingText } from '../../../state/drafts/keptSending.ts';
import { forgetSent, reviewDraft, reviewSubject, type Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { keptSending, type ReadReviewParts, type ReviewReader, type WrittenReview } from './readReview.ts';
import { sendInTurn, settled } from './sendInTurn.ts';
import { askWay, handOver, type HandOver } from './sendWays.ts';
import { mailsText, notWritableText, sendingDetail, statusText } from './sendWords.ts';
import {
	handedOverText,
	sendWithoutMails,
	setReviewStatus,
	subjectOfReview,
	type ReviewStatusParts,
} from './setReviewStatus.ts';

export interface SendReviewParts extends ReadReviewParts, ReviewStatusParts {
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
		return sendWithoutMails(parts, of, written.status, signal);
	}
	const way = await askWay(parts.mailer, mails);
	await (way === 'git' ? sendByGit(parts, of, written, signal) : giveOut(parts, of, { written, way }, signal));
}

/** Hands the mails over; only the person knows whether they were sent then, so the drafts stay until they say so. */
async function giveOut(
	parts: SendReviewParts,
	of: Reviewed,
	{ written, way }: { readonly written: WrittenReview; readonly way: HandOver },
	signal: AbortSignal,
): Promise<void> {
	const done = await handOver(
		way,
		written.rendered.replies.map(({ mail }) => mail),
		parts.clock.nowMs(),
	);
	parts.reader.forgetIds(of);
	void afterHandOver(parts, of, { written, done: handedOverText(done, way, written.status) }, signal);
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function afterHandOver(
	parts: SendReviewParts,
	of: Reviewed,
	{ written: { draft, rendered, status }, done }: { readonly written: WrittenReview; readonly done: string },
	signal: AbortSignal,
): Promise<void> {
	const { drafts, problems } = parts;
	const discard = vscode.l10n.t('Discard Drafts');
	const text = vscode.l10n.t('{0} Your draft comments are kept. Discard them once the mails are sent.', done);
	if ((await notify('information', text, discard)) === discard) {
		const plan = plannedSending(draft, rendered.replies);
		try {
			await forgetMails(drafts, of, plan, draft);
			await (status?.way === 'api' ? setReviewStatus(parts, { of, status, done: '' }, signal) : undefined);
		} catch (error) {
			void problems.show(error);
		}
	}
}

async function sendByGit(
	parts: SendReviewParts,
	of: Reviewed,
	{ draft, rendered, posting, status }: WrittenReview,
	signal: AbortSignal,
): Promise<void> {
	const { drafts } = parts;
	const all = rendered.replies.map(({ mail }) => mail);
	const detail = [sendingDetail(all), ...(status ? ['', statusText(status)] : [])].join('\n');
	if (!(await confirm(vscode.l10n.t('Send {0}?', mailsText(all.length)), detail, vscode.l10n.t('Send')))) {
		throw cancelled();
	}
	const plan = plannedSending(draft, rendered.replies);
	const keep = (now: Sending): Promise<void> =>
		drafts.keep(reviewSubject(of, { kind: 'sending' }), { text: sendingText(now), atMs: parts.clock.nowMs() });
	const { now: kept, why } = await sendInTurn(parts, { plan, mails: all, keep }, signal);
	const sent = kept.filter(({ progress }) => progress.kind === 'sent');
	await forgetDone(parts, of, kept, draft);
	if (sent.length === all.length) {
		const done = vscode.l10n.t('Sent {0} to {1}.', mailsText(sent.length), posting);
		if (status?.way === 'api') {
			return setReviewStatus(parts, { of, status, done }, signal);
		}
		void notify('information', done);
		return;
	}
	void tellFailed(of, sent.length, why);
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function tellFailed(of: Reviewed, sent: number, why: string): Promise<void> {
	const text =
		sent === 0
			? vscode.l10n.t('No mail was sent. {0} Your drafts are kept.', why)
			: vscode.l10n.t('Only {0} sent. {1} The other drafts are kept.', mailsText(sent), why);
	const again = vscode.l10n.t('Try Again');
	if ((await notify('error', text, again)) === again) {
		await vscode.commands.executeCommand('forge.review.send', subjectOfReview(of));
	}
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
	const { lists } = connectionOf(connections, of);
	const sending = await settled(kept, { lists, list: of.ref }, signal);
	await forgetDone(parts, of, sending, reviewDraft(drafts, of));
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
	{ drafts, clock, reader }: Pick<SendReviewParts, 'drafts' | 'clock' | 'reader'>,
	of: Reviewed,
	sending: Sending,
	draft: WrittenReview['draft'],
): Promise<void> {
	const sent = sending.filter(({ progress }) => progress.kind === 'sent');
	if (sent.length > 0) {
		// A list drops a second mail of the same id; those that are left have theirs in the plan.
		reader.forgetIds(of);
	}
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
