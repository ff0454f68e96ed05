import { createHash } from 'node:crypto';
import { archivedFrom } from 'patchmail/series/listedPatchset.ts';

/** A mail that an answer named. `text`: digest of a further text under this Message-ID. */
export interface NamedMail {
	/** Name of the inbox that had it last. */
	readonly inbox: string;
	readonly messageId: string;
	readonly text?: string;
}

/**
 * Numbers of mails, which archives do not have: 48 bits of a hash of the Message-ID. They are the same in all windows
 * and on all computers. Among a million mails, two have one number with a chance of 1 in 560. The later one is refused.
 */
export type MailNumbers = ReturnType<typeof mailNumbers>;

/** `known`: mails of earlier windows. */
export function mailNumbers(known: readonly NamedMail[] = []) {
	const mails = new Map<number, NamedMail>();

	/** `undefined`: another mail has the number. */
	function numberOf(mail: NamedMail): number | undefined {
		const { messageId, text = '' } = mail;
		const number = archivedFrom + createHash('sha256').update(`${messageId}\0${text}`).digest().readUIntBE(0, 6);
		const before = mails.get(number);
		if (before && (before.messageId !== messageId || (before.text ?? '') !== text)) {
			return undefined;
		}
		mails.set(number, mail);
		return number;
	}

	known.forEach(numberOf);
	return {
		numberOf,
		/** `undefined` for a number that no answer and no earlier window had. */
		mailOf: (number: number) => mails.get(number),
		all: (): readonly NamedMail[] => [...mails.values()],
	};
}
