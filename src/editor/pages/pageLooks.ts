/** Decides when an open page counts as read. */
export interface PageLooks {
	/** The page became visible: the next look counts all visible content. */
	shown(): void;
	/** True if a number exceeds its value at the last counted look. Otherwise a manual mark since then survives. */
	counts(...seen: readonly number[]): boolean;
}

/** Starts without a look. */
export function pageLooks(): PageLooks {
	let isFirst = true;
	let before: readonly number[] = [];
	return {
		shown() {
			isFirst = true;
		},
		counts(...seen) {
			const isCounted = isFirst || seen.some((number, at) => number > (before[at] ?? 0));
			if (isCounted) {
				isFirst = false;
				before = seen;
			}
			return isCounted;
		},
	};
}
