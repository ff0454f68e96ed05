import type { Patchset } from '../../../forge/list.ts';

/** Fewer patchsets prove no custom. */
const fewest = 4;
/** What most people of a list do, as a part of all. */
const mostOf = 0.6;

/** The prefix that a list's patchsets usually have, as most of them write it; `undefined` where there is no such custom. */
export function usualPrefix(patchsets: readonly Patchset[]): string | undefined {
	const counts = new Map<string, number>();
	for (const { prefix } of patchsets) {
		if (prefix !== undefined && prefix !== '') {
			counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
		}
	}
	// More than half of them cannot agree on two prefixes, so the order of the patchsets does not matter.
	const usual = [...counts].find(([, count]) => count >= patchsets.length * mostOf)?.[0];
	return patchsets.length >= fewest ? usual : undefined;
}
