import type { ReviewReply } from './reviewReplies.ts';
import {
	saidOf,
	suggestedIn,
	type DraftComment,
	type ReviewDraft,
	type ReviewTrailer,
	type SentComment,
} from './reviewDraft.ts';

/** How far sending a mail is. */
export type MailProgress =
	| { readonly kind: 'waiting' }
	/** It was handed over, and nothing is known of it yet. */
	| { readonly kind: 'underWay' }
	| { readonly kind: 'sent' }
	/** It certainly did not go out. */
	| { readonly kind: 'notSent'; readonly complaint: string }
	/** It may have gone out; it is sent again only once it was looked for and is not there. */
	| { readonly kind: 'unsure'; readonly complaint: string };

/** A mail among several that are sent one after another. */
export interface MailOfMany {
	readonly messageId: string;
	readonly progress: MailProgress;
}

/** True where some of these mails went out or may have, and not all of them did. */
export function isHalfSent(sending: readonly MailOfMany[]): boolean {
	const isOut = ({ progress: { kind } }: MailOfMany): boolean =>
		kind === 'sent' || kind === 'unsure' || kind === 'underWay';
	return sending.some(isOut) && !sending.every(({ progress }) => progress.kind === 'sent');
}

/** A mail of a review, and what of the review is in it. */
export interface SendingMail extends MailOfMany {
	/** The Message-ID of the mail that it answers. */
	readonly answers: string;
	readonly comments: readonly SentComment[];
	readonly trailer: ReviewTrailer | undefined;
	readonly status: string | undefined;
	/** Its text, where somebody edited it. */
	readonly edited: string | undefined;
}

/** A mail that is sent by itself, and the text of the draft that it was made of. */
export interface SendingAlone extends MailOfMany {
	readonly text: string;
}

/** The mails of a review in the order in which they go out. */
export type Sending = readonly SendingMail[];

/** What sending mails needs. */
export interface SendingParts<Mail extends MailOfMany> {
	/** Sends one. Throws where it was not even tried. */
	readonly send: (messageId: string, signal: AbortSignal) => Promise<SendOutcome>;
	/** Resolves once this would survive the end of the process. */
	readonly keep: (sending: readonly Mail[]) => Promise<void>;
}

export type SendOutcome = Extract<MailProgress, { kind: 'sent' | 'notSent' | 'unsure' }>;

/** The plan to send these replies, none of which is sent yet. */
export function plannedSending(replies: readonly ReviewReply[]): Sending {
	return replies.map(({ mail, answered, comments, trailer, edit }) => ({
		messageId: mail.messageId,
		answers: answered.messageId,
		comments: comments.map(saidOf),
		trailer,
		status: mail.patchsetStatus,
		edited: edit?.text,
		progress: { kind: 'waiting' },
	}));
}

/**
 * Sends the mails that wait, one after another, and stops at the first that does not certainly go out. What is kept is ahead
 * of what is done: a mail that was under way when the process ended is never taken for one that waits.
 */
export async function sendWaiting<Mail extends MailOfMany>(
	sending: readonly Mail[],
	{ send, keep }: SendingParts<Mail>,
	signal: AbortSignal,
): Promise<readonly Mail[]> {
	let now = sending;
	for (;;) {
		const next = now.find(({ progress }) => progress.kind === 'waiting');
		if (next === undefined || signal.aborted) {
			return now;
		}
		const { messageId } = next;
		let outcome: SendOutcome;
		try {
			await keep((now = withProgress(now, messageId, { kind: 'underWay' })));
			outcome = await send(messageId, signal);
		} catch (error) {
			await keep(withProgress(now, messageId, { kind: 'waiting' }));
			throw error;
		}
		await keep((now = withProgress(now, messageId, outcome)));
		if (outcome.kind !== 'sent') {
			return now;
		}
	}
}

/** What was kept, as another window or a later one has to take it. */
export function afterInterruption<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return changed(sending, ({ progress }) =>
		progress.kind === 'underWay' ? { kind: 'unsure', complaint: '' } : progress,
	);
}

