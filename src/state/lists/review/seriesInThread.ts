import { ForgeError } from '../../../forge/forgeError.ts';
import { readSeries } from '../../../series/series.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { MailTexts } from '../listMailTexts.ts';
import type { PatchsetReview } from './patchsetReview.ts';

/** A version that came as replies in the conversation of a patchset, where the server makes no patchset of it. */
export function seriesInThread(
	{ patchOf }: Pick<MailTexts, 'patchOf'>,
	{ mails, versionsInThread }: Pick<PatchsetReview, 'mails' | 'versionsInThread'>,
	version: number,
): SeriesReading {
	const found = versionsInThread.find((each) => each.version === version);
	if (!found) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const own = mails.filter(({ id }) => found.mailIds.has(id));
	return readSeries(own, { version, patchMails: new Map(own.map((mail) => [mail.id, patchOf(mail)])) });
}
