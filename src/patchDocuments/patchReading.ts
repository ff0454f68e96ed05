import type { Connection } from '../state/connection.ts';
import type { MailReading } from '../mail/readableMail.ts';
import type { PatchMail } from '../series/seriesReading.ts';

/** A mail read for its patch. */
export interface ReadPatch {
	readonly subject: string;
	readonly reading: MailReading;
	/** `undefined` where the mail is none. */
	readonly patch: PatchMail | undefined;
}

/** Reads the patch out of a mail. The editor asks for each side of each file by itself; that costs nothing again. */
export async function readPatch({ texts }: Connection, mailId: number, signal: AbortSignal): Promise<ReadPatch> {
	const { mail, reading } = await texts.read(mailId, signal);
	return { subject: mail.subject, reading, patch: texts.patchOf({ reading, subject: mail.subject }) };
}
