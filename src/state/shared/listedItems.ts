import { StampedItems } from './stampedItems.ts';

/** How items are told apart and ordered. */
export interface ItemOrder<T> {
	readonly idOf: (item: T) => number | string;
	/** Order of the server's list. */
	readonly compare: (a: T, b: T) => number;
}

/** The items that a list holds, in its order, and others that are known beside them. */
export class ListedItems<T> {
	readonly #order: ItemOrder<T>;
	readonly #kept = new StampedItems<T>();
	readonly #listed = new Set<number | string>();
	/** Kept and not listed: their place is on a later page, or they came before the last reset. */
	readonly #loose = new Set<number | string>();
	/** The last of the listed items; looked for anew when it may be another. */
	#last: T | undefined;
	/** The listed items in order, until one of them changes: views ask for them once per row. */
	#sorted: readonly T[] | undefined;

	constructor(order: ItemOrder<T>) {
		this.#order = order;
	}

	/** How many are listed. */
	get size(): number {
		return this.#listed.size;
	}

	/** In order; the same array until something changes. */
	all(): readonly T[] {
		this.#sorted ??= Array.from(this.#listed, (id) => this.#kept.item(id))
			.filter((item) => item !== undefined)
			.sort(this.#order.compare);
		return this.#sorted;
	}

	item(id: number | string): T | undefined {
		return this.#kept.item(id);
	}

	/** Of all that are known, listed or not, the one that came last. */
	findLast(isIt: (item: T) => boolean): T | undefined {
		return this.#kept.all().findLast(isIt);
	}

	stampOf(id: number | string): number | undefined {
		return this.#kept.stampOf(id);
	}

	isListed(id: number | string): boolean {
		return this.#listed.has(id);
	}

	/** Those that are known beside the list. */
	loose(): readonly (number | string)[] {
		return Array.from(this.#loose);
	}

	/** The last of the listed ones. */
	last(): T | undefined {
		if (this.#last === undefined) {
			for (const id of this.#listed) {
				this.#noteLast(id, true);
			}
		}
		return this.#last;
	}

	/** Keeps an item, listed or not, unless it was known or taken out later; false then. One that says the same stays the same object. */
	keep(item: T, stamp: number): boolean {
		const id = this.#order.idOf(item);
		const isLast = this.#last !== undefined && this.#order.idOf(this.#last) === id;
		const outcome = this.#kept.keep(id, item, stamp);
		if (outcome === 'old') {
			return false;
		}
		if (!this.#listed.has(id)) {
			this.#loose.add(id);
		} else if (outcome === 'changed') {
			this.#sorted = undefined;
			this.#last = isLast ? undefined : this.#last;
			this.#noteLast(id, false);
		}
		return true;
	}

	/** Lists an item, if it is kept. */
	list(id: number | string): void {
		if (this.#kept.stampOf(id) === undefined) {
			return;
		}
		this.#loose.delete(id);
		const isFirst = this.#listed.size === 0;
		this.#sorted = this.#listed.has(id) ? this.#sorted : undefined;
		this.#listed.add(id);
		this.#noteLast(id, isFirst);
	}

	/** Takes out an item that is gone, unless it was known later than `stamp`. True when it was kept. */
	remove(id: number | string, stamp: number): boolean {
		const wasKept = this.#kept.remove(id, stamp);
		if (wasKept) {
			this.#loose.delete(id);
			this.#listed.delete(id);
			this.#sorted = undefined;
			this.#last = undefined;
		}
		return wasKept;
	}

	/** Lists nothing any longer; all that is kept stays. */
	unlistAll(): void {
		for (const id of this.#listed) {
			this.#loose.add(id);
		}
		this.#listed.clear();
		this.#sorted = undefined;
		this.#last = undefined;
	}

	/** While the last one is not known, all of them have to be looked at: `isAny` tells that this is done. */
	#noteLast(id: number | string, isAny: boolean): void {
		const item = this.#kept.item(id);
		if (item !== undefined && (this.#last === undefined ? isAny : this.#order.compare(item, this.#last) > 0)) {
			this.#last = item;
		}
	}
}
