import { maxOf } from '@forge-desk/base/longArrays.ts';
import { subjectPlace, type SubjectPlace } from './subjectPlace.ts';

/** A mail and the place in its subject. */
export interface Placed<T> {
	readonly mail: T;
	/** `undefined` without a patch subject; then the order of arrival decides. */
	readonly place: SubjectPlace | undefined;
	readonly index: number;
}

/** The mails of one version of a series. */
export interface SeriesMembers<T> {
	/** Cover letters by subject. */
	readonly covers: readonly Placed<T>[];
	/** In order of arrival. An index may occur more than once. */
	readonly patches: readonly Placed<T>[];
	/** The announced number of patches. */
	readonly count: number;
}

interface Choice<T> {
	/** The version, from the forge. */
	readonly version?: number | undefined;
	/** A mail that certainly belongs to the series. */
	readonly anchor?: T | undefined;
	readonly hasDiff: (mail: T) => boolean;
	/** True for a reply, even without `Re:`. */
	readonly isAnswer: (mail: T) => boolean;
	/** True for a patch by the forge's data, if it has any. Other mails only fill gaps. */
	readonly isCertain?: ((mail: T) => boolean) | undefined;
}

/**
 * Chooses the mails of one series from `mails` in order of arrival: the version of the anchor, else the wanted one,
 * else the one with most patches. Replies and mails outside the forge's list only fill gaps.
 */
export function seriesMembers<T extends { readonly subject: string }>(
	mails: readonly T[],
	{ version, anchor, hasDiff, isAnswer, isCertain }: Choice<T>,
): SeriesMembers<T> {
	const placed = mails.flatMap((mail): readonly Member<T>[] => {
		const place = subjectPlace(mail.subject) ?? (hasDiff(mail) ? subjectPlace(mail.subject, true) : undefined);
		return place !== undefined && (!isAnswer(mail) || hasDiff(mail) || isCertain?.(mail) === true)
			? [{ mail, place, index: place.index, isSent: isCertain?.(mail) ?? !isAnswer(mail) }]
			: [];
	});
	const versions = isCertain ? joinedVersions(placed) : undefined;
	const groups = Map.groupBy(placed, ({ place, isSent }) => {
		const joined = isSent ? versions?.get(place.count) : undefined;
		return `${joined ?? place.version} ${place.count}`;
	});
	const chosen = bestGroup(Array.from(groups.values()), version, anchor);
	if (chosen === undefined) {
		// Without patch subjects, the diffs decide.
		const patches = mails
			.filter((mail) => (isCertain?.(mail) ?? true) && !/^\s*re:/i.test(mail.subject) && hasDiff(mail))
			.map((mail, at) => ({ mail, place: undefined, index: at + 1 }));
		return { covers: [], patches, count: patches.length };
	}
	const sent = new Set(chosen.filter(({ isSent }) => isSent).map(({ index }) => index));
	const count = Math.max(1, chosen[0]!.place.count);
	const members = chosen.filter(({ isSent, index }) => isSent || (!sent.has(index) && index <= count));
	return {
		covers: members.filter(({ index, place }) => index === 0 && !place.isReply),
		patches: members.filter(({ index }) => index > 0),
		count,
	};
}

/**
 * The highest version for each count whose parts in the forge's list share it, although only some subjects have it.
 * Parts that repeat a number are two versions, which the forge took for one.
 */
function joinedVersions(placed: readonly Member<unknown>[]): ReadonlyMap<number, number> {
	const sent = Map.groupBy(
		placed.filter(({ isSent }) => isSent),
		({ place }) => place.count,
	);
	return new Map(
		Array.from(sent).flatMap(([count, group]): readonly (readonly [number, number])[] => {
			const isOnce = new Set(group.map(({ index }) => index)).size === group.length;
			return isOnce ? [[count, maxOf(group.map(({ place }) => place.version))]] : [];
		}),
	);
}

interface Member<T> extends Placed<T> {
	readonly place: SubjectPlace;
	/** A certain part, beyond a mere reply. */
	readonly isSent: boolean;
}

function bestGroup<T>(
	groups: readonly (readonly Member<T>[])[],
	version: number | undefined,
	anchor: T | undefined,
): readonly Member<T>[] | undefined {
	const sent = groups.filter((group) => group.some(({ isSent }) => isSent));
	const anchored = groups.find((group) => group.some(({ mail }) => mail === anchor));
	// A cover letter with another count announces another series.
	if (anchored !== undefined && (patchesIn(anchored) > 0 || sent.every((group) => patchesIn(group) === 0))) {
		return anchored;
	}
	const ofVersion = sent.filter((group) => group.some(({ place }) => place.version === version));
	const among = ofVersion.length > 0 ? ofVersion : sent;
	return among.reduce<readonly Member<T>[] | undefined>(
		(best, group) => (best === undefined || patchesIn(group) > patchesIn(best) ? group : best),
		undefined,
	);
}

function patchesIn(group: readonly Member<unknown>[]): number {
	return group.filter(({ index, isSent }) => index > 0 && isSent).length;
}
