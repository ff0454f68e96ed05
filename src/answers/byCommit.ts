import { moreOfUnknown, type PagingWay } from './pagingWay.ts';

/** Pages of the log hold this many commits at least when another one follows. */
const fullLogPage = 50;

/**
 * The log (docs/protocol.md#log-pages): a page begins with the commit that its cursor names, the previous page may have
 * held that one already, later servers name no next page at all, nor does a bare array, and commits of side branches
 * that lie before the cursor in time but not below it are left out. The commits themselves tell what is missing:
 * parents that were named and not seen. Those are fetched last, so only up to there the newest comes first. A history
 * is complete when nothing is missing, whatever the server says.
 */
export function byCommit<T extends { readonly id: string; readonly parents: readonly string[] }>(): PagingWay<T> {
	const seen = new Set<string>();
	const owed = new Set<string>();

	function learn(commits: readonly T[]): void {
		for (const { id, parents } of commits) {
			seen.add(id);
			owed.delete(id);
			for (const parent of parents) {
				if (!seen.has(parent)) {
					owed.add(parent);
				}
			}
		}
	}

	/** False for a cursor below which everything is known, as at the end of a side branch. */
	function leadsOn(items: readonly T[], cursor: string): boolean {
		const below = items.find(({ id }) => id === cursor)?.parents;
		return !seen.has(cursor) || below?.some((parent) => owed.has(parent)) === true;
	}

	return ({ page, added }) => {
		learn(page.items);
		if (owed.size === 0) {
			return { end: { kind: 'complete' } };
		}
		if (!page.isEnvelope && added === 0) {
			return { end: moreOfUnknown };
		}
		const cursor = page.next ?? (page.items.length >= fullLogPage ? page.items.at(-1)?.id : undefined);
		if (cursor !== undefined && leadsOn(page.items, cursor)) {
			return page.isEnvelope ? { start: cursor } : { start: cursor, isGuess: true };
		}
		const [missing = ''] = owed;
		// Asked for once: in a shallow history it will not be there.
		owed.delete(missing);
		return { start: missing, isGuess: true };
	};
}
