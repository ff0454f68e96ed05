import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { readSeries } from 'patchmail/series/series.ts';
import type { PatchMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { MailTexts } from '../listMailTexts.ts';
import type { ListStore } from '../listStore.ts';
import type { PatchsetReviews } from './listReviews.ts';
import { readWithParts, seriesMailOf } from './patchsetFacts.ts';

/** The series of a patchset without its thread: from the review, else from its own mails. */
export async function seriesAlone(
	{
		lists,
		texts,
		reviews,
	}: { readonly lists: ListStore; readonly texts: MailTexts; readonly reviews: PatchsetReviews },
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<SeriesReading> {
	const known = reviews.known(ref);
	if (known) {
		return known.series;
	}
	const series = await lists.series(ref, signal);
	const { cover, patches } = series;
	const glances = [...(cover ? [cover] : []), ...patches];
	const read = await readWithParts(texts, glances, series, signal);
	const mails = glances.flatMap(({ id }) => {
		const text = read.get(id);
		return text ? [seriesMailOf(text)] : [];
	});
	const patchMails = new Map<number, PatchMail | undefined>();
	for (const mail of mails) {
		patchMails.set(mail.id, texts.patchOf(mail));
		await nextTurn();
		signal.throwIfAborted();
	}
	const version = lists.knownPatchset(ref)?.version;
	const patchIds = new Set(patches.map(({ id }) => id));
	return readSeries(mails, { coverLetterId: cover?.id, patchIds, version, patchMails, set: series.set });
}
