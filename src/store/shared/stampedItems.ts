import { isSameValue } from '../../base/isSameValue.ts';
import type { ReadBefore } from './listing.ts';

/** Items by key with the stamp of their last change or removal. */
export class StampedItems<T> {
	readonly #kept = new Map<
		number | string,
		{
			readonly item: T;
			/** Change counter at the start of the request. */
			readonly stamp: number;
			/** Age of an item from the disk cache; `undefined` for fresh data. */
			readonly before: ReadBefore | undefined;
		}
	>();
	/**
	 * Stamps of removed keys. A reading that began earlier may still arrive. Never cleared: later readings have greater
	 * stamps.
	 */
	readonly #gone = new Map<number | string, number>();

	get size(): number {
		return this.#kept.size;
	}

	item(key: number | string): T | undefined {
		return this.#kept.get(key)?.item;
	}

	all(): readonly T[] {
		return Array.from(this.#kept.values(), ({ item }) => item);
	}

	/** The latest match. */
	findLast(isIt: (item: T) => boolean): T | undefined {
		return this.all().findLast(isIt);
	}

	/** The keys of items that changed after `stamp`. */
	*since(stamp: number): Generator<number | string, void, undefined> {
		for (const [key, kept] of this.#kept) {
			if (kept.stamp > stamp) {
				yield key;
			}
		}
	}

	/** The parts of an item that views show, compared by identity; `undefined` for an unknown item. */
	shown(key: number | string): readonly unknown[] | undefined {
		const kept = this.#kept.get(key);
		return kept && [kept.item, kept.before];
	}

	stampOf(key: number | string): number | undefined {
		return this.#kept.get(key)?.stamp;
	}

	/** Age of an item from the disk cache; `undefined` for fresh data. */
	beforeOf(key: number | string): ReadBefore | undefined {
		return this.#kept.get(key)?.before;
	}

	/** Stores an item unless a newer version or removal is known. */
	keep(key: number | string, item: T, stamp: number, before?: ReadBefore): 'changed' | 'same' | 'old' {
		const kept = this.#kept.get(key);
		if ((kept?.stamp ?? this.#gone.get(key) ?? 0) > stamp) {
			return 'old';
		}
		// Keeps the old object for equal values, so that callers can compare by identity.
		const isSame = kept !== undefined && isSameValue(kept.item, item);
		this.#gone.delete(key);
		this.#kept.set(key, { item: isSame ? kept.item : item, stamp, before });
		return isSame ? 'same' : 'changed';
	}

	/** Removes an item unless it changed later. True when it was stored. */
	remove(key: number | string, stamp: number): boolean {
		const kept = this.#kept.get(key);
		if (kept && kept.stamp > stamp) {
			return false;
		}
		this.#gone.set(key, Math.max(stamp, this.#gone.get(key) ?? 0));
		return this.#kept.delete(key);
	}

	/** Forgets an item without marking it as removed. */
	forget(key: number | string): void {
		this.#kept.delete(key);
	}

	/** Forgets all items; removals remain. */
	clear(): void {
		this.#kept.clear();
	}
}
