/** Numbers from `top` down to `bottom`, both included. */
export interface NumberRange {
	readonly top: number;
	readonly bottom: number;
}

/** Adds a range to ranges that stand apart, highest first; what touches becomes one. */
export function withRange(ranges: readonly NumberRange[], added: NumberRange): readonly NumberRange[] {
	let { top, bottom } = added;
	const above: NumberRange[] = [];
	const below: NumberRange[] = [];
	for (const range of ranges) {
		if (range.bottom > top + 1) {
			above.push(range);
		} else if (range.top < bottom - 1) {
			below.push(range);
		} else {
			top = Math.max(top, range.top);
			bottom = Math.min(bottom, range.bottom);
		}
	}
	return [...above, { top, bottom }, ...below];
}

/** True when one of the ranges holds the number. */
export function isWithin(ranges: readonly NumberRange[], number: number): boolean {
	return ranges.some(({ top, bottom }) => number <= top && number >= bottom);
}

/** The ranges as far as they lie within `limits`. */
export function clipped(ranges: readonly NumberRange[], limits: NumberRange): readonly NumberRange[] {
	return ranges
		.map(({ top, bottom }) => ({ top: Math.min(top, limits.top), bottom: Math.max(bottom, limits.bottom) }))
		.filter(({ top, bottom }) => top >= bottom);
}

/** How many numbers there are in ranges that do not overlap. */
export function sizeOf(ranges: readonly NumberRange[]): number {
	return ranges.reduce((sum, { top, bottom }) => sum + top - bottom + 1, 0);
}
