/** Whole numbers from the first to the last, both among them. */
export type Span = readonly [first: number, last: number];

/** The same numbers in as few spans as it takes, lowest first. */
export function joined(spans: readonly Span[]): readonly Span[] {
	const result: Span[] = [];
	for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
		const last = result.at(-1);
		if (last && from <= last[1] + 1) {
			result[result.length - 1] = [last[0], Math.max(last[1], to)];
		} else {
			result.push([from, to]);
		}
	}
	return result;
}

/** Whether joined spans hold a number. Asked once per ticket, so it halves its way. */
export function hasNumber(spans: readonly Span[], wanted: number): boolean {
	let low = 0;
	let high = spans.length - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		const [from, to] = spans[middle] ?? [wanted, wanted];
		if (wanted < from) {
			high = middle - 1;
		} else if (wanted > to) {
			low = middle + 1;
		} else {
			return true;
		}
	}
	return false;
}
