import * as v from 'valibot';
import { reviewTrailers, type MadeFrom, type SentComment } from '../../engine/review/reviewDraft.ts';
import type { MailProgress, Sending, SendingAlone, SendingMail } from '../../engine/review/sending.ts';
import { keptIn } from '../shared/keptText.ts';
import { suggestion } from './reviewPart.ts';
import type { Drafts, MailDraftSubject, MailSendingSubject } from './drafts.ts';

const complaint = v.string();
export const mailProgress: v.GenericSchema<unknown, MailProgress> = v.variant('kind', [
	v.object({ kind: v.picklist(['waiting', 'underWay', 'sent']) }),
	v.object({ kind: v.picklist(['notSent', 'unsure']), complaint }),
]);
const sentComment: v.GenericSchema<unknown, SentComment> = v.pipe(
	v.object({ id: v.string(), text: v.string(), suggestion: v.optional(suggestion) }),
	v.transform(({ suggestion: change, ...known }) => ({ ...known, suggestion: change })),
);
const trailer = v.optional(v.picklist(reviewTrailers));
const mail: v.GenericSchema<unknown, SendingMail> = v.pipe(
	v.object({
		messageId: v.string(),
		answers: v.string(),
		comments: v.array(sentComment),
		trailer,
		status: v.optional(v.string()),
		edited: v.optional(v.string()),
		progress: mailProgress,
	}),
	v.transform(({ trailer: given, status, edited, ...known }) => ({ ...known, trailer: given, status, edited })),
);
const sending: v.GenericSchema<unknown, Sending | undefined> = v.array(mail);
const madeFrom: v.GenericSchema<unknown, MadeFrom | undefined> = v.pipe(
	v.object({ text: v.string(), comments: v.array(sentComment), trailer }),
	v.transform(({ trailer: given, ...known }) => ({ ...known, trailer: given })),
);
const alone: v.GenericSchema<unknown, SendingAlone | undefined> = v.object({
	messageId: v.string(),
	text: v.string(),
	progress: mailProgress,
});

/** Serializes a send queue for a draft. */
export function sendingText(now: Sending): string {
	return JSON.stringify(now);
}

/** Inverse of `sendingText`; `undefined` for anything else. */
export function sendingOf(text: string): Sending | undefined {
	return keptIn(text, sending, undefined);
}

/** Serializes the original of an edited mail. */
export function madeFromText(made: MadeFrom): string {
	return JSON.stringify(made);
}

/** Inverse of `madeFromText`; `undefined` for anything else. */
export function madeFromOf(text: string): MadeFrom | undefined {
	return keptIn(text, madeFrom, undefined);
}

/** Send progress of a draft's mail in any window; `undefined` before the first try. */
export function keptAlone(drafts: Pick<Drafts, 'draft'>, about: MailDraftSubject): SendingAlone | undefined {
	const text = drafts.draft(sendingSubject(about))?.text;
	return text === undefined ? undefined : keptIn(text, alone, undefined);
}

/** Resolves when the progress is safe on disk. */
export async function keepAlone(
	drafts: Pick<Drafts, 'keep'>,
	about: MailDraftSubject,
	now: SendingAlone & { readonly atMs: number },
): Promise<void> {
	const { messageId, text, progress, atMs } = now;
	await drafts.keep(sendingSubject(about), { text: JSON.stringify({ messageId, text, progress }), atMs });
}

/** Call before the draft's next mail. */
export async function forgetAlone(drafts: Pick<Drafts, 'draft' | 'forget'>, of: MailDraftSubject): Promise<void> {
	const about = sendingSubject(of);
	const draft = drafts.draft(about);
	if (draft) {
		await drafts.forget({ about, draft });
	}
}

function sendingSubject(about: MailDraftSubject): MailSendingSubject {
	return { ...about, kind: 'mailSending' };
}
