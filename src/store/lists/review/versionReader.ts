import { isAbort } from '../../../base/abort.ts';
import { firstMailOfFormed, type Patchset, type PatchsetRef, listKey } from '../../../forge/port/list.ts';
import { namedBy, versionOf, versionsAmong, type VersionCorrections } from '../../../engine/series/versions.ts';
import type { Listing } from '../../shared/listing.ts';
import type { ListStore } from '../listStore.ts';
import type { SeriesVersion } from './patchsetReview.ts';
import { partners, versionIndex, type VersionIndex } from './versionIndex.ts';

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
export function knownVersions(places: VersionPlaces, { ref, patchset }: Asked): readonly SeriesVersion[] {
	const corrections = places.corrections(ref);
	const named = allNamedBy(places, { ref, patchset }).flatMap(
		(id) => places.lists.knownPatchset({ list: ref.list, id }) ?? [],
	);
	return versionsAmong(patchset, [...places.among(ref)(patchset, corrections), ...named], corrections);
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
 * Reads the list down to the patchset, to find newer versions, and a few more pages if older ones are missing. Keeps
 * its results and throws the failure.
 */
export async function readVersions(places: VersionPlaces, asked: Asked, signal: AbortSignal): Promise<void> {
	const { lists } = places;
	const { list } = asked.ref;
	let listing = await lists.patchsets(list).first(signal);
	for (let page = 0; page < mostPages && isWanting(places, asked, listing); page += 1) {
		listing = await lists.patchsets(list).more(signal);
	}
	let failure: { readonly error: unknown } | undefined;
	const unknown = allNamedBy(places, asked).filter((id) => lists.knownPatchset({ list, id }) === undefined);
	for (const id of unknown.slice(0, mostNamed)) {
		await lists.patchset({ list, id }, signal).catch((error: unknown) => {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { error };
		});
	}
	rethrow(failure);
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
	const rowId = firstMailOfFormed(ref.id) === undefined ? ref.id : (patchset.supersedesId ?? ref.id);
	const lowest = knownVersions(places, asked)[0];
	return oldest === undefined || oldest.id > rowId || (lowest !== undefined && versionOf(lowest.patchset) > 1);
}

/** Numbers that the server, the user or a mail links with the patchset. */
function allNamedBy({ corrections }: VersionPlaces, { ref, patchset }: Asked): readonly number[] {
	const { linked, stated } = corrections(ref);
	return [...namedBy(patchset), ...partners(ref.id, [...linked, ...stated])];
}

function rethrow(failure: { readonly error: unknown } | undefined): void {
	if (failure) {
		throw failure.error;
	}
}
