import type { Clock } from '@forge-desk/base/clock.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { openQuestions } from 'patchmail/review/openQuestions.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { reviewThreads, type ReviewThread } from 'patchmail/review/reviewThreads.ts';
import type { SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';

/** Review from the replies to a patchset. */
export interface RepliesReview {
	readonly series: SeriesReading;
	/** In reading order. */
	readonly threads: readonly ReviewThread[];
	/** Questions without an answer by others. */
	readonly open: ReadonlySet<ReviewComment>;
}

/** Reviews of patchsets. Parses each thread once, in slices. */
export type PatchsetReviews = ReturnType<typeof patchsetReviews>;

export function patchsetReviews(clock: Clock) {
	/** By the mail array of a review, whose identity changes with its content. */
	const known = new WeakMap<readonly SeriesMail[], RepliesReview>();
	const names = new WeakMap<readonly SeriesMail[], string>();
	const reads = new SharedReads<RepliesReview>();
	const rest = resting(clock);
	let named = 0;

	return {
		/** Makes no requests: uses the loaded mails. */
		async of({ mails, series }: PatchsetReview, signal: AbortSignal): Promise<RepliesReview> {
			const before = known.get(mails);
			if (before) {
				return before;
			}
			const name = names.get(mails) ?? String((named += 1));
			names.set(mails, name);
			return await reads.read(
				name,
				async (shared) => {
					const comments = await runResting(reviewComments(mails, series), rest, shared);
					const review = { series, threads: reviewThreads(comments, series), open: openQuestions(comments) };
					known.set(mails, review);
					return review;
				},
				signal,
			);
		},
		dispose: () => reads.abortAll(),
	};
}
