/** Which looks at an open page count. */
export interface PageLooks {
	/** The page came into view: the next look counts whatever there is to see. */
	shown(): void;
	/**
	 * Whether this look counts, by what there is to see: it does when one of the numbers is higher than at the last look
	 * that counted. A mark may have been made by hand since, and stays then.
	 */
	counts(...seen: readonly number[]): boolean;
}

/** Before the first look nothing was seen. */
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
