import { abortReason } from '../base/abort.ts';
import { isForgeError } from '../forge/forgeError.ts';
import type { Completeness, Page, Pages } from '../forge/page.ts';
import { wholeOf } from '../forge/wholeOf.ts';
import { byCursor, moreOfUnknown, moreThanListed, type PagingWay, type RawPage } from './pagingWay.ts';

/** One list, as its server pages it. */
export interface PagedList<T> {
	/** Fetches the page at a cursor; the first page without one. */
	readonly fetch: (start: string | undefined, signal: AbortSignal) => Promise<RawPage<T>>;
	/** What makes two things the same thing, for those that move from page to page. */
	key(item: T): string | number;
	/** The server's way from page to page; `byCursor` unless said otherwise. */
	readonly way?: () => PagingWay<T>;
}

/** No list of any forge is this long: a server that goes on has lost its way. */
const mostPages = 10_000;
/** Pages in a row that bring nothing new, before we stop believing in the next one. */
const mostFruitlessPages = 3;

/**
 * Pages through a list as it is asked for. Doubles are dropped; a cursor that comes again, pages that bring nothing and
 * lists without end are stopped; and nothing is called complete that the server has not shown to be so.
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

/** A list whose order is only known when all of it is, such as a series. */
export async function* inOnePage<T>(list: Pages<T>, order: (items: readonly T[]) => readonly T[]): Pages<T> {
	const whole = await wholeOf(list);
	yield { ...whole, items: order(whole.items) };
}

/** One way through a list: what is known so far, and where it goes on. */
export class Listing<T> {
	readonly #key: PagedList<T>['key'];
	readonly #nextStep: PagingWay<T>;
	readonly #known = knownKeys();
	readonly #visited = new Set<string>();
	#at: { readonly start: string | undefined; readonly isGuess?: true } | undefined = { start: undefined };
	#count = 0;
	#fruitless = 0;
	/** True after a page that lacked something, however many pages follow. */
	#isPart = false;

	constructor({ key, way = byCursor }: Pick<PagedList<T>, 'key' | 'way'>) {
		this.#key = key;
		this.#nextStep = way();
	}

	/** Where the next page starts: the first one without a start; nothing after the last one. */
	get at(): { readonly start: string | undefined } | undefined {
		return this.#at;
	}

	/** The next page, or nothing after the last one. */
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

	/** What was not seen yet; nearly always all of it. */
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

	/** Takes in the page that was asked for, and finds the next step. */
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

/** A page that was only guessed may be missing, and servers crash over some cursors (docs/protocol.md#crashes). */
function isAbsence(error: unknown): boolean {
	const problem = isForgeError(error) ? error.problem : undefined;
	return problem?.kind === 'notFound' || (problem?.kind === 'serverError' && problem.status === 500);
}

/** What to say while there is a next page, and when there should be one that cannot be had. */
function leftOver(page: RawPage<unknown>, seen: number, goesOn: boolean): Completeness {
	return !goesOn && page.total !== undefined && seen >= page.total
		? { kind: 'complete' }
		: { kind: 'more', total: page.total };
}

/** Which things of a listing were seen already. */
interface KnownKeys {
	readonly size: number;
	/** Remembers a key; false when it was known. */
	add(key: string | number): boolean;
}

/**
 * Lists mostly count down, and then every number below the lowest is new without a look. Only when that order breaks
 * are all keys put into a set.
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
