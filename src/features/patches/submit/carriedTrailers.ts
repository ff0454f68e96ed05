import { trailersOf, withTrailer, type Trailer } from 'patchmail/series/commitTrailers.ts';
import { isKeepable, trailersOfUnchanged } from 'patchmail/series/earlierTrailers.ts';
import { patchIdentity } from 'patchmail/series/patchIdentity.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { SeriesMailOfCommit } from './commitMails.ts';

/** A trailer of an earlier version for the mails of some commits. */
export interface CarriedTrailer {
	readonly key: string;
	readonly value: string;
	/** Commits of this version, and the titles of their patches. */
	readonly commits: readonly { readonly id: string; readonly subject: string }[];
	/** False if the patches changed since: the person has not seen these changes. */
	readonly isUnchanged: boolean;
}

/** Local commits as a series, so that the comparisons of received series serve them, too. */
export function localReading(patches: readonly SeriesMailOfCommit[]): SeriesReading {
	const read = patches.flatMap(({ read: each }, at): readonly SeriesPatch[] => {
		const subject = each?.patch.subject ?? '';
		const reading = each && ({ kind: 'read', mail: each.mail } as const);
		const patch = reading && patchMailOf(reading, subject);
		const facts = { id: at + 1, messageId: '', parentId: undefined, createdMs: 0, subject, account: undefined };
		return reading && patch ? [{ index: at + 1, mail: { ...facts, reading }, patch }] : [];
	});
	const stat = { files: 0, added: 0, removed: 0 };
	return { cover: undefined, patches: read, count: patches.length, problems: [], stat };
}

/**
 * Trailers that people gave to the last version, or that its mails already carried, for patches with the same changes;
 * after them those for patches of the same title with other changes.
 */
export function carriedTrailers(
	patches: readonly SeriesMailOfCommit[],
	{ patchset: { version, id }, series, trailers }: PatchsetReview,
): readonly CarriedTrailer[] {
	const local = localReading(patches);
	// Carried by our own mail, so a reply gave it to a version before.
	const given = trailers.map(
		({ key, value, person, mailId, patchIndexes, isInPatch, isForOther, second, isOnlyToGit }): GivenTrailer => {
			const of = { key, value, person, mailId, patchIndexes, isOnlyToGit };
			return { ...of, isInPatch: false, isForOther: isForOther && !isInPatch, second };
		},
	);
	const same = trailersOfUnchanged(local, { version, id, series, trailers: given });
	const identities = new Set(local.patches.map(({ patch }) => patchIdentity(patch)));
	const byTitle = new Map(local.patches.map((each) => [each.patch.subject.toLowerCase(), each]));
	const changed = given.filter(isKeepable).map((trailer) => {
		const old = series.patches.filter(({ index }) => trailer.patchIndexes.includes(index));
		const others = old.filter(({ patch }) => !identities.has(patchIdentity(patch)));
		return {
			...trailer,
			patchIndexes: others.flatMap(({ patch }) => byTitle.get(patch.subject.toLowerCase())?.index ?? []),
		};
	});
	const carried = (all: readonly GivenTrailer[], isUnchanged: boolean): readonly CarriedTrailer[] =>
		all.flatMap(({ key, value, patchIndexes }) => {
			const commits = patchIndexes.flatMap((index) => {
				const patch = local.patches.find((each) => each.index === index)?.patch;
				const id = patches[index - 1]?.commit;
				return patch && id !== undefined && !hasTrailer(patch.message, { key, value })
					? [{ id, subject: patch.subject }]
					: [];
			});
			return commits.length === 0 ? [] : [{ key, value, commits, isUnchanged }];
		});
	return [...carried(same, true), ...carried(changed, false)];
}

function hasTrailer(message: string, trailer: Trailer): boolean {
	return (
		trailersOf(`Title\n\n${message}`).some(({ key }) => key === trailer.key) &&
		withTrailer(message, trailer) === message
	);
}
