import { createHash } from 'node:crypto';
import { archivedFrom, numbersOfMinute } from 'patchmail/series/listedPatchset.ts';

/** A mail that an answer named. `text`: digest of a further text under this Message-ID. */
export interface NamedMail {
	/** Name of the inbox that had it last. */
	readonly inbox: string;
	readonly messageId: string;
	readonly text?: string;
}

export interface NumberedMail extends NamedMail {
	readonly number: number;
}

/** Numbers of all windows. */
export interface KeptNumbers {
	read(): readonly NumberedMail[];
	add(mail: NumberedMail): void;
}

/** Mails arrive so late at most. */
const lateMs = 3 * 24 * 60 * 60_000;

export type MailNumbers = ReturnType<typeof mailNumbers>;

/**
 * Numbers of mails, which archives do not have. They rise with the minute of the mail, as those of servers do. A hash of
 * the Message-ID separates mails of a minute. A kept number stays; without `kept`, numbers end with the program.
 */
export function mailNumbers(kept: KeptNumbers | undefined, nowMs: () => number) {
	const mails = new Map<number, NamedMail>();
	const numbers = new Map<string, number>();

	function learn({ number, ...mail }: NumberedMail): void {
		const before = mails.get(number);
		if (before === undefined || nameOf(before) === nameOf(mail)) {
			mails.set(number, mail);
			// The first kept number counts in all windows.
			numbers.set(nameOf(mail), numbers.get(nameOf(mail)) ?? number);
		}
	}

	/** `above`: the least number but one. */
	function numberOf(mail: NamedMail, dateMs: number, above = 0): number {
		const name = nameOf(mail);
		const known = numbers.get(name);
		if (known !== undefined) {
			mails.set(known, mail);
			return known;
		}
		// A later date would make all mails until then look older.
		const minute = Math.max(0, Math.floor(Math.min(dateMs, nowMs()) / 60_000));
		const hash = createHash('sha256').update(name).digest().readUInt32BE() % numbersOfMinute;
		let number = Math.max(archivedFrom + minute * numbersOfMinute + hash, above + 1);
		while (mails.has(number)) {
			number += 1;
		}
		learn({ ...mail, number });
		kept?.add({ ...mail, number });
		return number;
	}

	kept?.read().forEach(learn);
	return {
		numberOf: (mail: NamedMail, dateMs: number) => numberOf(mail, dateMs),
		/** Numbers rows in order of arrival, newest first. A recent one above known mails is newer than they, even if dated before. */
		arrived(inbox: string, rows: readonly { readonly messageId: string; readonly dateMs: number | undefined }[]): void {
			const knownOf = (messageId: string): number | undefined => numbers.get(nameOf({ inbox, messageId }));
			const isFresh = ({ messageId }: { readonly messageId: string }): boolean => knownOf(messageId) === undefined;
			if (rows.every(isFresh) || !rows.some(isFresh)) {
				return;
			}
			// Another window may have numbered them.
			kept?.read().forEach(learn);
			let above = 0;
			for (const { messageId, dateMs = 0 } of rows.toReversed()) {
				const known = knownOf(messageId);
				above = Math.max(above, known ?? 0);
				if (known === undefined && above > 0 && nowMs() - dateMs < lateMs) {
					numberOf({ inbox, messageId }, dateMs, above);
				}
			}
		},
		/** `undefined` for a number that no answer had, in any window. */
		mailOf(number: number): NamedMail | undefined {
			if (!mails.has(number)) {
				kept?.read().forEach(learn);
			}
			return mails.get(number);
		},
	};
}

function nameOf({ messageId, text = '' }: NamedMail): string {
	return `${messageId}\0${text}`;
}
