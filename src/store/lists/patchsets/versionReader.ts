import { isAbort } from '@forge-desk/base/abort.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import {
	namedBy,
	otherVersions,
	type OtherVersions,
	type VersionCorrections,
	versionOf,
	versionsAmong,
	versionTitle,
} from 'patchmail/series/versions.ts';
import { type ListRef, type Patchset, type PatchsetRef, listKey } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Listing } from '../../shared/listing.ts';
import type { ListStore } from '../listStore.ts';
import { newerRows } from '../newerRows.ts';
import type { SeriesVersion } from './patchsetReview.ts';

/** Finds the patchsets related to one, so versions need no comparison with the whole list. */
export type VersionIndex = (patchset: Patchset, corrections: VersionCorrections) => readonly Patchset[];

/**
 * Index of a list's known patchsets. Its result has the same versions as the whole list, since only titles, the server
 * and links connect versions.
 */
export function versionIndex(patchsets: readonly Patchset[]): VersionIndex {
	const byId = new Map(patchsets.map((each) => [each.id, each]));
	const byTitle = Map.groupBy(patchsets, ({ subject }) => versionTitle(subject));
	const links = patchsets.flatMap((each) => namedBy(each).map((other) => ({ other, each })));
	const namedIn = Map.groupBy(links, ({ other }) => other);
	return (patchset, { linked, stated, alike = [] }) => {
		const partnersOf = new Map<number, number[]>();
		const pairs = [...linked, ...stated, ...alike.map(({ ids }) => ids)];
		for (const [one, other] of [...pairs, ...pairs.map(([a, b]) => [b, a] as const)]) {
			partnersOf.set(one, [...(partnersOf.get(one) ?? []), other]);
		}
		const found = new Set([patchset]);
		const titles = new Set<string>();
		const note = (other: Patchset | undefined): void => {
			if (other !== undefined && other.id !== patchset.id) {
				found.add(other);
			}
		};
		for (const each of found) {
			const { id } = each;
			const title = versionTitle(each.subject);
			// One pass adds all patchsets of a title.
			if (!titles.has(title)) {
				titles.add(title);
				byTitle.get(title)?.forEach(note);
			}
			namedIn.get(id)?.forEach((link) => note(link.each));
			[...namedBy(each), ...(partnersOf.get(id) ?? [])].forEach((other) => note(byId.get(other)));
		}
		return [...found];
	};
}

/** Partners of a patchset. */
export function partners(id: number, pairs: VersionCorrections['linked']): readonly number[] {
	return pairs.flatMap(([a, b]) => (a === id ? [b] : b === id ? [a] : []));
}

export interface VersionPlaces {
	readonly lists: ListStore;
	readonly corrections: (ref: PatchsetRef) => VersionCorrections;
	/** Candidates among the known patchsets. */
	readonly among: (ref: PatchsetRef) => VersionIndex;
}

/** Page limit for one patchset. */
const mostPages = 4;
/** Limit of single requests. */
const mostNamed = 10;

/** All known versions of a patchset, lowest first. Without a request. */
export function knownVersions(places: VersionPlaces, asked: Asked): readonly SeriesVersion[] {
	const { patchset, ref } = asked;
	const corrections = places.corrections(ref);
	const named = namedOutside(places.lists, ref.list, allNamedBy(places, asked), new Set());
	const found = Array.from(named.values()).filter((each) => each !== undefined);
	return versionsAmong(patchset, [...places.among(ref)(patchset, corrections), ...found], corrections);
}

/** Patchsets with these numbers outside of the pages, `undefined` if unknown. Versions there name each other in a row. */
function namedOutside(lists: ListStore, list: ListRef, ids: readonly number[], onPages: ReadonlySet<number>) {
	const named = new Map<number, Patchset | undefined>();
	const wanted = [...ids];
	for (const id of wanted) {
		if (!named.has(id) && !onPages.has(id)) {
			const found = lists.knownPatchset({ list, id });
			named.set(id, found);
			pushAll(wanted, found ? namedBy(found) : []);
		}
	}
	return named;
}

type RowVersions = ReadonlyMap<number, OtherVersions<Patchset>>;

/**
 * The versions of all rows of a list, also of rows that only look like newer ones. One computation per change. Returns
 * the same map until then.
 */
