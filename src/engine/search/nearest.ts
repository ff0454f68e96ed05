/** Longer than any keyword. */
const longest = 24;

/** The keyword that a typo most likely meant; `undefined` when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	if (word.length === 0 || word.length > longest) {
		return undefined;
	}
	const ranked = candidates
		.map((candidate) => ({ candidate, steps: stepsBetween(word, candidate) }))
		.filter(({ candidate, steps }) => steps <= allowedSteps(word) || candidate.startsWith(word))
		.toSorted((a, b) => a.steps - b.steps);
	return ranked[0]?.candidate;
}

function allowedSteps(word: string): number {
	return word.length <= 3 ? 1 : 2;
}

/** Edit distance with transpositions. */
function stepsBetween(a: string, b: string): number {
	let beforeLast: readonly number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const same = a[row - 1] === b[column - 1];
			const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			current.push(
				Math.min(
					at(last, column) + 1,
					at(current, column - 1) + 1,
					at(last, column - 1) + (same ? 0 : 1),
					swapped ? at(beforeLast, column - 2) + 1 : Infinity,
				),
			);
		}
		beforeLast = last;
		last = current;
	}
	return at(last, b.length);
}

/** Infinity outside the row. */
function at(row: readonly number[], column: number): number {
	return row[column] ?? Infinity;
}
