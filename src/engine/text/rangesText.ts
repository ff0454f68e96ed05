/** `1–3, 5` for ascending numbers. */
export function rangesText(numbers: readonly number[]): string {
	const ranges: { first: number; last: number }[] = [];
	for (const number of numbers) {
		const range = ranges.at(-1);
		if (range?.last === number - 1) {
			range.last = number;
		} else {
			ranges.push({ first: number, last: number });
		}
	}
	return ranges
		.map(({ first, last }) =>
			first === last ? String(first) : last === first + 1 ? `${first}, ${last}` : `${first}\u2013${last}`,
		)
		.join(', ');
}
