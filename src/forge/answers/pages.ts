import { abortReason } from '../../base/abort.ts';
import { isForgeError } from '../port/forgeError.ts';
import type { Completeness, Page, Pages } from '../port/page.ts';
import { wholeOf } from '../port/wholeOf.ts';
import { byCursor, moreOfUnknown, moreThanListed, type PagingWay, type RawPage } from './pagingWay.ts';

export interface PagedList<T> {
	/** `start`: cursor; the first page without one. */
	readonly fetch: (start: string | undefined, signal: AbortSignal) => Promise<RawPage<T>>;
	/** Identity of an item. Items move between pages. */
	key(item: T): string | number;
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
export async function* pages<T>(list: PagedList<T>, signal: AbortSignal): Pages<T> {
	const listing = new Listing(list);
	for (
		let page = await listing.next(list.fetch, signal);
		page !== undefined;
		page = await listing.next(list.fetch, signal)
	) {
		yield page;
	}
}

/** For lists such as a series, whose order needs all items. */
export async function* inOnePage<T>(list: Pages<T>, order: (items: readonly T[]) => readonly T[]): Pages<T> {
	const whole = await wholeOf(list);
	yield { ...whole, items: order(whole.items) };
}

/** State of one walk through a list. */
export class Listing<T> {
	readonly #key: PagedList<T>['key'];
	readonly #nextStep: PagingWay<T>;
	readonly #known = knownKeys();
	readonly #visited = new Set<string>();
	#at: { readonly start: string | undefined; readonly isGuess?: true } | undefined = { start: undefined };
	#count = 0;
	#fruitless = 0;
	/** True after any incomplete page. */
	#isPart = false;

	constructor({ key, way = byCursor }: Pick<PagedList<T>, 'key' | 'way'>) {
		this.#key = key;
		this.#nextStep = way();
	}

	/** Start of the next page; `undefined` after the last one. */
	get at(): { readonly start: string | undefined } | undefined {
		return this.#at;
	}

	async next(fetch: PagedList<T>['fetch'], signal: AbortSignal): Promise<Page<T> | undefined> {
		const at = this.#at;
		if (at === undefined) {
			return undefined;
		}
		if (signal.aborted) {
			throw abortReason(signal);
		}
		try {
			return this.take(await fetch(at.start, signal));
		} catch (error) {
			if (at.isGuess !== true || !isAbsence(error)) {
				throw error;
			}
			this.#at = undefined;
			return { items: [], seen: this.#known.size, completeness: moreOfUnknown };
		}
	}

	/** New items; nearly always all of them. */
	#fresh(items: readonly T[]): readonly T[] {
		let fresh: T[] | undefined;
		for (let place = 0; place < items.length; place += 1) {
			const item = items[place];
			if (item === undefined || !this.#known.add(this.#key(item))) {
				fresh ??= items.slice(0, place);
			} else {
				fresh?.push(item);
			}
		}
		return fresh ?? items;
	}

	take(raw: RawPage<T>): Page<T> {
		const items = this.#fresh(raw.items);
		const seen = this.#known.size;
		this.#count += 1;
		this.#fruitless = items.length === 0 ? this.#fruitless + 1 : 0;
		const step = this.#nextStep({ page: raw, seen, added: items.length });
		this.#isPart ||= raw.isPart === true;
		if ('end' in step) {
			this.#at = undefined;
			return { items, seen, completeness: this.#isPart ? moreThanListed : step.end };
		}
		const goesOn = !this.#visited.has(step.start) && this.#fruitless < mostFruitlessPages && this.#count < mostPages;
		this.#at = goesOn ? step : undefined;
		this.#visited.add(step.start);
		return { items, seen, completeness: leftOver(raw, seen, goesOn) };
	}
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

interface KnownKeys {
	readonly size: number;
	/** False for a known key. */
	add(key: string | number): boolean;
}

/**
 * Most lists count down, so each number below the lowest is new. A set holds the keys only after that order breaks.
 */
function knownKeys(): KnownKeys {
	const inOrder: number[] = [];
	let lowest = Number.POSITIVE_INFINITY;
	let all: Set<string | number> | undefined;
	return {
		get size() {
			return all?.size ?? inOrder.length;
		},
		add(key) {
			if (all === undefined && typeof key === 'number' && key < lowest) {
				lowest = key;
				inOrder.push(key);
				return true;
			}
			all ??= new Set<string | number>(inOrder);
			const before = all.size;
			all.add(key);
			return all.size > before;
		},
	};
}
