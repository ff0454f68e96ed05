import { abortReason } from '@forge-desk/base/abort.ts';
import { isForgeError } from '../port/forgeError.ts';
import type { Completeness, Pages } from '../port/page.ts';
import { collectPages } from '../port/collectPages.ts';

/** One page of a list, decoded. */
export interface RawPage<T> {
	/** With duplicates. */
	readonly items: readonly T[];
	/** Cursor of the next page. */
	readonly next: string | undefined;
	/** Items in the whole list, if the server reports the number. */
	readonly total: number | undefined;
	readonly isEnvelope: boolean;
	/** The server omitted items or the cursor. */
	readonly isPart?: true;
}

/**
 * Finds the page after one. `seen`: distinct items so far; `added`: new items of this page. `isGuess`: the server did
 * not name the next page, and its absence is the end of the list. Each walk creates its own, because some have state.
 */
export type PagingWay<T> = (
	page: RawPage<T>,
	seen: number,
	added: number,
) => { readonly start: string; readonly isGuess?: true } | { readonly end: Completeness };

/** The list continues, with unknown length. */
export const moreOfUnknown: Completeness = { kind: 'more', total: undefined };

/** The server has more and lists no further page. */
const moreThanListed: Completeness = { kind: 'more', total: undefined, isLast: true };

/** Completeness after a page without a next one. */
export function ending(page: RawPage<unknown>, seen: number): Completeness {
	if (!page.isEnvelope) {
		return { kind: 'unstated' };
	}
	return page.total !== undefined && seen < page.total ? { kind: 'more', total: page.total } : { kind: 'complete' };
}

/**
 * Follows the server's cursors. If the last page is empty or repeats items, the list is incomplete
 * (docs/protocol.md#pages-without-an-end).
 */
export function byCursor<T>(): PagingWay<T> {
	let isPromised = false;
	return (page, seen, added) => {
		if (page.next !== undefined) {
			isPromised = true;
			return { start: page.next };
		}
		const isMissing = isPromised && page.total === undefined && (added === 0 || added < page.items.length);
		return { end: isMissing ? moreThanListed : ending(page, seen) };
	};
}

export interface PagedList<T> {
	/** `start`: cursor; the first page without one. */
	readonly fetch: (start: string | undefined, signal: AbortSignal) => Promise<RawPage<T>>;
	/** Identity of an item. Items move between pages. */
	readonly key: (item: T) => string | number;
	/** `byCursor` by default. */
	readonly way?: () => PagingWay<T>;
}

/** Longer lists are a server fault. */
const mostPages = 10_000;
/** Maximum consecutive pages without a new item. */
const mostFruitlessPages = 3;

/**
 * Reads a list lazily, without duplicates. Stops at a repeated cursor, after pages without new items, and in endless
 * lists. Only the server's own end makes a list complete.
 */
export async function* pages<T>({ fetch, key, way = byCursor }: PagedList<T>, signal: AbortSignal): Pages<T> {
	const nextStep = way();
	const known = new Set<string | number>();
	const visited = new Set<string>();
	let fruitless = 0;
	/** True after any incomplete page. */
	let isPart = false;
	let at: { readonly start: string | undefined; readonly isGuess?: true } = { start: undefined };
	for (let count = 1; ; count += 1) {
		if (signal.aborted) {
			throw abortReason(signal);
		}
		let raw: RawPage<T>;
		try {
			raw = await fetch(at.start, signal);
		} catch (error) {
			if (at.isGuess !== true || !isAbsence(error)) {
				throw error;
			}
			yield { items: [], seen: known.size, completeness: moreOfUnknown };
			return;
		}
		const items = raw.items.filter((item) => {
			const before = known.size;
			return known.add(key(item)).size > before;
		});
		const seen = known.size;
		const step = nextStep(raw, seen, items.length);
		fruitless = items.length === 0 ? fruitless + 1 : 0;
		isPart ||= raw.isPart === true;
		if ('end' in step) {
			yield { items, seen, completeness: isPart ? moreThanListed : step.end };
			return;
		}
		const goesOn = !visited.has(step.start) && fruitless < mostFruitlessPages && count < mostPages;
		yield { items, seen, completeness: leftOver(raw, seen, goesOn) };
		if (!goesOn) {
			return;
		}
		visited.add(step.start);
		at = step;
	}
}

/** For lists such as a series, whose order needs all items. */
export async function* inOnePage<T>(list: Pages<T>, order: (items: readonly T[]) => readonly T[]): Pages<T> {
	const whole = await collectPages(list);
	yield { ...whole, items: order(whole.items) };
}

/** A guessed page may not exist, and some cursors crash servers (docs/protocol.md#crashes). */
function isAbsence(error: unknown): boolean {
	const problem = isForgeError(error) ? error.problem : undefined;
	return problem?.kind === 'notFound' || (problem?.kind === 'serverError' && problem.status === 500);
}

/** Completeness before the last page, or after a walk stopped early. */
function leftOver(page: RawPage<unknown>, seen: number, goesOn: boolean): Completeness {
	return !goesOn && page.total !== undefined && seen >= page.total
		? { kind: 'complete' }
		: { kind: 'more', total: page.total };
}