/** After it was looked for on the list: a mail that was unsure was sent, or waits again. */
export function afterLook<Mail extends MailOfMany>(
	sending: readonly Mail[],
	messageId: string,
	isThere: boolean,
): readonly Mail[] {
	return changed(sending, (mail) =>
		mail.messageId === messageId && mail.progress.kind === 'unsure'
			? { kind: isThere ? 'sent' : 'waiting' }
			: mail.progress,
	);
}

/** A try that did not certainly send a mail leaves it unsure where it was before: an earlier one may be on its way. */
export function stillUnsure<Mail extends MailOfMany>(now: readonly Mail[], before: readonly Mail[]): readonly Mail[] {
	const unsure = new Set(unsureOf(before).map(({ messageId }) => messageId));
	return changed(now, ({ messageId, progress }) =>
		unsure.has(messageId) && (progress.kind === 'waiting' || progress.kind === 'notSent')
			? { kind: 'unsure', complaint: progress.kind === 'notSent' ? progress.complaint : '' }
			: progress,
	);
}

/** With the mails of earlier tries that said something else in place of one that is not sent yet, and may be on their way. */
export function withOlder(now: Sending, before: Sending): Sending {
	const isOpen = ({ messageId, answers }: SendingMail): boolean =>
		now.every((mail) => mail.messageId !== messageId) &&
		now.some((mail) => mail.answers === answers && mail.progress.kind !== 'sent');
	return [...now, ...unsureOf(before).filter(isOpen)];
}

function unsureOf<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return sending.filter(({ progress }) => progress.kind === 'unsure');
}

/** What did not go out waits again. */
export function again<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return changed(sending, ({ progress }) => (progress.kind === 'notSent' ? { kind: 'waiting' } : progress));
}

/**
 * The id that this mail had when it did not go out. Lists drop a mail whose id they have (docs/protocol.md#list-addresses), so
 * one that went out after all is there once, and one that says anything else needs an id of its own.
 */
export function unsentId(sending: Sending, wanted: SendingMail): string | undefined {
	return sending.find((mail) => mail.progress.kind !== 'sent' && saidIn(mail) === saidIn(wanted))?.messageId;
}

/** All that tells mails of one review apart, as a text to compare. */
function saidIn({ answers, comments, trailer, status, edited }: SendingMail): string {
	const said = comments.map(({ id, text, ...of }) => [id, text, suggestedIn(of)]);
	return JSON.stringify([answers, said, trailer, status, edited]);
}

/**
 * The part of a review that went out in a mail as it is now; what was typed since is not in it. A text that is gone is one
 * whose removal began.
 */
export function sentOf({ comments, trailers, status, edits }: ReviewDraft, mail: SendingMail): ReviewDraft {
	const trailer = trailers.get(mail.answers);
	const edit = edits.get(mail.answers);
	const isSent = (comment: DraftComment): boolean =>
		mail.comments.some(
			(sent) =>
				sent.id === comment.id &&
				(sent.text === comment.text || comment.text === '') &&
				suggestedIn(sent) === suggestedIn(comment),
		);
	return {
		comments: comments.filter(isSent),
		trailers: new Map(trailer !== undefined && trailer === mail.trailer ? [[mail.answers, trailer]] : []),
		status: status === mail.status ? status : undefined,
		edits: new Map(edit && edit.text === mail.edited ? [[mail.answers, edit]] : []),
	};
}

function withProgress<Mail extends MailOfMany>(
	sending: readonly Mail[],
	messageId: string,
	progress: MailProgress,
): readonly Mail[] {
	return changed(sending, (mail) => (mail.messageId === messageId ? progress : mail.progress));
}

function changed<Mail extends MailOfMany>(
	sending: readonly Mail[],
	progressOf: (mail: Mail) => MailProgress,
): readonly Mail[] {
	return sending.map((mail) => ({ ...mail, progress: progressOf(mail) }));
}
