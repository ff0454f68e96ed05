import { mailAttachment, readMail } from './readMail.ts';
import type { RawReason, ReadableMail } from './readableMail.ts';

/** Request to the thread that reads mails. */
export type MailQuestion =
	| { readonly kind: 'read'; readonly envelope: string; readonly evenIfLarge: boolean }
	| { readonly kind: 'attachment'; readonly envelope: string; readonly index: number };

/** Replies are copied between threads, so they contain no text twice. */
export type MailAnswer =
	/** `text` is missing if it equals the body. */
	| { readonly kind: 'read'; readonly mail: Omit<ReadableMail, 'text'>; readonly text: string | undefined }
	/** The text is the envelope. */
	| { readonly kind: 'raw'; readonly reason: RawReason }
	| { readonly kind: 'attachment'; readonly content: Uint8Array | undefined };

/** Creates the responder, which never throws. */
export function mailAnswerer(): (question: MailQuestion) => Promise<MailAnswer> {
	return async (question) => {
		if (question.kind === 'attachment') {
			return { kind: 'attachment', content: await mailAttachment(question.envelope, question.index) };
		}
		const reading = await readMail(question.envelope, question);
		if (reading.kind === 'raw') {
			return { kind: 'raw', reason: reading.reason };
		}
		const { text, ...mail } = reading.mail;
		return { kind: 'read', mail, text: text === mail.body ? undefined : text };
	};
}
