import { readPlainMail } from './readPlainMail.ts';
import type { MailReading } from './readableMail.ts';

/** Makes mails readable. Never throws: what cannot be read comes back as it is, with the reason. */
export interface MailReader {
	/** Common mails are read at once, all others in a thread that is ended when one takes too long. */
	readonly readMail: (envelope: string, options: { readonly evenIfLarge: boolean }) => Promise<MailReading>;
	/** The decoded content of attachment `index` of a mail that was read; `undefined` when there is none. */
	readonly attachment: (envelope: string, index: number) => Promise<Uint8Array | undefined>;
}

/** Mails up to this length are read in a millisecond or two, whatever is in them. */
const mostAtOnce = 256 * 1024;

/** Reads common mails where it is called and leaves all others to `inThread`. */
export function mailReader(inThread: MailReader): MailReader {
	return {
		async readMail(envelope, options) {
			const plain = envelope.length <= mostAtOnce ? readPlainMail(envelope) : undefined;
			return plain ? { kind: 'read', mail: plain } : await inThread.readMail(envelope, options);
		},
		attachment: (envelope, index) => inThread.attachment(envelope, index),
	};
}