export function versionsOfRows(lists: ListStore, corrections: (list: ListRef) => VersionCorrections) {
	const made = new Map<string, { from: readonly unknown[]; outside: ReadonlyMap<number, unknown>; all: RowVersions }>();
	return (list: ListRef): RowVersions => {
		const rows = lists.knownPatchsets(list);
		const now = corrections(list);
		const before = made.get(listKey(list));
		const isSame = ([id, known]: readonly [number, unknown]): boolean => lists.knownPatchset({ list, id }) === known;
		if (before?.from[0] === rows && before.from[1] === now && [...before.outside].every(isSame)) {
			return before.all;
		}
		const ids = [...rows.flatMap(namedBy), ...now.linked.flat(), ...now.stated.flat()];
		const outside = namedOutside(lists, list, ids, new Set(rows.map(({ id }) => id)));
		const known = [...rows, ...Array.from(outside.values()).filter((each) => each !== undefined)];
		const alike = newerRows(rows);
		const all = new Map(
			Array.from(otherVersions(known, now), ([id, { newest, hasOthers }]) => {
				const row = alike.get(id);
				const isApart = row !== undefined && partners(id, now.unlinked).includes(row.id);
				return [id, { newest: newest ?? (isApart ? undefined : row), hasOthers }] as const;
			}),
		);
		made.set(listKey(list), { from: [rows, now], outside, all });
		return all;
	};
}

/** One index per list, rebuilt after a change. */
export function versionIndexes(lists: ListStore): VersionPlaces['among'] {
	const made = new Map<string, { readonly items: readonly Patchset[]; readonly index: VersionIndex }>();
	return ({ list }) => {
		const items = lists.knownPatchsets(list);
		const before = made.get(listKey(list));
		const now = before?.items === items ? before : { items, index: versionIndex(items) };
		made.set(listKey(list), now);
		return now.index;
	};
}

/**
 * Asks the server for the versions. Without such a question: reads the list down to the patchset, to find newer
 * versions, and a few more pages if older ones are missing. Keeps its results and throws the failure.
 */
export async function readVersions(places: VersionPlaces, asked: Asked, signal: AbortSignal): Promise<void> {
	const { lists } = places;
	const { list } = asked.ref;
	if (lists.uncached.versions) {
		const found = await lists.uncached.versions(asked.ref, signal);
		const news = found.map((version) => {
			const known = lists.knownPatchset({ list, id: version.id });
			const { supersededById, supersedesId = known?.supersedesId } = version;
			const links = { supersededById, ...(supersedesId === undefined ? {} : { supersedesId }) };
			return known && known.isGuess !== true ? { ...known, ...links } : version;
		});
		lists.apply(...news.map((patchset) => ({ kind: 'patchsetChanged', list, patchset }) as const));
		return;
	}
	let listing = await lists.patchsets(list).first(signal);
	for (let page = 0; page < mostPages && isWanting(places, asked, listing); page += 1) {
		listing = await lists.patchsets(list).more(signal);
	}
	let failure: { readonly error: unknown } | undefined;
	const unknown = allNamedBy(places, asked).filter((id) => lists.knownPatchset({ list, id }) === undefined);
	for (const id of unknown.slice(0, mostNamed)) {
		try {
			await lists.patchset({ list, id }, signal);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { error };
		}
	}
	if (failure) {
		throw failure.error;
	}
}

export interface Asked {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
}

function isWanting(places: VersionPlaces, asked: Asked, { items, completeness }: Listing<Patchset>): boolean {
	if (completeness.kind !== 'more') {
		return false;
	}
	const oldest = items.at(-1);
	const { ref, patchset } = asked;
	// The number of a formed patchset is no position in the list.
	const rowId = firstMailOfFormed(ref.id) === undefined ? ref.id : (patchset.formed?.threadPatchsetId ?? 0);
	const lowest = knownVersions(places, asked)[0];
	return oldest === undefined || oldest.id > rowId || (lowest !== undefined && versionOf(lowest.patchset) > 1);
}

/** Numbers that the server, the user or a mail links with the patchset. */
function allNamedBy({ corrections }: VersionPlaces, { ref, patchset }: Asked): readonly number[] {
	const { linked, stated } = corrections(ref);
	return [...namedBy(patchset), ...partners(ref.id, [...linked, ...stated])];
}
