import { movedTexts, notInMailsTexts, statusAloneText, statusText } from './reviewTexts.ts';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { confirm, notify, offer, tellBriefly, type Severity } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ReviewDraft } from 'patchmail/review/reviewDraft.ts';
import { plannedSending, sending, sentOf, withOlder, type MailOfMany, type Sending } from 'patchmail/review/sending.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import type { SettablePatchsetStatus } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import {
	forgetSent,
	forgetUnreadable,
	keepSending,
	keptSending,
	nothing,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import { setStatusQuietly, statusQuestion } from '../../lists/status/setStatus.ts';
import { subjectOfReview } from '../../lists/subjects/reviewUri.ts';
import { present } from '../../lists/subjects/subjects.ts';
import { statusLook } from '../../lists/subjects/words.ts';
import { settleEdits } from './editMail.ts';
import {
	askToWrap,
	confirmPatches,
	sureAddress,
	mailsText,
	noSenderText,
	sentBeforeTexts,
	sentSubjects,
	subjectsText,
} from '../../lists/send/sendWords.ts';
import {
	canBeSet,
	notAddedNow,
	reviewStanding,
	reviewTexts,
	statusOfReview,
	statusWay,
	type ReplyContext,
	type ReviewStatus,
	type WrittenReview,
} from './readReview.ts';
import type { HandOver } from '../../lists/send/handOver.ts';
import type { MailOrigin } from '../../lists/send/sendInTurn.ts';
import { sendMails, settled, tellQueued } from '../../lists/send/sendMails.ts';

/** Sends a review or hands its mails over, and reports the outcome. */
export async function sendReview(context: ReplyContext, of: Reviewed, signal: AbortSignal): Promise<void> {
	const before = await settle(context, of, signal);
	const { written: read, isStale } = await readSettled(context, of, signal);
	if (!read) {
		void notify('error', noSenderText());
		return;
	}
	const written = await withoutDoubts(read);
	const mails = written.rendered.replies.map(({ mail }) => mail);
	if (mails.length === 0) {
		return sendWithoutMails(context, of, written, before, signal);
	}
	const { drafts, reader } = context;
	const { posting, rendered, status } = written;
	const connection = connectionOf(context.connections, of);
	const sent = await sendMails(
		context,
		connection,
		{
			origin: reviewOrigin(context, connection, of, written.draft, posting),
			mails,
			kind: 'prose',
			isStale,
			also: () => [
				...movedTexts(written),
				...sentBeforeTexts(before),
				...(status ? [statusText(status)] : []),
				...notInNow(context, of, written),
			],
			beforeHandOver: async () => {
				const notIn = notInNow(context, of, written);
				const question = vscode.l10n.t('Hand over only a part of your review?');
				if (notIn.length > 0 && !(await confirm(question, notIn.join('\n'), vscode.l10n.t('Hand Over the Rest')))) {
					throw cancelled();
				}
			},
			plan: plannedSending(rendered.replies),
			known: keptSending(drafts, of) ?? [],
		},
		signal,
	);
	if (sent.way !== 'git') {
		reader.forgetIds(of);
		void offerDiscard(context, of, written, sent, signal);
		return;
	}
	const subjects = sentSubjects(mails, sent.now);
	if (subjects.length < mails.length) {
		if (sent.isQueued) {
			return tellQueued(mails.length - subjects.length);
		}
		const text =
			subjects.length === 0
				? vscode.l10n.t('No message was sent. {0} Your drafts are kept.', sent.why)
				: vscode.l10n.t(
						'Only {0} sent: {1}. {2} The other drafts are kept.',
						mailsText(subjects.length),
						subjectsText(subjects),
						sent.why,
					);
		void offerAgain(sent.severity, text, of);
		return;
	}
	if (sent.isRemoved) {
		await allSent(context, of, status, vscode.l10n.t('Sent {0} to {1}.', mailsText(subjects.length), posting), signal);
		return;
	}
	lookAtReviewed(context, of);
}

/** Reports a sent review and sets its status. `done`: a sentence about the mails. */
async function allSent(
	context: ReplyContext,
	of: Reviewed,
	status: ReviewStatus | undefined,
	done: string,
	signal: AbortSignal,
): Promise<void> {
	lookAtReviewed(context, of);
	if (status?.way === 'api') {
		return setReviewStatus(context, of, status, done, signal);
	}
	void notify('information', done);
}

