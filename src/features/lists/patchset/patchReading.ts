import type { Connection } from '../../../state/connection.ts';
import type { MailReading } from '../../../mail/readableMail.ts';
import { patchMailOf } from '../../../series/patchMail.ts';
import type { PatchMail } from '../../../series/seriesReading.ts';

/** A mail read for its patch. */
export interface ReadPatch {
	readonly subject: string;
	readonly reading: MailReading;
	/** `undefined` where the mail is none. */
	readonly patch: PatchMail | undefined;
}

/** Reads the patch out of a mail. */
export type ReadPatchOf = (connection: Connection, mailId: number, signal: AbortSignal) => Promise<ReadPatch>;

/** As many patches as are usually looked at together. */
const mostKept = 50;

/** The editor asks for each side of each file by itself; the mail behind them is taken apart once. */
export function patchReading(): ReadPatchOf {
	const kept = new Map<string, { readonly reading: MailReading; readonly read: ReadPatch }>();
	return async (connection, mailId, signal) => {
		const { mail, reading } = await connection.texts.read(mailId, signal);
		const key = `${connection.key} ${mailId}`;
		const known = kept.get(key);
		if (known?.reading === reading) {
			return known.read;
		}
		const read = { subject: mail.subject, reading, patch: patchMailOf(reading, mail.subject) };
		kept.delete(key);
		kept.set(key, { reading, read });
		const [oldest] = kept.keys();
		if (kept.size > mostKept && oldest !== undefined) {
			kept.delete(oldest);
		}
		return read;
	};
}
