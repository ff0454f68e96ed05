import type { Event } from '../../base/event.ts';
import type { Email } from '../../forge/list.ts';
import type { MailReading } from '../../mail/readableMail.ts';

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
	/** A mail was read, by its number. */
	readonly onDidRead: Event<number>;
}
