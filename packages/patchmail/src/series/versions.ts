import type { ListedPatchset } from './listedPatchset.ts';
import { senderIn } from '../mail/onlySender.ts';
import { senderRelation, type Likeness } from './likeness.ts';

/**
 * Reason for a version link. `patches`: most patches of the sender are equal. `person`: `subject`, by a proven second
 * address. `claimed`: another sender states it or sent the version. `perhaps`: weaker evidence than `patches`. Both decide
 * nothing.
 */
export type VersionLink =
	| 'forge'
	| 'thread'
	| 'stated'
	| 'subject'
	| 'byHand'
	| 'patches'
	| 'person'
	| 'claimed'
	| 'perhaps';

/** True if a link decides nothing: no status, no default, no trailers. */
export function isDoubtful(link: VersionLink | undefined): boolean {
	return link === 'claimed' || link === 'perhaps';
}

type Pair = readonly [number, number];
type Neighbours = ReadonlyMap<number, readonly number[]>;
type Way = readonly [link: VersionLink, neighbours: Neighbours];

/** Links from people and mails, as pairs in either order. */
export interface VersionCorrections {
	readonly linked: readonly Pair[];
	readonly unlinked: readonly Pair[];
	/** From mails (`statedVersions.ts`). */
	readonly stated: readonly Pair[];
	/** Patchsets with equal patches. */
	readonly alike?: readonly Likeness[];
	/** Proven second addresses, as from `addressPair`. */
	readonly samePeople?: ReadonlySet<string>;
}

/** A version and its link; `undefined` for the requested patchset. */
export interface FoundVersion<P extends ListedPatchset> {
	readonly patchset: P;
	readonly link: VersionLink | undefined;
	/** Evidence of `patches`, and of `claimed` and `perhaps` if there is some. */
	readonly likeness?: Likeness | undefined;
}

/** Numbers of the versions before and after a patchset, if the server states them or the thread shows them. */
export function namedBy({ supersededById, supersedesId, formed }: ListedPatchset): readonly number[] {
	return [supersededById, supersedesId, ...(formed?.ofServer ?? [])].filter((id) => id !== undefined);
}

/** The links among patchsets. `told`: by people, servers and mails. `certain` guesses, too; `doubted` decides nothing. */
function waysAmong(byId: ReadonlyMap<number, ListedPatchset>, corrections: VersionCorrections) {
	// The same links win for every input order.
	const all = Array.from(byId.values()).toSorted((one, other) => one.id - other.id);
	const namedIn = (patchsets: readonly ListedPatchset[]): Neighbours =>
		neighboursOf(patchsets.flatMap((each) => namedBy(each).map((other): Pair => [each.id, other])));
	const isFormed = ({ formed }: ListedPatchset): boolean => formed !== undefined;
	// Nobody's name alone proves that a version is his.
	const isByOther = ({ formed }: ListedPatchset): boolean =>
		formed !== undefined && (formed.isByOther || !formed.isSenderCertain);
	const ofOneSender = corrections.stated.filter((pair) => {
		const [one, other] = pair.map((id) => byId.get(id)).map((each) => each && senderOf(each));
		return one !== '' && one === other;
	});
	const { samePeople = new Set<string>() } = corrections;
	const told: readonly Way[] = [
		['byHand', neighboursOf(corrections.linked)],
		['forge', namedIn(all.filter((each) => !isFormed(each)))],
		['thread', namedIn(all.filter((each) => isFormed(each) && !isByOther(each)))],
		['stated', neighboursOf(ofOneSender)],
	];
	// Links each version with the previous and the first one, so a manual unlink leaves the others connected.
	const guessed = (senderIs: (each: ListedPatchset) => string): Neighbours =>
		neighboursOf(
			sequences(all, senderIs).flatMap((run) =>
				run.slice(1).flatMap(({ id }, at): readonly Pair[] => [
					[run[at]!.id, id],
					[run[0]!.id, id],
				]),
			),
		);
	const alike = (corrections.alike ?? []).flatMap((likeness): readonly AlikePair[] => {
		const [one, other] = likeness.ids.map((id) => byId.get(id));
		return one && other ? [{ likeness, link: linkOfAlike(one, other, likeness, samePeople) }] : [];
	});
	const pairsOf = (link: VersionLink): readonly Pair[] =>
		alike.filter((each) => each.link === link).map(({ likeness: { ids } }) => ids);
	const certain: readonly Way[] = [
		...told,
		['subject', guessed(senderOf)],
		['patches', neighboursOf(pairsOf('patches'))],
		...(samePeople.size > 0 ? [['person', guessed(oneAddressOf(samePeople))] as const] : []),
	];
	const ofOthers = all.filter(isByOther).flatMap((each) => namedBy(each).map((other): Pair => [each.id, other]));
	const doubted: readonly Way[] = [
		['claimed', neighboursOf([...corrections.stated, ...ofOthers, ...pairsOf('claimed')])],
		['perhaps', neighboursOf(pairsOf('perhaps'))],
	];
	return { told, certain, doubted, alike };
}

