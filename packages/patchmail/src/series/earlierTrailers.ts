import { patchIdentity } from './patchIdentity.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from './seriesReading.ts';
import { personKey } from './trailerLines.ts';

/** An earlier version of a series. */
export interface EarlierVersion {
	readonly version: number;
	/** Number of its patchset. */
	readonly id: number;
	readonly series: SeriesReading;
	readonly trailers: readonly GivenTrailer[];
}

/** True if a later version may keep it: its person sent it in a reply to this version, perhaps by a second address. */
function isKeepable({ isInPatch, isForOther, second, earlierVersion }: GivenTrailer): boolean {
	return !isInPatch && (!isForOther || second !== undefined) && earlierVersion === undefined;
}

/** Trailers that people gave to patches of an earlier version, for those patches of `later` that make the same changes. */
export function trailersOfUnchanged(
	later: SeriesReading,
	{ version, series, trailers }: EarlierVersion,
): readonly GivenTrailer[] {
	const kept = trailers.filter(isKeepable);
	if (kept.length === 0) {
		return [];
	}
	const now = Map.groupBy(later.patches, ({ patch }) => patchIdentity(patch));
	const before = new Map(series.patches.map(({ index, patch }) => [index, patchIdentity(patch)]));
	return kept.flatMap((trailer) => {
		const identities = new Set(trailer.patchIndexes.flatMap((index) => before.get(index) ?? []));
		const patchIndexes = [...identities]
			.flatMap((identity) => now.get(identity) ?? [])
			.map(({ index }) => index)
			.toSorted((a, b) => a - b);
		return patchIndexes.length === 0 ? [] : [{ ...trailer, patchIndexes, earlierVersion: version }];
	});
}

/**
 * Trailers of a version, in its patches or given to them, for the next one. Each goes to the patches with the same
 * changes, or else with the same title. Says nothing about their bytes.
 */
export function trailersForNext(
	next: readonly SeriesPatch[],
	{ version, series, trailers }: EarlierVersion,
): readonly GivenTrailer[] {
	const byChanges = Map.groupBy(next, ({ patch }) => patchIdentity(patch));
	const byTitle = Map.groupBy(next, ({ patch }) => patch.subject.toLowerCase());
	const places = new Map(
		series.patches.map(({ index, patch }) => {
			const identity = patchIdentity(patch);
			const same = identity === undefined ? undefined : byChanges.get(identity);
			return [index, same ?? byTitle.get(patch.subject.toLowerCase()) ?? []];
		}),
	);
	return trailers
		.filter((each) => !each.isOnlyToGit && (each.isInPatch || !each.isForOther || each.second !== undefined))
		.flatMap((trailer) => {
			const found = trailer.patchIndexes.flatMap((index) => places.get(index) ?? []);
			const patchIndexes = [...new Set(found.map(({ index }) => index))].toSorted((a, b) => a - b);
			// Of an earlier version, so that its mail alone is no evidence.
			return patchIndexes.length === 0 ? [] : [{ ...trailer, patchIndexes, isInPatch: false, earlierVersion: version }];
		});
}

/**
 * Trailers of a version with undoubted ones of earlier versions, newest first. Each person counts once per patch. A
 * person's own earlier trailer replaces one that another person sent.
 */
export function withEarlierTrailers(
	now: readonly GivenTrailer[],
	all: readonly GivenTrailer[],
): readonly GivenTrailer[] {
	const earlier = all.filter(({ isForOther }) => !isForOther);
	if (earlier.length === 0) {
		return now;
	}
	const taken = new Map<string, Set<number>>();
	const rest = new Map<GivenTrailer, readonly number[]>();
	const isDoubtful = ({ isForOther, isInPatch }: GivenTrailer): boolean => isForOther && !isInPatch;
	const ranked = [...now.filter((each) => !isDoubtful(each)), ...earlier, ...now.filter(isDoubtful)];
	for (const trailer of ranked) {
		const key = `${trailer.key} ${personKey(trailer.person)}`;
		const before = taken.get(key) ?? new Set();
		rest.set(
			trailer,
			trailer.patchIndexes.filter((index) => !before.has(index)),
		);
		taken.set(key, new Set([...before, ...trailer.patchIndexes]));
	}
	return [...now, ...earlier].flatMap((trailer) => {
		const patchIndexes = rest.get(trailer) ?? [];
		return patchIndexes.length === 0 ? [] : [{ ...trailer, patchIndexes }];
	});
}
