import * as v from 'valibot';
import { type ListRef, type PatchsetRef, listKey } from 'sourcehut/port/list.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import type { Likeness } from 'patchmail/series/likeness.ts';
import type { VersionCorrections } from 'patchmail/series/versions.ts';
import { listRefOf } from '../lists.ts';
import { type KeptText, goodOf, kept } from '../../shared/keptText.ts';

/** Two patchsets of one list, the lower number first. */
type Pair = readonly [number, number];

interface Corrected extends VersionCorrections {
	readonly linked: readonly Pair[];
	readonly unlinked: readonly Pair[];
	readonly stated: readonly Pair[];
	readonly alike?: readonly Likeness[];
}

/** Limit per list. Drops the oldest. */
const mostPairs = 500;

const nothing: Corrected = { linked: [], unlinked: [], stated: [] };

const pairs = v.pipe(
	goodOf<Pair>(v.tuple([v.number(), v.number()])),
	v.transform((all) => all.slice(-mostPairs)),
);
const pairsOrNone = v.fallback(pairs, []);

/** By list key. */
const corrections: v.GenericSchema<unknown, Readonly<Record<string, Corrected>>> = v.record(
	v.string(),
	v.fallback(v.object({ linked: pairsOrNone, unlinked: pairsOrNone, stated: pairsOrNone }), nothing),
);

/** Manual links, persistent, and links from mails, in memory. */
export function versionLinks(place: KeptText) {
	const all = kept(place, corrections, {});
	const stated = new Map<string, readonly Pair[]>();
	const alike = new Map<string, readonly Likeness[]>();
	/** Caches the object while nothing changes. */
	const combined = new Map<string, { readonly from: readonly unknown[]; readonly now: VersionCorrections }>();

	function of(list: ListRef): VersionCorrections {
		const key = listKey(list);
		const byHand = all()[key] ?? nothing;
		const pairs = stated.get(key) ?? nothing.stated;
		const likenesses = alike.get(key);
		const from = [byHand, pairs, likenesses];
		const known = combined.get(key);
		if (known?.from.every((each, at) => each === from[at]) === true) {
			return known.now;
		}
		const now = { ...byHand, stated: pairs, ...(likenesses ? { alike: likenesses } : {}) };
		combined.set(key, { from, now });
		return now;
	}

	async function change(a: PatchsetRef, b: PatchsetRef, kind: 'linked' | 'unlinked'): Promise<void> {
		const [key, pair] = pairOf(a, b);
		const { linked, unlinked } = all()[key] ?? nothing;
		const next: Corrected = {
			linked: kind === 'linked' ? withPair(linked, pair) : without(linked, pair),
			unlinked: kind === 'unlinked' ? withPair(unlinked, pair) : without(unlinked, pair),
			stated: [],
		};
		await place.write(JSON.stringify({ ...all(), [key]: next }));
	}

	/** Gives the patchsets of all links their present numbers. */
	async function follow(now: (ref: PatchsetRef) => PatchsetRef): Promise<void> {
		const before = all();
		const next = Object.fromEntries(
			Object.entries(before).map(([name, corrected]) => {
				const list = listRefOf(name);
				const present = ([one, other]: Pair): Pair => {
					const [a = one, b = other] = list ? [one, other].map((id) => now({ list, id }).id) : [];
					return [Math.min(a, b), Math.max(a, b)];
				};
				const { linked, unlinked } = corrected;
				return [name, { linked: linked.map(present), unlinked: unlinked.map(present), stated: [] }] as const;
			}),
		);
		if (!isSameValue(next, before)) {
			await place.write(JSON.stringify(next));
		}
	}

	return {
		follow,
		/** Returns the same object until a change. */
		of,
		/** Resolves after the write. */
		link: (a: PatchsetRef, b: PatchsetRef) => change(a, b, 'linked'),
		unlink: (a: PatchsetRef, b: PatchsetRef) => change(a, b, 'unlinked'),
		/** Records a link from a mail. The next window finds it again, so it needs no store. */
		state(a: PatchsetRef, b: PatchsetRef) {
			const [key, pair] = pairOf(a, b);
			stated.set(key, withPair(stated.get(key) ?? [], pair));
		},
		/** Records equal patches of a patchset and others. True if some are new. */
		liken({ list, id }: PatchsetRef, found: readonly Likeness[]): boolean {
			const key = listKey(list);
			const before = alike.get(key) ?? [];
			const isOf = ({ ids }: Likeness): boolean => ids.includes(id);
			const ofOthers = ({ ids }: Likeness): number => ids.find((each) => each !== id) ?? id;
			const isNew = found.some(
				(each) =>
					!before.some((known) => isOf(known) && ofOthers(known) === ofOthers(each) && known.equal === each.equal),
			);
			if (isNew) {
				const others = new Set(found.map(ofOthers));
				const rest = before.filter((known) => !isOf(known) || !others.has(ofOthers(known)));
				alike.set(key, [...rest, ...found].slice(-mostPairs));
			}
			return isNew;
		},
	};
}

function pairOf(a: PatchsetRef, b: PatchsetRef): readonly [list: string, pair: Pair] {
	const key = listKey(a.list);
	if (key !== listKey(b.list) || a.id === b.id) {
		throw new RangeError('Versions are two patchsets of one list');
	}
	return [key, [Math.min(a.id, b.id), Math.max(a.id, b.id)]];
}

function withPair(pairs: readonly Pair[], pair: Pair): readonly Pair[] {
	return [...without(pairs, pair), pair].slice(-mostPairs);
}

function without(pairs: readonly Pair[], [a, b]: Pair): readonly Pair[] {
	return pairs.filter(([c, d]) => c !== a || d !== b);
}