/**
 * All versions of a patchset among `candidates`, including itself, lowest first. Links in order of precedence: manual,
 * server, common thread, mail of the same sender, equal patches of one sender, and subject, prefix and sender in one rising
 * sequence. Links are transitive, except those that decide nothing. Omits manually unlinked versions. Takes time n·log n.
 */
export function versionsAmong<P extends ListedPatchset>(
	patchset: P,
	candidates: readonly P[],
	corrections: VersionCorrections,
): readonly FoundVersion<P>[] {
	const byId = new Map([...candidates, patchset].map((each) => [each.id, each]));
	const ways = waysAmong(byId, corrections);
	const without = neighboursOf(corrections.unlinked).get(patchset.id) ?? [];
	const found = new Map<number, VersionLink | undefined>([[patchset.id, undefined]]);
	const note = (id: number, link: VersionLink): void => {
		if (byId.has(id) && !without.includes(id) && !found.has(id)) {
			found.set(id, link);
		}
	};
	// Links from people and the server come first, since guesses are weaker.
	follow(found, ways.told, note);
	follow(found, ways.certain, note);
	const certain = [...found.keys()];
	for (const [link, neighbours] of ways.doubted) {
		certain.flatMap((id) => neighbours.get(id) ?? []).forEach((id) => note(id, link));
	}
	const likenessOf = (id: number): Likeness | undefined =>
		ways.alike.find(
			({ likeness: { ids } }) => ids.includes(id) && ids.some((each) => each !== id && certain.includes(each)),
		)?.likeness;
	return Array.from(found)
		.map(([id, link]): FoundVersion<P> => {
			const likeness = link === 'patches' || isDoubtful(link) ? likenessOf(id) : undefined;
			return { patchset: byId.get(id)!, link, ...(likeness ? { likeness } : {}) };
		})
		.toSorted((one, other) => byVersion(one.patchset, other.patchset));
}

/** Versions of a patchset in short. */
export interface OtherVersions<P extends ListedPatchset> {
	/** Replaces the patchset. */
	readonly newest: P | undefined;
	/** With claimed ones. */
	readonly hasOthers: boolean;
}

/** `versionsAmong` in short, for each patchset by its number. Takes time n·log n for all. */
export function otherVersions<P extends ListedPatchset>(
	patchsets: readonly P[],
	corrections: VersionCorrections,
): ReadonlyMap<number, OtherVersions<P>> {
	const byId = new Map(patchsets.map((each) => [each.id, each]));
	const { certain, doubted } = waysAmong(byId, corrections);
	const unlinked = neighboursOf(corrections.unlinked);
	const all = new Map<number, OtherVersions<P>>();
	for (const start of byId.keys()) {
		if (all.has(start)) {
			continue;
		}
		const without = unlinked.get(start) ?? [];
		const isSeen = (id: number): boolean => byId.has(id) && !without.includes(id);
		const found = new Set([start]);
		follow(found, certain, (id) => void (isSeen(id) && found.add(id)));
		const [newest] = Array.from(found, (id) => byId.get(id)!)
			.filter(isWhole)
			.toSorted((one, other) => byVersion(other, one));
		// The versions have the same answer, unless somebody unlinked one.
		for (const id of without.length > 0 ? [start] : [...found].filter((each) => !unlinked.has(each))) {
			const isReplaced = newest !== undefined && byVersion(newest, byId.get(id)!) > 0;
			const isClaimed = doubted.some(([, near]) => near.get(id)?.some((each) => each !== id && isSeen(each)));
			all.set(id, { newest: isReplaced ? newest : undefined, hasOthers: found.size > 1 || isClaimed });
		}
	}
	return all;
}

/**
 * True if a version replaces a patchset: of a higher number, or sent later with the same one. A version of another
 * sender and one without all its patches replace nothing.
 */
export function replaces<P extends ListedPatchset>({ patchset, link }: FoundVersion<P>, of: ListedPatchset): boolean {
	return link !== undefined && !isDoubtful(link) && isWhole(patchset) && byVersion(patchset, of) > 0;
}

function isWhole({ formed }: ListedPatchset): boolean {
	return formed?.isComplete !== false;
}

function byVersion(one: ListedPatchset, other: ListedPatchset): number {
	return versionOf(one) - versionOf(other) || byAge(one, other);
}

interface AlikePair {
	readonly likeness: Likeness;
	readonly link: VersionLink;
}

/** Equal patches decide only between versions with different numbers of one sender. */
function linkOfAlike(
	one: ListedPatchset,
	other: ListedPatchset,
	{ equal, of }: Likeness,
	samePeople: ReadonlySet<string>,
): VersionLink {
	switch (senderRelation(one.submitter ?? '', other.submitter ?? '', samePeople)) {
		case 'same':
		case 'proven': {
			const isByOther = [one, other].some(
				({ formed }) => formed?.isByOther === true || formed?.isSenderCertain === false,
			);
			return !isByOther && equal * 2 > of && versionOf(one) !== versionOf(other) ? 'patches' : 'perhaps';
		}
		case 'sameName':
			return 'perhaps';
		case 'other':
			return 'claimed';
	}
}

