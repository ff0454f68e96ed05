import { listKey, type PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../store/connection.ts';
import { seriesMailOf } from '../../store/lists/patchsets/patchsetFacts.ts';
import { seriesAlone } from '../../store/lists/patchsets/seriesAlone.ts';
import { filesOfSeries, type WantedSeries } from '../../store/wholeFiles/wholeFiles.ts';
import type { PatchPlace } from './patchUri.ts';

/** Consecutive patches, with a request for their whole files. */
export interface PatchSeries {
	readonly wanted: Omit<WantedSeries, 'repository'>;
	/** Mail numbers by patch. */
	readonly mailIds: readonly number[];
	/** `2/4` by patch; empty for a single patch. */
	readonly numbers: readonly string[];
	/** Subject of the first mail. */
	readonly subject: string;
}

export async function seriesOfPatchset(
	sources: Connection,
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<PatchSeries> {
	return madeOf(sources, `${refText(ref.list)} ${ref.id}`, await seriesAlone(sources, ref, signal));
}

/** The patches of the mail's patchset; only this patch if the patchset is unknown. */
export async function seriesOfPatch(
	sources: Connection,
	{ list, patchsetId, mailId }: Pick<PatchPlace, 'list' | 'patchsetId' | 'mailId'>,
	signal: AbortSignal,
): Promise<PatchSeries> {
	const whole =
		patchsetId === undefined ? undefined : await seriesOfPatchset(sources, { list, id: patchsetId }, signal);
	if (whole?.mailIds.includes(mailId) === true) {
		return whole;
	}
	const mail = seriesMailOf(await sources.texts.read(mailId, signal));
	const patch = sources.texts.patchOf(mail);
	const patches = patch ? [{ mail, patch, index: 1 }] : [];
	return madeOf(sources, `${refText(list)} mail ${mailId}`, { cover: undefined, patches, count: 1 });
}

const mostRecent = 4;

/** `seriesOfPatch` with a small cache for series missing in `reviews`: every whole-file document needs its series. */
export function recentSeries(): typeof seriesOfPatch {
	const recent: { readonly of: Connection; readonly key: string; readonly series: PatchSeries }[] = [];
	return async (sources, place, signal) => {
		const { list, patchsetId, mailId } = place;
		const key = JSON.stringify([listKey(list), patchsetId ?? `mail ${mailId}`]);
		const known = recent.find((each) => each.of === sources && each.key === key)?.series;
		const isStanding = patchsetId !== undefined && sources.reviews.known({ list, id: patchsetId }) !== undefined;
		if (!isStanding && known?.mailIds.includes(mailId) === true) {
			return known;
		}
		const series = await seriesOfPatch(sources, place, signal);
		recent.unshift({ of: sources, key, series });
		recent.length = Math.min(recent.length, mostRecent);
		return series;
	};
}

function madeOf({ texts }: Connection, key: string, series: Pick<SeriesReading, 'cover' | 'patches' | 'count'>) {
	const mails = series.patches.map(({ mail }) => mail);
	return {
		wanted: { key, ...filesOfSeries(series, (mail) => texts.patchOf(mail)) },
		mailIds: mails.map(({ id }) => id),
		numbers: series.patches.map(({ index }) => (series.count > 1 ? `${index}/${series.count}` : '')),
		subject: mails[0]?.subject ?? '',
	};
}
