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

/** Which patchsets people linked or took apart, and mails state as versions; kept over restarts. */
export interface VersionLinks {
	/** The same object until something is corrected. */
	of(list: ListRef): VersionCorrections;
	/** Resolves when it is kept. */
	link(a: PatchsetRef, b: PatchsetRef): Promise<void>;
	unlink(a: PatchsetRef, b: PatchsetRef): Promise<void>;
	/** A mail states that they are versions. */
	state(a: PatchsetRef, b: PatchsetRef): Promise<void>;
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

	async function change(a: PatchsetRef, b: PatchsetRef, kind: keyof Corrected): Promise<void> {
		const key = listKey(a.list);
		if (key !== listKey(b.list) || a.id === b.id) {
			throw new RangeError('Versions are two patchsets of one list');
		}
		const pair: Pair = [Math.min(a.id, b.id), Math.max(a.id, b.id)];
		const { linked, unlinked, stated } = all()[key] ?? nothing;
		const byHand = {
			linked: kind === 'linked' ? withPair(linked, pair) : without(linked, pair),
			unlinked: kind === 'unlinked' ? withPair(unlinked, pair) : without(unlinked, pair),
			stated,
		};
		const next: Corrected = kind === 'stated' ? { linked, unlinked, stated: withPair(stated, pair) } : byHand;
		await place.write(JSON.stringify({ ...all(), [key]: next }));
	}

	return {
		of: (list) => all()[listKey(list)] ?? nothing,
		link: (a, b) => change(a, b, 'linked'),
		unlink: (a, b) => change(a, b, 'unlinked'),
		state: (a, b) => change(a, b, 'stated'),
	};
}

function withPair(pairs: readonly Pair[], pair: Pair): readonly Pair[] {
	return [...without(pairs, pair), pair].slice(-mostPairs);
}

function without(pairs: readonly Pair[], [a, b]: Pair): readonly Pair[] {
	return pairs.filter(([c, d]) => c !== a || d !== b);
}
