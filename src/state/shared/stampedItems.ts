import { isSameValue } from '../../base/isSameValue.ts';

interface Stamped<T> {
	readonly item: T;
	/** When this was known: the count of changes at the moment at which its request began. */
	readonly stamp: number;
}

/** Items by their keys, each as it was when it was last known. */
export class StampedItems<T> {
	readonly #kept = new Map<number | string, Stamped<T>>();

	item(key: number | string): T | undefined {
		return this.#kept.get(key)?.item;
	}

	all(): readonly T[] {
		return Array.from(this.#kept.values(), ({ item }) => item);
	}

	stampOf(key: number | string): number | undefined {
		return this.#kept.get(key)?.stamp;
	}

	/** Keeps an item, unless a newer one is kept. */
	keep(key: number | string, item: T, stamp: number): 'changed' | 'same' | 'old' {
		const kept = this.#kept.get(key);
		if (kept && kept.stamp > stamp) {
			return 'old';
		}
		// Whoever compares the items that are known with those that were sees where nothing has changed.
		const isSame = kept !== undefined && isSameValue(kept.item, item);
		this.#kept.set(key, { item: isSame ? kept.item : item, stamp });
		return isSame ? 'same' : 'changed';
	}

	/** True when it was kept. */
	delete(key: number | string): boolean {
		return this.#kept.delete(key);
	}

	clear(): void {
		this.#kept.clear();
	}
}
