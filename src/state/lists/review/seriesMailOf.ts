import type { SeriesMail } from '../../../series/seriesReading.ts';
import type { ReadText } from '../mailTexts.ts';

/** A mail that was read, as series are made of them. */
export function seriesMailOf({ mail, reading }: ReadText): SeriesMail {
	const { id, messageId, parentId, createdMs, subject, sender, patchsetId } = mail;
	return { id, messageId, parentId, createdMs, subject, account: sender?.canonicalName, patchsetId, reading };
}
