/** Decides when an open page counts as read. Starts without a look. */
export function pageLooks() {
	let isFirst = true;
	let before: readonly number[] = [];
	return {
		/** The page became visible: the next look counts all visible content. */
		shown() {
			isFirst = true;
		},
		/** True if a number exceeds its value at the last counted look. Otherwise a manual mark since then survives. */
		counts(...seen: readonly number[]) {
			const isCounted = isFirst || seen.some((number, at) => number > (before[at] ?? 0));
			if (isCounted) {
				isFirst = false;
				before = seen;
			}
			return isCounted;
		},
	};
}
