import type { Patchset } from '../../../forge/port/list.ts';
import { namedBy, versionTitle, type VersionCorrections } from '../../../engine/series/versions.ts';

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
	return (patchset, { linked, stated }) => {
		const partnersOf = allPartners([...linked, ...stated]);
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

function allPartners(pairs: VersionCorrections['linked']): ReadonlyMap<number, readonly number[]> {
	const all = new Map<number, number[]>();
	for (const [a, b] of [...pairs, ...pairs.map(([one, other]) => [other, one] as const)]) {
		const known = all.get(a) ?? [];
		known.push(b);
		all.set(a, known);
	}
	return all;
}

/** Partners of a patchset. */
export function partners(id: number, pairs: VersionCorrections['linked']): readonly number[] {
	return pairs.flatMap(([a, b]) => (a === id ? [b] : b === id ? [a] : []));
}
