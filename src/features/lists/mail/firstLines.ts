import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { firstLine } from './mailText.ts';

/** Limits for reading mails; larger threads show subjects instead. */
const mostMails = 100;
const longestMail = 20_000;

/** First line of each loaded mail by id; missing for unloaded mails and mails without own text. Makes no requests. */
export async function firstLines(
	{ lists, texts }: Connection,
	mails: readonly MailSummary[],
	signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
	const found = new Map<number, string>();
	for (const { id } of mails.slice(0, mostMails)) {
		const known = lists.knownMail(id);
		if (known === undefined || known.envelope.length > longestMail) {
			continue;
		}
		const { reading } = await texts.read(id, signal);
		const line = reading.kind === 'read' ? firstLine(reading.mail.text) : undefined;
		if (line !== undefined) {
			found.set(id, line);
		}
	}
	return found;
}
