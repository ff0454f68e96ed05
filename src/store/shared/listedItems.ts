import type { ReadBefore } from './listing.ts';
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

	beforeOf(id: number | string): ReadBefore | undefined {
		return this.#kept.beforeOf(id);
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
		const { compare } = this.#order;
		if (compare && this.#last === undefined) {
			for (const id of this.#listed) {
				const each = this.item(id);
				this.#last =
					each !== undefined && (this.#last === undefined || compare(each, this.#last) > 0) ? each : this.#last;
			}
		}
		return this.#last !== undefined && compare !== undefined && compare(item, this.#last) <= 0;
	}

	/** Keeps and lists the items of a page. */
	add(items: readonly T[], stamp: number, before?: ReadBefore): void {
		for (const item of items) {
			this.keep(item, stamp, before);
			this.list(this.#order.idOf(item));
		}
	}

	/** Stores an item unless a newer version or removal is known; then false. Equal values keep their old object. */
	keep(item: T, stamp: number, before?: ReadBefore): boolean {
		const id = this.#order.idOf(item);
		const outcome = this.#kept.keep(id, item, stamp, before);
		if (outcome === 'old') {
			return false;
		}
		if (!this.#listed.has(id)) {
			this.#loose.add(id);
		} else if (outcome === 'changed') {
			this.#moved();
		}
		return true;
	}

	list(id: number | string): void {
		const item = this.item(id);
		if (item === undefined || this.#listed.has(id)) {
			return;
		}
		const last = this.reaches(item) ? this.#last : item;
		this.#loose.delete(id);
		this.#listed.add(id);
		this.#moved();
		this.#last = last;
	}

	/** Removes an item unless it changed after `stamp`. True when it was stored. */
	remove(id: number | string, stamp: number): boolean {
		const wasKept = this.#kept.remove(id, stamp);
		if (wasKept) {
			this.#loose.delete(id);
			this.#listed.delete(id);
			this.#moved();
		}
		return wasKept;
	}

	/** Empties the list; items stay known. */
	unlistAll(): void {
		for (const id of this.#listed) {
			this.#loose.add(id);
		}
		this.#listed.clear();
		this.#moved();
	}

	#moved(): void {
		this.#sorted = undefined;
		this.#last = undefined;
	}
}
