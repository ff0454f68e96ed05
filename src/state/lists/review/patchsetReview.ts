import type { Patchset, PatchsetRef } from '../../../forge/list.ts';
import type {
	GivenTrailer,
	NamedTicket,
	PullRequestMail,
	SeriesMail,
	SeriesReading,
} from '../../../series/seriesReading.ts';
import type { StatedVersions } from '../../../series/statedVersions.ts';
import type { SuggestedStatus } from '../../../series/suggestions.ts';
import type { VersionLink } from '../../../series/versions.ts';

/** One version of a series. */
export interface SeriesVersion {
	readonly patchset: Patchset;
	/** How it was found; `undefined` for the patchset that was asked for. */
	readonly link: VersionLink | undefined;
}

/** A status that the facts speak for; it is never set by itself. */
export type StatusSuggestion = SuggestedStatus<VersionLink>;

/** Everything that is known of a patchset. */
export interface PatchsetReview {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly series: SeriesReading;
	/** Every mail of the conversation that could be read, patches and cover letter included, in reading order. */
	readonly mails: readonly SeriesMail[];
	/** Number of the conversation's first mail, for opening it. */
	readonly threadId: number | undefined;
	readonly trailers: readonly GivenTrailer[];
	readonly pullRequest: PullRequestMail | undefined;
	readonly tickets: readonly NamedTicket[];
	readonly stated: StatedVersions;
	/** Lowest version first, this one among them. */
	readonly versions: readonly SeriesVersion[];
	readonly suggestions: readonly StatusSuggestion[];
	/** What could not be read, so that something may be missing; a next reading tries it again. */
	readonly failures: readonly ReviewFailure[];
}

/** A part of a standing that could not be read. `error` as it was thrown. */
export interface ReviewFailure {
	readonly part: 'thread' | 'mails' | 'versions';
	readonly error: unknown;
	/** When it was read that is shown all the same. */
	readonly readAtMs?: number;
}

/** Why mails of the conversation may be missing; `undefined` where all were read. Other versions are no part of it. */
export function failureOfMails({ failures }: Pick<PatchsetReview, 'failures'>): ReviewFailure | undefined {
	return failures.find(({ part }) => part !== 'versions');
}
