import { isSameValue } from '../../base/isSameValue.ts';

interface Stamped<T> {
	readonly item: T;
	/** When this was known: the count of changes at the moment at which its request began. */
	readonly stamp: number;
}

/** Items by their keys, each as it was when it was last known, or that it is gone. */
export class StampedItems<T> {
	readonly #kept = new Map<number | string, Stamped<T>>();
	/**
	 * Since when those are gone that were taken out: a reading that began before may come in at any time later. What began
	 * after has a greater stamp, so they never have to be cleared.
	 */
	readonly #gone = new Map<number | string, number>();

	item(key: number | string): T | undefined {
		return this.#kept.get(key)?.item;
	}

	all(): readonly T[] {
		return Array.from(this.#kept.values(), ({ item }) => item);
	}

	stampOf(key: number | string): number | undefined {
		return this.#kept.get(key)?.stamp;
	}

	/** Keeps an item, unless a newer one is kept or it is known to be gone since. */
	keep(key: number | string, item: T, stamp: number): 'changed' | 'same' | 'old' {
		const kept = this.#kept.get(key);
		if ((kept?.stamp ?? this.#gone.get(key) ?? 0) > stamp) {
			return 'old';
		}
		// Whoever compares the items that are known with those that were sees where nothing has changed.
		const isSame = kept !== undefined && isSameValue(kept.item, item);
		this.#gone.delete(key);
		this.#kept.set(key, { item: isSame ? kept.item : item, stamp });
		return isSame ? 'same' : 'changed';
	}

	/** Takes out what is gone, unless it was known later. True when it was kept. */
	remove(key: number | string, stamp: number): boolean {
		const kept = this.#kept.get(key);
		if (kept && kept.stamp > stamp) {
			return false;
		}
		this.#gone.set(key, Math.max(stamp, this.#gone.get(key) ?? 0));
		return this.#kept.delete(key);
	}

	/** Forgets an item that may be there still: whatever is read of it next counts. */
	forget(key: number | string): void {
		this.#kept.delete(key);
	}

	/** Forgets all items; what is gone stays gone. */
	clear(): void {
		this.#kept.clear();
	}
}
