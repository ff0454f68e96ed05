import type { Event } from '../../base/event.ts';
import type { Email } from '../../forge/list.ts';
import type { MailReading } from '../../mail/readableMail.ts';
import type { PatchMail, SeriesMail } from '../../series/seriesReading.ts';

/** A mail and what was read from it. */
export interface ReadText {
	readonly mail: Email;
	readonly reading: MailReading;
}

/** The texts of mails. Mails never change, so each is asked for and read once and kept while there is room. */
export interface MailTexts {
	/** What is known without asking or reading. */
	known(id: number): ReadText | undefined;
	read(id: number, signal: AbortSignal): Promise<ReadText>;
	/**
	 * Reads many, four at a time. Mails that the forge refuses or has not are left out; any other failure is thrown once
	 * everything else is there. Lets everything else run between.
	 */
	readAll(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, ReadText>>;
	/** Reads a mail whatever its size; replaces what is known. */
	readWhole(id: number, signal: AbortSignal): Promise<ReadText>;
	attachment(id: number, index: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
	/**
	 * The patch that a mail is, `undefined` where it is none. Its reading is taken apart once, and what was found is held
	 * for as long as the reading is.
	 */
	patchOf(mail: Pick<SeriesMail, 'reading' | 'subject'>): PatchMail | undefined;
	/** A mail was read, by its number. */
	readonly onDidRead: Event<number>;
}
