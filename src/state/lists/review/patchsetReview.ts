import type { Patchset, PatchsetRef } from '../../../forge/list.ts';
import type {
	GivenTrailer,
	NamedTicket,
	PullRequestMail,
	SeriesMail,
	SeriesReading,
} from '../../../series/seriesReading.ts';
import type { SuggestedStatus } from '../../../series/suggestions.ts';
import { versionOf } from '../../../series/versions.ts';
import type { VersionInThread } from '../../../series/versionsInThread.ts';

/** How two patchsets came to count as versions of one. */
export type VersionLink = 'forge' | 'subject' | 'byHand';

/** One version of a series. */
export interface SeriesVersion {
	readonly patchset: Patchset;
	/** How it was found; `undefined` for the patchset that was asked for. */
	readonly link: VersionLink | undefined;
}

export interface ThreadVersion extends VersionInThread {
	/** Number of the patchset in whose thread it is. */
	readonly of: number;
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
	/** Lowest version first, this one among them. */
	readonly versions: readonly SeriesVersion[];
	/** Versions that came as replies in the thread of this or another version, which the server makes no patchset of. */
	readonly versionsInThread: readonly ThreadVersion[];
	readonly suggestions: readonly StatusSuggestion[];
	/** What could not be read, so that something may be missing; a next reading tries it again. */
	readonly failures: readonly ReviewFailure[];
}

/** The newest version that came as a reply, where it is newer than the patchset. */
export function versionInThread(
	review: Pick<PatchsetReview, 'versionsInThread'> | undefined,
	patchset: Patchset,
): number | undefined {
	const newest = review?.versionsInThread.at(-1)?.version ?? 0;
	return newest > versionOf(patchset) ? newest : undefined;
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
