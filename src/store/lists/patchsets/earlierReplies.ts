import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { giftsOf, type Gift } from 'patchmail/series/comparedTrailers.ts';
import { trailersOfUnchanged } from 'patchmail/series/earlierTrailers.ts';
import { patchIdentity } from 'patchmail/series/patchIdentity.ts';
import type { GivenTrailer, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { failureOfMails, type PatchsetReview, type ReviewFailure } from './patchsetReview.ts';

/** Trailers that earlier versions got, those of the newest version first. */
export interface EarlierReplies {
	/** For patches that did not change since. */
	readonly trailers: readonly GivenTrailer[];
	/** For any patches; `undefined` before the first read. */
	readonly gifts: readonly Gift[] | undefined;
	readonly failure: ReviewFailure | undefined;
}

export const noEarlierReplies: EarlierReplies = { trailers: [], gifts: undefined, failure: undefined };

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
	const gifts: Gift[] = [];
	const turn = turns(clock);
	// A series may have hundreds of patches to hash.
	const hashAll = async ({ patches }: SeriesReading): Promise<void> => {
		for (const { patch } of patches) {
			patchIdentity(patch);
			await turn(signal);
		}
	};
	await hashAll(series);
	let failure: ReviewFailure | undefined;
	for (const { version, ref } of earlier.slice(-most).toReversed()) {
		try {
			const review = await read(ref, signal);
			const failed = failureOfMails(review);
			failure ??= failed && { ...failed, part: 'earlierReplies' };
			await hashAll(review.series);
			const given = { ...review, version, id: ref.id };
			pushAll(trailers, trailersOfUnchanged(series, given));
			pushAll(gifts, giftsOf(given));
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { part: 'earlierReplies', error };
		}
	}
	return { trailers, gifts, failure };
}
