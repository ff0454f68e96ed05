import { ForgeError } from '../../../forge/forgeError.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import { readSeries } from '../../../series/series.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { Connection } from '../../../state/connection.ts';

/** A version that came as replies in the conversation of a patchset, where the server makes no patchset of it. */
export async function seriesInThread(
	{ reviews, texts }: Connection,
	ref: PatchsetRef,
	version: number,
	signal: AbortSignal,
): Promise<SeriesReading> {
	const { mails, versionsInThread } = await reviews.read(ref, signal);
	const found = versionsInThread.find((each) => each.version === version);
	if (!found) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const own = mails.filter(({ id }) => found.mailIds.has(id));
	return readSeries(own, { version, patchMails: new Map(own.map((mail) => [mail.id, texts.patchOf(mail)])) });
}
