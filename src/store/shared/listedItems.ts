import { StampedItems } from './stampedItems.ts';

/** Identity and order of items. */
export interface ItemOrder<T> {
	readonly idOf: (item: T) => number | string;
	/** The server's order; absent for the order of arrival. */
	readonly compare?: (a: T, b: T) => number;
}

/** Items of a list in order, and items known outside the list. */
export class ListedItems<T> {
	readonly #order: ItemOrder<T>;
	readonly #kept = new StampedItems<T>();
	readonly #listed = new Set<number | string>();
	/** Known but unlisted: on a later page, or from before a reset. */
	readonly #loose = new Set<number | string>();
	/** Last listed item; recomputed when invalid. */
	#last: T | undefined;
	/** Cached sort order: views ask once per row. */
	#sorted: readonly T[] | undefined;

	constructor(order: ItemOrder<T>) {
		this.#order = order;
	}

	/** Number of listed items. */
	get size(): number {
		return this.#listed.size;
	}

	/** In order; the same array until something changes. */
	all(): readonly T[] {
		if (!this.#sorted) {
			const items = Array.from(this.#listed, (id) => this.#kept.item(id)).filter((item) => item !== undefined);
			this.#sorted = this.#order.compare ? items.sort(this.#order.compare) : items;
		}
		return this.#sorted;
	}

	item(id: number | string): T | undefined {
		return this.#kept.item(id);
	}

	/** Among all known items, listed or not, the latest match. */
	findLast(isIt: (item: T) => boolean): T | undefined {
		return this.#kept.all().findLast(isIt);
	}

	stampOf(id: number | string): number | undefined {
		return this.#kept.stampOf(id);
	}

	isListed(id: number | string): boolean {
		return this.#listed.has(id);
	}

	/** Known but unlisted items. */
	loose(): readonly (number | string)[] {
		return Array.from(this.#loose);
	}

	/** True for an item above the last listed one. */
	reaches(item: T): boolean {
		if (this.#last === undefined) {
			for (const id of this.#listed) {
				this.#noteLast(id, true);
			}
		}
		return this.#last !== undefined && this.#order.compare !== undefined && this.#order.compare(item, this.#last) <= 0;
	}

	/** Keeps and lists the items of a page. */
	add(items: readonly T[], stamp: number): void {
		for (const item of items) {
			this.keep(item, stamp);
			this.list(this.#order.idOf(item));
		}
	}

	/** Stores an item unless a newer version or removal is known; then false. Equal values keep their old object. */
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

	/** Removes an item unless it changed after `stamp`. True when it was stored. */
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

	/** Empties the list; items stay known. */
	unlistAll(): void {
		for (const id of this.#listed) {
			this.#loose.add(id);
		}
		this.#listed.clear();
		this.#sorted = undefined;
		this.#last = undefined;
	}

	/** Tracks the last item. While it is unknown, only a scan of all items (`isAny`) may set it. */
	#noteLast(id: number | string, isAny: boolean): void {
		const item = this.#kept.item(id);
		const { compare } = this.#order;
		if (item !== undefined && compare && (this.#last === undefined ? isAny : compare(item, this.#last) > 0)) {
			this.#last = item;
		}
	}
}
