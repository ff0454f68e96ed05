import { versionsOf } from 'patchmail/series/postedSeries.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { isDoubtful, versionOf } from 'patchmail/series/versions.ts';
import type { GivenTrailer, SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { seriesOfThread } from 'public-inbox/series/threadSeries.ts';
import { wanted } from './contractForge.ts';
import type { VersionRow } from './corpusRows.ts';

function nameOf(messageId: string): string {
	return /\.(m\d+)@/.exec(messageId)?.[1] ?? messageId;
}

/** `thread`: all mails of the review. */
export function rowOf(
	version: number,
	{
		series,
		thread,
		trailers,
	}: {
		readonly series: SeriesReading;
		readonly thread: readonly SeriesMail[];
		readonly trailers: readonly GivenTrailer[];
	},
	isNewest: boolean,
): VersionRow {
	const { cover, patches } = series;
	const nameOfPatch = new Map(patches.map(({ index, mail }) => [index, nameOf(mail.messageId)]));
	const given = new Map<string, readonly string[]>();
	for (const { key, person, patchIndexes } of trailers.filter(({ isInPatch }) => !isInPatch)) {
		const who = `${key} ${person.address}`;
		given.set(who, [...(given.get(who) ?? []), ...patchIndexes.map((index) => nameOfPatch.get(index) ?? '')]);
	}
	const placed = runAtOnce(reviewComments(thread, series)).flatMap(({ mail, place, prose }) =>
		place.kind === 'elsewhere' || place.mailId === undefined || /^[A-Z][a-z]+-by:/.test(prose)
			? []
			: [[nameOf(mail.messageId), [nameOf(thread.find(({ id }) => id === place.mailId)?.messageId ?? '')]] as const],
	);
	return {
		trailers: given,
		remarks: new Map(placed),
		version,
		isNewest,
		cover: cover && nameOf(cover.messageId),
		patches: patches.map(({ mail }) => nameOf(mail.messageId)),
	};
}

/** The one that begins with the earliest mail; a stranger's patchset may be older. */
export function firstOf<T>(all: readonly T[], seriesOf: (each: T) => SeriesReading): T | undefined {
	const firstMail = (each: T): number => {
		const { cover, patches } = seriesOf(each);
		const mails = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
		return Math.min(...mails.map(({ messageId }) => Number(nameOf(messageId).slice(1))));
	};
	return all.toSorted((one, other) => firstMail(one) - firstMail(other))[0];
}

/** The rows of one made series, from its raw mails in any order, with the mailbox functions of the packages. */
export async function rowsInMailbox(raw: readonly Uint8Array[]): Promise<readonly VersionRow[]> {
	const all = await seriesOfThread(raw, wanted());
	const first = firstOf(all, ({ series }) => series);
	const newest = first && versionsOf(first, all).findLast(({ link }) => !isDoubtful(link))?.patchset;
	return all.map((each) => {
		const { series, thread } = each;
		return rowOf(
			versionOf(each),
			{ series, thread, trailers: trailersOfThread(thread, series) },
			each.id === newest?.id,
		);
	});
}
