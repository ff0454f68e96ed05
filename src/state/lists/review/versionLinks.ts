import * as v from 'valibot';
import { type ListRef, type PatchsetRef, listKey } from '../../../forge/list.ts';
import type { VersionCorrections } from '../../../series/versions.ts';
import { type KeptText, goodOf, kept } from '../../shared/keptText.ts';

/** Two patchsets of one list, the lower number first. */
type Pair = readonly [number, number];

/** What people said of versions in one list. */
interface Corrected extends VersionCorrections {
	readonly linked: readonly Pair[];
	readonly unlinked: readonly Pair[];
	readonly stated: readonly Pair[];
}

/** Patchsets that people linked or unlinked, kept over restarts, and versions that mails state, kept in this window. */
export interface VersionLinks {
	/** The same object until something is corrected. */
	of(list: ListRef): VersionCorrections;
	/** Resolves when it is kept. */
	link(a: PatchsetRef, b: PatchsetRef): Promise<void>;
	unlink(a: PatchsetRef, b: PatchsetRef): Promise<void>;
	/** A mail states that they are versions. Mails say so again in the next window, so nothing is stored. */
	state(a: PatchsetRef, b: PatchsetRef): void;
}

/** More corrections than anybody makes by hand; the oldest of a list go first. */
const mostPairs = 500;

const nothing: Corrected = { linked: [], unlinked: [], stated: [] };

const pairs = v.pipe(
	goodOf<Pair>(v.tuple([v.number(), v.number()])),
	v.transform((all) => all.slice(-mostPairs)),
);
const pairsOrNone = v.fallback(pairs, []);

/** By the key of the list. */
const corrections: v.GenericSchema<unknown, Readonly<Record<string, Corrected>>> = v.record(
	v.string(),
	v.fallback(v.object({ linked: pairsOrNone, unlinked: pairsOrNone, stated: pairsOrNone }), nothing),
);

/** Corrections kept as one small text. */
export function versionLinks(place: KeptText): VersionLinks {
	const all = kept(place, corrections, {});
	const stated = new Map<string, readonly Pair[]>();
	/** The same object while nothing changes. */
	const combined = new Map<
		string,
		{ readonly byHand: Corrected; readonly pairs: readonly Pair[]; readonly now: VersionCorrections }
	>();

	function of(list: ListRef): VersionCorrections {
		const key = listKey(list);
		const byHand = all()[key] ?? nothing;
		const pairs = stated.get(key) ?? nothing.stated;
		const known = combined.get(key);
		if (known?.byHand === byHand && known.pairs === pairs) {
			return known.now;
		}
		const now = { ...byHand, stated: pairs };
		combined.set(key, { byHand, pairs, now });
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

	return {
		of,
		link: (a, b) => change(a, b, 'linked'),
		unlink: (a, b) => change(a, b, 'unlinked'),
		state(a, b) {
			const [key, pair] = pairOf(a, b);
			stated.set(key, withPair(stated.get(key) ?? [], pair));
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
