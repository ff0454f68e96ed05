import type { Connection } from '../../state/connection.ts';
import type { MailGlance } from '../../state/listMails.ts';
import type { MailReader } from './listsParts.ts';
import { firstLine } from './mailText.ts';

/** What mails say first, by their numbers; missing where a mail was not read or says nothing of its own. */
export type FirstLines = (connection: Connection, mails: readonly MailGlance[]) => Promise<ReadonlyMap<number, string>>;

/** Reading costs; a conversation with more answers, or longer ones, shows their subjects. */
const mostMails = 100;
const longestMail = 20_000;

/** Reads first lines out of mails that are there already; never asks the forge. */
export function firstLinesBy({ readMail }: MailReader): FirstLines {
	return async (connection, mails) => {
		const found = new Map<number, string>();
		const whole = mails
			.slice(0, mostMails)
			.map(({ id }) => connection.lists.knownMail(id))
			.filter((mail) => mail !== undefined && mail.envelope.length <= longestMail);
		for (const mail of whole) {
			const reading = mail && (await readMail(mail.envelope, { evenIfLarge: false }));
			const line = reading?.kind === 'read' ? firstLine(reading.mail.text) : undefined;
			if (mail && line !== undefined) {
				found.set(mail.id, line);
			}
		}
		return found;
	};
}