/** The drafts of a review. `to`: the list, for a message. */
export function reviewOrigin(
	context: ReplyContext,
	connection: Connection,
	given: Reviewed,
	draft: ReviewDraft,
	to: string,
): MailOrigin {
	const { drafts, clock } = context;
	const of = present(context.connections, given);
	const known = keptSending(drafts, of) ?? [];
	const all = (now: readonly MailOfMany[]): Sending => withOlder(v.parse(sending, now), known);
	return {
		of: { kind: 'review', ref: of.ref },
		list: of.ref.list,
		texts: () => reviewTexts(drafts, of) + typedNow(context, of),
		kept: () => keptSending(drafts, of) ?? [],
		keep: (now) => keepSending(drafts, of, all(now), clock.nowMs()),
		wentOut(id) {
			connection.sentMails.wentOut(of.ref.list, id);
			connection.lists.answered(of.ref);
		},
		finish: (now) => forgetDone(context, of, all(now), draft),
		allSent: (now, signal) =>
			allSent(
				context,
				of,
				statusOfReview(connection, of, draft),
				vscode.l10n.t('Sent {0} to {1}.', mailsText(now.length), to),
				signal,
			),
	};
}

/** Repeats the load until the drafts stay unchanged during it, so that the mails match the documents. */
async function readSettled(context: ReplyContext, of: Reviewed, signal: AbortSignal) {
	const now = (): string => reviewStanding(context.drafts, of) + typedNow(context, of);
	for (;;) {
		const typed = typedNow(context, of);
		await keepTyped(context, of);
		const asked = now();
		const written = await readAddressed(context, of, signal);
		const isOther = written !== undefined && (await settleEdits(context, of, written));
		// Text typed during a save is only in the documents.
		if (!isOther && now() === asked && typedNow(context, of) === typed) {
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
	{ reader, connections }: ReplyContext,
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

/** Only the user knows whether mails that were handed over are out, so the drafts stay until the user discards them. */
function offerDiscard(
	context: ReplyContext,
	of: Reviewed,
	{ draft, rendered, status }: WrittenReview,
	{ done, way }: { readonly done: string; readonly way: HandOver },
	signal: AbortSignal,
): Promise<void> {
	const statusText =
		status?.way === 'api'
			? vscode.l10n.t('{0} The status is set when you discard the drafts.', done)
			: status && way === 'link'
				? vscode.l10n.t("{0} A link can't ask the forge for a status: it is not set.", done)
				: done;
	const text = vscode.l10n.t('{0} Your draft comments are kept. Discard them once the messages are sent.', statusText);
	return offer('information', text, vscode.l10n.t('Discard Drafts'), async () => {
		try {
			await forgetMails(context, of, plannedSending(rendered.replies), draft);
			lookAtReviewed(context, of);
			if (status?.way !== 'api') {
				return;
			}
			if (reviewDraft(context.drafts, of).status !== status.word) {
				void notify('information', vscode.l10n.t('The status of this review was changed since, so none was set.'));
				return;
			}
			await setReviewStatus(context, of, status, '', signal);
		} catch (error) {
			void context.problems.show(error);
		}
	});
}

/** Includes comments typed since the load. */
function notInNow({ drafts }: ReplyContext, of: Reviewed, written: WrittenReview): readonly string[] {
	return notInMailsTexts({ ...written, notAdded: notAddedNow(drafts, of) });
}

/** A reviewed patchset counts as read, even if its page never opened. */
function lookAtReviewed({ connections, finder }: ReplyContext, of: Reviewed): void {
	finder.marks.lookAtPatchset(connectionOf(connections, of), of.ref);
}

/**
 * Cleans up after an earlier try: deletes drafts of sent mails and looks for mails in doubt. Returns the number of sent
 * mails. Throws `cancelled()` if the user refuses to send one again.
 */
async function settle(context: ReplyContext, of: Reviewed, signal: AbortSignal): Promise<number> {
	const kept = keptSending(context.drafts, of);
	if (!kept) {
		return 0;
	}
	const { known } = await settled(kept, connectionOf(context.connections, of), of.ref.list, signal);
	await forgetDone(context, of, known, reviewDraft(context.drafts, of));
	return sentIn(known).length;
}

function sentIn(sending: Sending): Sending {
	return sending.filter(({ progress }) => progress.kind === 'sent');
}

async function forgetMails(context: ReplyContext, of: Reviewed, mails: Sending, draft: ReviewDraft): Promise<void> {
	const { drafts, mailDrafts } = context;
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
async function forgetDone(context: ReplyContext, of: Reviewed, sending: Sending, draft: ReviewDraft): Promise<void> {
	const sent = sentIn(sending);
	if (sent.length > 0) {
		// A list drops a second mail with the same id. The plan contains the ids of the remaining mails.
		context.reader.forgetIds(of);
	}
	await forgetMails(context, of, sent, draft);
	const rest = sending.filter((mail) => !sent.includes(mail));
	await keepSending(context.drafts, of, rest, context.clock.nowMs());
}

/** Parts of a review with a document: comments and edited mails. */
function textsOf(of: Reviewed, { comments, edits }: ReviewDraft) {
	return [
		...[...edits].map(([messageId, { text }]) => ({ about: reviewSubject(of, { kind: 'mail', messageId }), text })),
		...comments.map(({ id, place, text }) => ({ about: reviewSubject(of, { kind: 'comment', id, place }), text })),
	];
}

/** Stores the current text of a review's documents, so that the mails include it. */
export async function keepTyped({ drafts, mailDrafts, clock }: ReplyContext, of: Reviewed): Promise<void> {
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
function typedNow({ drafts, mailDrafts }: ReplyContext, of: Reviewed): string {
	const draft = reviewDraft(drafts, of);
	const sent = textsOf(of, { ...draft, comments: draft.comments.filter((comment) => !isOnlyTyped(comment)) });
	return JSON.stringify(sent.map(({ about }) => mailDrafts.textOf(about) ?? ''));
}

/** Asks for the status that the patchset is to get with its review; it is a draft like the comments. */
export async function askReviewStatus(parts: ReplyContext, of: Reviewed, signal: AbortSignal): Promise<void> {
	const { connections, drafts, clock } = parts;
	const way = statusWay(connectionOf(connections, of), of);
	const { title, choices } = await statusQuestion(parts.statuses, [subjectOfReview(of)], signal);
	const word = await choose<SettablePatchsetStatus | 'none'>(title, [
		...choices.filter(({ value }) => canBeSet(value, way)),
		// The icon aligns the row with the others.
		{ label: vscode.l10n.t('None'), iconPath: new vscode.ThemeIcon('dash'), value: 'none' },
	]);
	const about = reviewSubject(of, { kind: 'status' });
	// Load an earlier window's choice first; otherwise both would exist.
	drafts.draft(about);
	await drafts.keep(about, { text: word === 'none' ? '' : word, atMs: clock.nowMs() });
	tellBriefly(
		word === 'none'
			? vscode.l10n.t('The review sets no status')
			: vscode.l10n.t('Draft saved: {0}', statusLook(word).text),
	);
}

/**
 * Sets the stored status after the mails and reports both. A failure keeps the status. `done`: earlier results as a
 * sentence; may be empty.
 */
async function setReviewStatus(
	parts: ReplyContext,
	of: Reviewed,
	{ word }: ReviewStatus,
	done: string,
	signal: AbortSignal,
): Promise<void> {
	const { drafts, problems, statuses } = parts;
	const subject = subjectOfReview(of);
	const outcome = await setStatusQuietly(statuses, subject, word, signal);
	const { text } = statusLook(word);
	if (outcome.kind === 'done') {
		await forgetSent(drafts, of, { ...nothing, status: word });
		const set = statuses.outcomeText(subject, outcome);
		const all = done === '' ? vscode.l10n.t('Status: {0}', set) : vscode.l10n.t('{0} Status: {1}', done, set);
		void notify('information', all);
		return;
	}
	if ('error' in outcome) {
		problems.log(outcome.error);
	}
	const why = statuses.outcomeText(subject, outcome);
	void offerAgain(
		'error',
		done === ''
			? vscode.l10n.t('The status was not set to {0}: {1}', text, why)
			: vscode.l10n.t('{0} But the status was not set to {1}: {2}', done, text, why),
		of,
	);
}

/** Not awaited: the notice may stay open for hours. */
function offerAgain(severity: Severity, text: string, of: Reviewed): Promise<void> {
	return offer(severity, text, vscode.l10n.t('Try Again'), () =>
		vscode.commands.executeCommand('forge.review.send', subjectOfReview(of)),
	);
}

/**
 * A review without mails, perhaps with the status of an earlier try; asks before setting it. `before`: number of mails
 * sent earlier.
 */
async function sendWithoutMails(
	parts: ReplyContext,
	of: Reviewed,
	written: WrittenReview,
	before: number,
	signal: AbortSignal,
): Promise<void> {
	const { status } = written;
	const [sent, notIn] = [sentBeforeTexts(before), notInMailsTexts(written)];
	if (status?.way !== 'api') {
		const why = [...sent, ...(status ? [statusAloneText(status)] : []), ...notIn];
		const head = before === 0 ? vscode.l10n.t('Nothing to send.') : vscode.l10n.t('Nothing else to send.');
		const text =
			why.length === 0
				? vscode.l10n.t('There are no draft comments to send. Comment on a line of a diff first.')
				: [head, ...why].join(' ');
		void (notIn.length === 0
			? notify('information', text)
			: offer('information', text, vscode.l10n.t('Show Drafts'), () =>
					vscode.commands.executeCommand('forge.drafts.show'),
				));
		return;
	}
	const { text } = statusLook(status.word);
	const isMeant = await confirm(
		vscode.l10n.t('Set the status to {0}?', text),
		[vscode.l10n.t('The review has no messages to send.'), ...sent, ...notIn].join('\n'),
		vscode.l10n.t('Set to {0}', text),
	);
	if (!isMeant) {
		throw cancelled();
	}
	await setReviewStatus(parts, of, status, sent.join(' '), signal);
}