/** Maps a patchset to one address of its sender. */
function oneAddressOf(pairs: ReadonlySet<string>): (each: ListedPatchset) => string {
	const above = new Map<string, string>();
	const firstOf = (address: string): string => {
		let first = address;
		for (let next = above.get(first); next !== undefined; next = above.get(first)) {
			first = next;
		}
		return first;
	};
	for (const pair of pairs) {
		const [one = '', other = ''] = pair.split(' ').map(firstOf);
		if (one !== other) {
			above.set(other, one);
		}
	}
	return (each) => firstOf(senderOf(each));
}

/** True if drafts on a patchset may move to a version: it replaces the patchset, and its sender is certain. */
export function takesDrafts<P extends ListedPatchset>(found: FoundVersion<P>, of: ListedPatchset): boolean {
	const { formed } = found.patchset;
	return replaces(found, of) && formed?.isByOther !== true && formed?.isSenderCertain !== false;
}

/** Follows links transitively. */
function follow(
	found: { readonly keys: () => Iterable<number> },
	ways: readonly Way[],
	note: (id: number, link: VersionLink) => void,
): void {
	for (const id of found.keys()) {
		for (const [link, neighbours] of ways) {
			neighbours.get(id)?.forEach((next) => note(next, link));
		}
	}
}

/** The version that the sender means: 2 for `[PATCH v2 proj]`, whatever the server says. */
export function versionOf({ version, prefix }: ListedPatchset): number {
	const meant = prefixWords(prefix).find((word) => versionWord.test(word));
	return meant === undefined ? version : Number.parseInt(meant.slice(1), 10);
}

/** `v6` or `v6-rebased`, as in `subjectPlace.ts`. */
const versionWord = /^v\d{1,4}(?:[-_+][a-z]\S{0,60})?$/;

/** Words in the brackets of a subject, in lower case. */
export function prefixWords(prefix: string | undefined): readonly string[] {
	return (prefix ?? '').toLowerCase().slice(0, 300).split(/\s/);
}

function byAge(a: ListedPatchset, b: ListedPatchset): number {
	return a.createdMs - b.createdMs || a.id - b.id;
}

/** Adjacency lists, in both directions. */
function neighboursOf(pairs: readonly Pair[]): Neighbours {
	const neighbours = new Map<number, number[]>();
	const join = (a: number, b: number): void => {
		const known = neighbours.get(a);
		if (known === undefined) {
			neighbours.set(a, [b]);
		} else {
			known.push(b);
		}
	};
	for (const [a, b] of pairs) {
		join(a, b);
		join(b, a);
	}
	return neighbours;
}

/** Prefix words for the stage of a version. They identify no series. */
const stageWord = /^(?:rfc|resend|repost|rebased|changed|updated)$/;

export function hasStageWord(prefix: string | undefined): boolean {
	return prefixWords(prefix).some((word) => stageWord.test(word));
}

/**
 * Splits patchsets with equal keys into runs of non-falling versions. A repeated version continues the run if its
 * number or prefix rules out a new series.
 */
function sequences(
	patchsets: readonly ListedPatchset[],
	senderIs: (each: ListedPatchset) => string,
): readonly (readonly ListedPatchset[])[] {
	const open = new Map<string, ListedPatchset[]>();
	const all: ListedPatchset[][] = [];
	for (const each of patchsets.toSorted(byAge)) {
		const { subject, prefix } = each;
		const sender = senderIs(each);
		const title = subject.length > longestSubject ? '' : versionTitle(subject);
		const words = prefixWords(prefix).filter((word) => word !== '' && !versionWord.test(word) && !stageWord.test(word));
		const key = sender === '' || title === '' ? undefined : JSON.stringify([title, words, sender]);
		if (key === undefined) {
			continue;
		}
		const run = open.get(key);
		if (run !== undefined && goesOn(run.at(-1)!, each)) {
			run.push(each);
		} else {
			const begun = [each];
			open.set(key, begun);
			all.push(begun);
		}
	}
	return all;
}

function goesOn(last: ListedPatchset, next: ListedPatchset): boolean {
	const hasStage = [last, next].some(({ prefix }) => hasStageWord(prefix));
	const rise = versionOf(next) - versionOf(last);
	return rise > 0 || (rise === 0 && (versionOf(next) > 1 || hasStage));
}

/** Longer subjects are abuse and slow to parse. */
const longestSubject = 10_000;

/** An address or account; empty in doubt. */
function senderOf({ submitter, coverLetter }: ListedPatchset): string {
	const address = submitter === undefined ? undefined : senderIn(submitter)?.address.toLowerCase();
	return address ?? coverLetter?.sender?.canonicalName ?? '';
}

/** The common form of the subject of all versions. */
export function versionTitle(subject: string): string {
	return subject.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
