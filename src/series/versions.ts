import { firstMailOfFormed, type Patchset } from '../forge/list.ts';
import { senderIn } from '../mail/onlySender.ts';

/** Why two patchsets are versions of one. `claimed`: a mail of another sender states it, so it decides nothing. */
export type VersionLink = 'forge' | 'thread' | 'stated' | 'subject' | 'byHand' | 'claimed';

type Pair = readonly [number, number];
type Neighbours = ReadonlyMap<number, readonly number[]>;
type Way = readonly [link: VersionLink, neighbours: Neighbours];

/** Links of people and of mails, as pairs of patchset numbers in either order. */
export interface VersionCorrections {
	readonly linked: readonly Pair[];
	readonly unlinked: readonly Pair[];
	/** Stated by mails (`statedVersions.ts`). */
	readonly stated: readonly Pair[];
}

/** One version of a series, and how it was found; `undefined` for the patchset that was asked for. */
interface FoundVersion {
	readonly patchset: Patchset;
	readonly link: VersionLink | undefined;
}

/** The numbers of the versions before and after a patchset, as far as the server tells them with it. */
export function namedBy({ supersededById, supersedesId }: Patchset): readonly number[] {
	return [supersededById, supersedesId].filter((id) => id !== undefined);
}

/**
 * All versions of a patchset among `candidates`, lowest first, itself among them. The links, in order of precedence: by
 * hand, by the server, by a common thread, by a mail of the same sender, by subject, prefix and sender in one sequence of
 * rising versions. Versions of versions count, except those that only a mail of another sender states. Versions that were
 * unlinked by hand are left out. Takes time n·log n.
 */
export function versionsAmong(
	patchset: Patchset,
	candidates: readonly Patchset[],
	corrections: VersionCorrections,
): readonly FoundVersion[] {
	const byId = new Map([...candidates, patchset].map((each) => [each.id, each]));
	// In whatever order they come, the same links are found first.
	const all = Array.from(byId.values()).toSorted((one, other) => one.id - other.id);
	const without = new Set(partners(patchset.id, corrections.unlinked));
	const namedIn = (patchsets: readonly Patchset[]): Neighbours =>
		neighboursOf(patchsets.flatMap((each) => namedBy(each).map((other): Pair => [each.id, other])));
	const isFormed = ({ id }: Patchset): boolean => firstMailOfFormed(id) !== undefined;
	const told: readonly Way[] = [
		['byHand', neighboursOf(corrections.linked)],
		['forge', namedIn(all.filter((each) => !isFormed(each)))],
		['thread', namedIn(all.filter(isFormed))],
		['stated', neighboursOf(corrections.stated.filter((pair) => isOfOneSender(pair, byId)))],
	];
	const found = new Map<number, VersionLink | undefined>([[patchset.id, undefined]]);
	const note = (id: number, link: VersionLink): void => {
		if (byId.has(id) && !without.has(id) && !found.has(id)) {
			found.set(id, link);
		}
	};
	// All that people or the server say is looked for first: it is better known than what is guessed.
	follow(found, told, note);
	follow(found, [...told, ['subject', neighboursOf(sequences(all).flatMap(pairsIn))]], note);
	const claims = neighboursOf(corrections.stated);
	[...found.keys()].flatMap((id) => claims.get(id) ?? []).forEach((id) => note(id, 'claimed'));
	return Array.from(found)
		.flatMap(([id, link]): readonly FoundVersion[] => {
			const each = byId.get(id);
			return each === undefined ? [] : [{ patchset: each, link }];
		})
		.toSorted(
			(one, other) => versionOf(one.patchset) - versionOf(other.patchset) || byAge(one.patchset, other.patchset),
		);
}

/** Goes everywhere that the ways lead to; what is noted on the way is gone on from, too. */
function follow(
	found: ReadonlyMap<number, unknown>,
	ways: readonly Way[],
	note: (id: number, link: VersionLink) => void,
): void {
	for (const id of found.keys()) {
		for (const [link, neighbours] of ways) {
			neighbours.get(id)?.forEach((next) => note(next, link));
		}
	}
}

