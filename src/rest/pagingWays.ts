import { ending, moreOfUnknown, type PagingWay } from '../answers/pagingWay.ts';

/**
 * Tickets: the server's cursor counts rows while its pages count numbers, and following it may never end. So the next
 * page starts below the lowest number, as long as fewer than the total are known (docs/protocol.md#ticket-pages).
 */
export function byNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, seen, added }) => {
		const isAll = page.total === undefined ? page.next === undefined : seen >= page.total;
		const lowest = lowestOf(page.items);
		if (!page.isEnvelope || isAll || page.next === undefined || added === 0 || lowest <= 1) {
			return { end: ending(page, seen) };
		}
		return { start: String(lowest - 1) };
	};
}

/** Tickets below a number: how many there are above is not seen, so only the server's word or the last number ends it. */
export function belowNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, added }) => {
		if (!page.isEnvelope) {
			return { end: { kind: 'unstated' } };
		}
		const lowest = lowestOf(page.items);
		const isLast = page.next === undefined || added === 0 || lowest <= 1;
		return isLast ? { end: { kind: 'complete' } } : { start: String(lowest - 1) };
	};
}

function lowestOf(items: readonly { readonly id: number }[]): number {
	let lowest = Number.POSITIVE_INFINITY;
	for (const { id } of items) {
		lowest = Math.min(lowest, id);
	}
	return lowest;
}

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
