import { ending, moreOfUnknown, type PagingWay } from '../answers/pagingWay.ts';

/**
 * Tickets. The server's cursor counts rows while its pages count numbers, so following it may never end. The next page
 * starts below the lowest number until the count reaches the total (docs/protocol.md#ticket-pages).
 */
export function byNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, seen, added }) => {
		const isAll = page.total === undefined ? page.next === undefined : seen >= page.total;
		const lowest = lowestOf(page.items);
		if (!page.isEnvelope || isAll || page.next === undefined || lowest <= 1) {
			return { end: ending(page, seen) };
		}
		return added === 0 ? { end: { kind: 'more', total: page.total } } : { start: String(lowest - 1) };
	};
}

/** Tickets below a number. The count above it is unknown, so only the server or number 1 ends the list. */
export function belowNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, added }) => {
		if (!page.isEnvelope) {
			return { end: { kind: 'unstated' } };
		}
		const lowest = lowestOf(page.items);
		if (page.next === undefined || lowest <= 1) {
			return { end: { kind: 'complete' } };
		}
		return added === 0 ? { end: moreOfUnknown } : { start: String(lowest - 1) };
	};
}

function lowestOf(items: readonly { readonly id: number }[]): number {
	let lowest = Number.POSITIVE_INFINITY;
	for (const { id } of items) {
		lowest = Math.min(lowest, id);
	}
	return lowest;
}
