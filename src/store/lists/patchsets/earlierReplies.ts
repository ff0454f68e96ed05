import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { isKeepable, trailersOfUnchanged } from 'patchmail/series/earlierTrailers.ts';
import { patchIdentity } from 'patchmail/series/patchIdentity.ts';
import type { GivenTrailer, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { failureOfMails, type PatchsetReview, type ReviewFailure } from './patchsetReview.ts';

/** Trailers that earlier versions got for patches that did not change since. */
export interface EarlierReplies {
	/** Of the newest version first. */
	readonly trailers: readonly GivenTrailer[];
	readonly failure: ReviewFailure | undefined;
}

export const noEarlierReplies: EarlierReplies = { trailers: [], failure: undefined };

/** Versions to read, at some requests each. */
const most = 5;

/** Reads the last of these versions, lowest first. A failure drops only its version. */
export async function readEarlierReplies(
	series: SeriesReading,
	earlier: readonly { readonly version: number; readonly ref: PatchsetRef }[],
	{
		read,
		clock,
	}: {
		readonly read: (ref: PatchsetRef, signal: AbortSignal) => Promise<PatchsetReview>;
		readonly clock: Clock;
	},
	signal: AbortSignal,
): Promise<EarlierReplies> {
	const trailers: GivenTrailer[] = [];
	const turn = turns(clock);
	let failure: ReviewFailure | undefined;
	for (const { version, ref } of earlier.slice(-most).toReversed()) {
		try {
			const review = await read(ref, signal);
			const failed = failureOfMails(review);
			failure ??= failed && { ...failed, part: 'earlierReplies' };
			if (review.trailers.some(isKeepable)) {
				// A series may have hundreds of patches to hash.
				for (const { patch } of [...series.patches, ...review.series.patches]) {
					patchIdentity(patch);
					await turn(signal);
				}
				pushAll(trailers, trailersOfUnchanged(series, { ...review, version }));
			}
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { part: 'earlierReplies', error };
		}
	}
	return { trailers, failure };
}
