import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { ownBefore } from 'patchmail/patch/ownBefore.ts';
import { wholeFile } from 'patchmail/patch/wholeFile.ts';
import type { FoundFiles, PlacedPatch } from '../../../editor/patchDocuments/patchDiffs.ts';
import { seriesOfPatchset } from '../../../editor/patchDocuments/patchInSeries.ts';
import { shownInBytes } from 'patchmail/series/diffInBytes.ts';
import type { PatchMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { SearchBudget } from '../../../store/repositories/history/historyReads.ts';
import type { HowFar } from '../../../store/wholeFiles/fileFinder.ts';
import { searchTitle, type FoundSeries, type WholeSearch } from './wholeSearch.ts';

/** Searches for all files of a series. */
export function searchedSeries(
	{ search }: { readonly search: WholeSearch },
	connection: Connection,
	ref: PatchsetRef,
	{ far, budget }: { readonly far: HowFar; readonly budget?: SearchBudget },
	signal: AbortSignal,
): Promise<FoundSeries> {
	return search.find(
		{
			connection,
			list: ref.list,
			read: (working) => seriesOfPatchset(connection, ref, working),
			wanted: ({ wanted }) =>
				wanted.patches.flatMap(({ diff }, patch) => diff.files.map((_, file) => ({ patch, file }))),
			title: searchTitle(undefined),
			budget,
		},
		far,
		signal,
	);
}

/** Patches of a series with their found files. */
export function placedSeries(
	connectionKey: string,
	ref: PatchsetRef,
	series: SeriesReading,
	found: FoundSeries,
): readonly PlacedPatch[] {
	return series.patches.map(({ mail, patch, index }): PlacedPatch => {
		const at = found.series?.mailIds.indexOf(mail.id) ?? -1;
		return {
			connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			mailId: mail.id,
			patch,
			number: series.count > 1 ? `${index}/${series.count}` : '',
			found: filesIn(found, at, patch),
		};
	});
}

/** Files of patch `at`. */
export function filesIn(found: FoundSeries | undefined, at: number, patch: PatchMail): FoundFiles {
	return {
		repository: found?.repository,
		file(place) {
			const searched = found?.file({ patch: at, file: place });
			if (searched) {
				return searched;
			}
			// The patch may contain the file completely.
			const { diff, diffText } = shownInBytes(patch);
			const file = diff.files[place];
			return file && ownBefore(diffText, file).kind !== 'wanted'
				? { whole: wholeFile({ text: diffText, file, before: undefined }), missing: undefined }
				: undefined;
		},
	};
}
