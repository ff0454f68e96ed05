import type { Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type {
	GivenTrailer,
	NamedTicket,
	PullRequestMail,
	SeriesMail,
	SeriesReading,
} from 'patchmail/series/seriesReading.ts';
import type { StatedVersions } from 'patchmail/series/statedVersions.ts';
import type { SuggestedStatus } from 'patchmail/series/suggestions.ts';
import type { FoundVersion } from 'patchmail/series/versions.ts';

export type SeriesVersion = FoundVersion<Patchset>;

/** A suggestion; nothing sets it automatically. */
export type StatusSuggestion = SuggestedStatus<Patchset>;

export interface PatchsetReview {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly series: SeriesReading;
	/** All readable mails of the thread with cover letter and patches, in reading order. */
	readonly mails: readonly SeriesMail[];
	/** Number of the first mail of the thread. */
	readonly threadId: number | undefined;
	readonly trailers: readonly GivenTrailer[];
	readonly pullRequest: PullRequestMail | undefined;
	readonly tickets: readonly NamedTicket[];
	readonly stated: StatedVersions;
	/** Lowest version first, including this one. */
	readonly versions: readonly SeriesVersion[];
	readonly suggestions: readonly StatusSuggestion[];
	/** Failed parts. The next read retries them. */
	readonly failures: readonly ReviewFailure[];
}

/** A failed part of a review. `error` as thrown. */
export interface ReviewFailure {
	readonly part: 'thread' | 'mails' | 'versions' | 'earlierReplies';
	readonly error: unknown;
	/** Age of the data that the view shows instead. */
	readonly readAtMs?: number;
}

/** Failure that hides mails of the thread, if any. Ignores those of other versions. */
export function failureOfMails({ failures }: Pick<PatchsetReview, 'failures'>): ReviewFailure | undefined {
	return failures.find(({ part }) => part === 'thread' || part === 'mails');
}
