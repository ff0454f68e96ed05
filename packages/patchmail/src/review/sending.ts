import * as v from 'valibot';
import type { ReviewReply } from './reviewReplies.ts';
import { reviewTrailers, saidOf, sentComment, suggestedIn, type ReviewDraft } from './reviewDraft.ts';

const mailProgress = v.variant('kind', [
	v.object({ kind: v.literal('waiting') }),
	/** Handed over without a result yet. */
	v.object({ kind: v.literal('underWay') }),
	v.object({ kind: v.literal('sent') }),
	/** Definitely not sent. */
	v.object({ kind: v.literal('notSent'), complaint: v.string() }),
	/** Maybe sent; resend only after a lookup shows that it is missing. */
	v.object({ kind: v.literal('unsure'), complaint: v.string() }),
]);
export type MailProgress = Readonly<v.InferOutput<typeof mailProgress>>;

/** One of several mails in a queue. Queues on disk are read by these schemas. */
export const mailOfMany = v.object({ messageId: v.string(), progress: mailProgress });
export type MailOfMany = Readonly<v.InferOutput<typeof mailOfMany>>;

/** True when some mails are sent or maybe sent, but not all. */
export function isHalfSent(sending: readonly MailOfMany[]): boolean {
	return (
		sending.some(({ progress: { kind } }) => kind === 'sent' || kind === 'unsure' || kind === 'underWay') &&
		!sending.every(({ progress }) => progress.kind === 'sent')
	);
}

/** A review mail with its parts of the review. */
const sendingMail = v.object({
	...mailOfMany.entries,
	/** Message-ID of the answered mail. */
	answers: v.string(),
	comments: v.pipe(v.array(sentComment), v.readonly()),
	trailer: v.optional(v.picklist(reviewTrailers)),
	status: v.optional(v.string()),
	/** The user's text, if edited. */
	edited: v.optional(v.string()),
});
export type SendingMail = Readonly<v.InferOutput<typeof sendingMail>>;

/** Review mails in sending order. */
export const sending = v.pipe(v.array(sendingMail), v.readonly());
export type Sending = v.InferOutput<typeof sending>;

/** A single mail with the text of its draft. */
export const sendingAlone = v.object({ ...mailOfMany.entries, text: v.string() });
export type SendingAlone = Readonly<v.InferOutput<typeof sendingAlone>>;

export type SendOutcome = Extract<MailProgress, { kind: 'sent' | 'notSent' | 'unsure' }>;

/** Queue for unsent replies. */
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
 * Sends waiting mails in order, and stops at the first uncertain one. Writes the progress ahead, so a mail in transit
 * during a crash never counts as waiting.
 */
export async function sendWaiting<Mail extends MailOfMany>(
	mails: readonly Mail[],
	by: {
		/** Sends one mail. Rejects only if it was not tried. */
		readonly send: (messageId: string, signal: AbortSignal) => Promise<SendOutcome>;
		/** Resolves when the progress is safe on disk. */
		readonly keep: (sending: readonly Mail[]) => Promise<void>;
	},
	signal: AbortSignal,
): Promise<readonly Mail[]> {
	let now = mails;
	for (;;) {
		const next = now.find(({ progress }) => progress.kind === 'waiting');
		if (next === undefined || signal.aborted) {
			return now;
		}
		const { messageId } = next;
		let outcome: SendOutcome;
		try {
			await by.keep((now = withProgress(now, messageId, { kind: 'underWay' })));
			outcome = await by.send(messageId, signal);
		} catch (error) {
			await by.keep(withProgress(now, messageId, { kind: 'waiting' }));
			throw error;
		}
		await by.keep((now = withProgress(now, messageId, outcome)));
		if (outcome.kind !== 'sent') {
			return now;
		}
	}
}

/** Stored progress, adjusted for a new window. */
export function afterInterruption<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return changed(sending, ({ progress }) =>
		progress.kind === 'underWay' ? { kind: 'unsure', complaint: '' } : progress,
	);
}

/** After a lookup on the list: a maybe-sent mail becomes sent or waiting. */
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

/** An uncertain mail stays uncertain after a failed retry, because the first try may still arrive. */
export function stillUnsure<Mail extends MailOfMany>(now: readonly Mail[], before: readonly Mail[]): readonly Mail[] {
	const unsure = new Set(unsureOf(before).map(({ messageId }) => messageId));
	return changed(now, ({ messageId, progress }) =>
		unsure.has(messageId) && (progress.kind === 'waiting' || progress.kind === 'notSent')
			? { kind: 'unsure', complaint: progress.kind === 'notSent' ? progress.complaint : '' }
			: progress,
	);
}

/** Adds maybe-sent mails of earlier tries with other content, in place of unsent ones. */
export function withOlder(now: Sending, before: Sending): Sending {
	return [
		...now,
		...unsureOf(before).filter(
			({ messageId, answers }) =>
				now.every((mail) => mail.messageId !== messageId) &&
				now.some((mail) => mail.answers === answers && mail.progress.kind !== 'sent'),
		),
	];
}

function unsureOf<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return sending.filter(({ progress }) => progress.kind === 'unsure');
}

/** Requeues failed mails. */
export function again<Mail extends MailOfMany>(sending: readonly Mail[]): readonly Mail[] {
	return changed(sending, ({ progress }) => (progress.kind === 'notSent' ? { kind: 'waiting' } : progress));
}

/**
 * Message-ID of an equal unsent mail. Lists drop duplicates by id (docs/protocol.md#list-addresses), so a retry with
 * the same id is safe, and different content needs a new id.
 */
export function unsentId(sending: Sending, wanted: SendingMail): string | undefined {
	return sending.find((mail) => mail.progress.kind !== 'sent' && saidIn(mail) === saidIn(wanted))?.messageId;
}

/** Comparable content of a review mail. */
function saidIn({ answers, comments, trailer, status, edited }: SendingMail): string {
	const said = comments.map(({ id, text, ...of }) => [id, text, suggestedIn(of)]);
	return JSON.stringify([answers, said, trailer, status, edited]);
}

/**
 * The parts of a review sent in a mail, in their sent version; newer text is excluded. A missing text counts as sent,
 * because its removal began.
 */
export function sentOf({ comments, trailers, status, edits }: ReviewDraft, mail: SendingMail): ReviewDraft {
	const trailer = trailers.get(mail.answers);
	const edit = edits.get(mail.answers);
	return {
		comments: comments.filter((comment) =>
			mail.comments.some(
				(sent) =>
					sent.id === comment.id &&
					(sent.text === comment.text || comment.text === '') &&
					suggestedIn(sent) === suggestedIn(comment),
			),
		),
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