/** The version as its sender means it: `[PATCH v2 proj]` is a second one, whatever the server makes of it. */
export function versionOf({ version, prefix }: Patchset): number {
	const meant = prefixWords(prefix).find((word) => versionWord.test(word));
	return meant === undefined ? version : Number(meant.slice(1));
}

const versionWord = /^v\d{1,4}$/;

function prefixWords(prefix: string | undefined): readonly string[] {
	return (prefix ?? '').toLowerCase().slice(0, 300).split(/\s+/);
}

function byAge(a: Patchset, b: Patchset): number {
	return a.createdMs - b.createdMs || a.id - b.id;
}

function partners(id: number, pairs: readonly Pair[]): readonly number[] {
	return pairs.flatMap(([a, b]) => (a === id ? [b] : b === id ? [a] : []));
}

function isOfOneSender(pair: Pair, byId: ReadonlyMap<number, Patchset>): boolean {
	const [one, other] = pair.map((id) => byId.get(id)).map((each) => each && senderOf(each));
	return one !== undefined && one !== '' && one === other;
}

/** What pairs lead to, in either direction. */
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

/** Words of a prefix that say how far a version is, and not which series it belongs to. */
const stageWord = /^(?:rfc|resend|repost|rebased)$/;

/**
 * The patchsets of the same key in runs of versions that do not fall. A second one of the same version goes on with the run
 * where its number or its prefix says that it is no new series.
 */
function sequences(patchsets: readonly Patchset[]): readonly (readonly Patchset[])[] {
	const open = new Map<string, Patchset[]>();
	const all: Patchset[][] = [];
	for (const each of patchsets.toSorted(byAge)) {
		const key = keyOf(each);
		const run = key === undefined ? undefined : open.get(key);
		const last = run?.at(-1);
		if (run !== undefined && last !== undefined && goesOn(last, each)) {
			run.push(each);
		} else if (key !== undefined) {
			const begun = [each];
			open.set(key, begun);
			all.push(begun);
		}
	}
	return all;
}

function goesOn(last: Patchset, next: Patchset): boolean {
	const hasStage = [last, next].some(({ prefix }) => prefixWords(prefix).some((word) => stageWord.test(word)));
	const rise = versionOf(next) - versionOf(last);
	return rise > 0 || (rise === 0 && (versionOf(next) > 1 || hasStage));
}

/** Each with the one before it and with the first: cutting one of them out by hand leaves the others together. */
function pairsIn(run: readonly Patchset[]): readonly Pair[] {
	return run.slice(1).flatMap(({ id }, at): readonly Pair[] => [
		[run[at]?.id ?? id, id],
		[run[0]?.id ?? id, id],
	]);
}

/** Nobody writes longer ones, and taking apart what somebody does write holds others up. */
const longestSubject = 10_000;

/** Subject, prefix and sender in one; `undefined` where one of them is not known or could be somebody else. */
function keyOf(patchset: Patchset): string | undefined {
	const { subject, prefix } = patchset;
	const sender = senderOf(patchset);
	const title = subject.length > longestSubject ? '' : versionTitle(subject);
	const words = prefixWords(prefix).filter((word) => word !== '' && !versionWord.test(word) && !stageWord.test(word));
	return sender === '' || title === '' ? undefined : JSON.stringify([title, words, sender]);
}

/** An address or an account; empty where it is in doubt. */
function senderOf({ submitter, coverLetter }: Patchset): string {
	const address = submitter === undefined ? undefined : senderIn(submitter)?.address.toLowerCase();
	return address ?? coverLetter?.sender?.canonicalName ?? '';
}

/** The subject as versions of one series share it. */
export function versionTitle(subject: string): string {
	return subject.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
