/** Numbers from `top` down to `bottom`, inclusive. */
export interface NumberRange {
	readonly top: number;
	readonly bottom: number;
}

/** Merges overlapping and adjacent ranges, highest first. */
export function joined(ranges: readonly NumberRange[]): readonly NumberRange[] {
	const result: NumberRange[] = [];
	for (const { top, bottom } of ranges.toSorted((one, other) => other.top - one.top)) {
		const last = result.at(-1);
		if (last && top >= last.bottom - 1) {
			result[result.length - 1] = { top: last.top, bottom: Math.min(last.bottom, bottom) };
		} else {
			result.push({ top, bottom });
		}
	}
	return result;
}

/** Adds a range to merged ranges. */
export function withRange(ranges: readonly NumberRange[], added: NumberRange): readonly NumberRange[] {
	return joined([...ranges, added]);
}

/** Binary search in merged ranges, because callers ask once per ticket. */
export function isWithin(ranges: readonly NumberRange[], wanted: number): boolean {
	let low = 0;
	let high = ranges.length - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		const { top, bottom } = ranges[middle] ?? { top: wanted, bottom: wanted };
		if (wanted > top) {
			high = middle - 1;
		} else if (wanted < bottom) {
			low = middle + 1;
		} else {
			return true;
		}
	}
	return false;
}

/** Intersects the ranges with `limits`. */
export function clipped(ranges: readonly NumberRange[], limits: NumberRange): readonly NumberRange[] {
	return ranges
		.map(({ top, bottom }) => ({ top: Math.min(top, limits.top), bottom: Math.max(bottom, limits.bottom) }))
		.filter(({ top, bottom }) => top >= bottom);
}

/** Total count of numbers in disjoint ranges. */
export function sizeOf(ranges: readonly NumberRange[]): number {
	return ranges.reduce((sum, { top, bottom }) => sum + top - bottom + 1, 0);
}
