/** Which things of a listing were seen already. */
export interface KnownKeys {
	readonly size: number;
	/** Remembers a key; false when it was known. */
	add(key: string | number): boolean;
}

/**
 * Lists mostly count down, and then every number below the lowest is new without a look. Only when that order breaks
 * are all keys put into a set.
 */
export function knownKeys(): KnownKeys {
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
