import type { ReadBefore } from './listing.ts';
import { StampedItems } from './stampedItems.ts';

/** Identity and order of items. */
export interface ItemOrder<T> {
	readonly idOf: (item: T) => number | string;
	/** The server's order; absent for the order of arrival. */
	readonly compare?: (a: T, b: T) => number;
}

/** Items of a list in order, and items known outside the list: those of a later page, or from before a reset. */
export class ListedItems<T> {
	readonly known = new StampedItems<T>();
	readonly #order: ItemOrder<T>;
	readonly #listed = new Set<number | string>();
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

	/** True when items are known outside the list. */
	get hasUnlisted(): boolean {
		return this.known.size > this.#listed.size;
	}

	/** In order; the same array until something changes. */
	all(): readonly T[] {
		if (!this.#sorted) {
			const items: T[] = [];
			for (const id of this.#listed) {
				const item = this.known.item(id);
				if (item !== undefined) {
					items.push(item);
				}
			}
			this.#sorted = this.#order.compare ? items.sort(this.#order.compare) : items;
		}
		return this.#sorted;
	}

	isListed(id: number | string): boolean {
		return this.#listed.has(id);
	}

	/** True for an item above the last listed one. */
	reaches(item: T): boolean {
		const { compare } = this.#order;
		if (!compare) {
			return false;
		}
		if (this.#last === undefined) {
			for (const id of this.#listed) {
				const each = this.known.item(id);
				this.#last =
					each !== undefined && (this.#last === undefined || compare(each, this.#last) > 0) ? each : this.#last;
			}
		}
		return this.#last !== undefined && compare(item, this.#last) <= 0;
	}

	/** Keeps and lists the items of a page. */
	add(items: readonly T[], stamp: number, before?: ReadBefore): void {
		let isOther = false;
		for (const item of items) {
			const id = this.#order.idOf(item);
			const outcome = this.known.keep(id, item, stamp, before);
			if (this.#listed.has(id)) {
				isOther ||= outcome === 'changed';
			} else if (outcome !== 'old' || this.known.item(id) !== undefined) {
				this.#listed.add(id);
				isOther = true;
			}
		}
		if (isOther) {
			this.#last = undefined;
			this.#sorted = undefined;
		}
	}

	/** Stores an item unless a newer version or removal is known; then false. Equal values keep their old object. */
	keep(id: number | string, item: T, stamp: number, before?: ReadBefore): boolean {
		const outcome = this.known.keep(id, item, stamp, before);
		if (outcome === 'changed' && this.#listed.has(id)) {
			this.#last = undefined;
			this.#sorted = undefined;
		}
		return outcome !== 'old';
	}

	list(id: number | string): void {
		const item = this.known.item(id);
		if (item === undefined || this.#listed.has(id)) {
			return;
		}
		this.#listed.add(id);
		this.#sorted = undefined;
		if (this.#last !== undefined && !this.reaches(item)) {
			this.#last = item;
		}
	}

	/** Removes an item unless it changed after `stamp`. True when it was stored. */
	remove(id: number | string, stamp: number): boolean {
		const wasKept = this.known.remove(id, stamp);
		if (wasKept && this.#listed.delete(id)) {
			this.#last = undefined;
			this.#sorted = undefined;
		}
		return wasKept;
	}

	/** Empties the list; items stay known. */
	unlistAll(): void {
		this.#listed.clear();
		this.#last = undefined;
		this.#sorted = undefined;
	}
}
