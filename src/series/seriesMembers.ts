import { subjectPlace, type SubjectPlace } from './subjectPlace.ts';

/** A mail and the place that its subject gives it. */
export interface Placed<T> {
	readonly mail: T;
	/** `undefined` where no subject speaks of a patch, so that the order of arrival has to do. */
	readonly place: SubjectPlace | undefined;
	readonly index: number;
}

/** The mails of one version of a series, told apart from everything else in a conversation. */
export interface SeriesMembers<T> {
	/** Mails that say of themselves that they are the cover letter. */
	readonly covers: readonly Placed<T>[];
	/** In order of arrival; an index may stand in it more than once. */
	readonly patches: readonly Placed<T>[];
	/** How many patches the subjects announce. */
	readonly count: number;
}

interface Choice<T> {
	/** Which version, where the forge says so. */
	readonly version?: number | undefined;
	/** A mail that belongs to the series for certain. */
	readonly anchor?: T | undefined;
	readonly hasDiff: (mail: T) => boolean;
	/** Whether a mail answers another one, whatever its subject says. */
	readonly isAnswer: (mail: T) => boolean;
	/** Where the forge knows which mails are the patches: whether this is one. Others only fill gaps. */
	readonly isCertain?: ((mail: T) => boolean) | undefined;
}

/**
 * Chooses the mails of one series among `mails`, which are in order of arrival: those of the anchor's version, else of
 * the wanted one, else of that with most patches. Answers, and what the forge does not call a patch of the series, count
 * only for parts that were not sent otherwise.
 */
export function seriesMembers<T extends { readonly subject: string }>(
	mails: readonly T[],
	{ version, anchor, hasDiff, isAnswer, isCertain }: Choice<T>,
): SeriesMembers<T> {
	const groups = new Map<string, Member<T>[]>();
	for (const mail of mails) {
		const place = subjectPlace(mail.subject);
		if (place !== undefined && (!isAnswer(mail) || hasDiff(mail) || isCertain?.(mail) === true)) {
			const key = `${place.version} ${place.count}`;
			const group = groups.get(key) ?? [];
			group.push({ mail, place, index: place.index, isSent: isCertain?.(mail) ?? !isAnswer(mail) });
			groups.set(key, group);
		}
	}
	const chosen = bestGroup(Array.from(groups.values()), version, anchor);
	return chosen === undefined
		? unnumbered(
				mails.filter((mail) => isCertain?.(mail) ?? true),
				hasDiff,
			)
		: membersOf(chosen);
}

interface Member<T> extends Placed<T> {
	readonly place: SubjectPlace;
	/** For certain, not only as an answer. */
	readonly isSent: boolean;
}

function bestGroup<T>(
	groups: readonly (readonly Member<T>[])[],
	version: number | undefined,
	anchor: T | undefined,
): readonly Member<T>[] | undefined {
	const sent = groups.filter((group) => group.some(({ isSent }) => isSent));
	const anchored = groups.find((group) => group.some(({ mail }) => mail === anchor));
	// A cover letter that announces other patches than there are says nothing of those.
	if (anchored !== undefined && (patchesIn(anchored) > 0 || sent.every((group) => patchesIn(group) === 0))) {
		return anchored;
	}
	const ofVersion = sent.filter((group) => group[0]?.place.version === version);
	const among = ofVersion.length > 0 ? ofVersion : sent;
	return among.reduce<readonly Member<T>[] | undefined>(
		(best, group) => (best === undefined || patchesIn(group) > patchesIn(best) ? group : best),
		undefined,
	);
}

function patchesIn(group: readonly Member<unknown>[]): number {
	return group.filter(({ index, isSent }) => index > 0 && isSent).length;
}

function membersOf<T>(group: readonly Member<T>[]): SeriesMembers<T> {
	const sent = new Set(group.filter(({ isSent }) => isSent).map(({ index }) => index));
	const members = group.filter(({ isSent, index }) => isSent || !sent.has(index));
	return {
		covers: members.filter(({ index, place }) => index === 0 && !place.isReply),
		patches: members.filter(({ index }) => index > 0),
		count: Math.max(1, group[0]?.place.count ?? 1),
	};
}

/** Nobody speaks of patches: the diffs are what there is. */
function unnumbered<T extends { readonly subject: string }>(
	mails: readonly T[],
	hasDiff: (mail: T) => boolean,
): SeriesMembers<T> {
	const patches = mails
		.filter((mail) => !/^\s*re:/i.test(mail.subject) && hasDiff(mail))
		.map((mail, at) => ({ mail, place: undefined, index: at + 1 }));
	return { covers: [], patches, count: patches.length };
}
