import type { Steps } from '../../base/timeSlice.ts';

/** Items to sort or merge between two chances to rest. */
const most = 2048;

/** Stable sort into a new array with chances to rest. Up to a few thousand items need only one part. */
export function* mergeSorting<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
	let runs: (readonly T[])[] = [];
	for (let start = 0; start < items.length; start += most) {
		runs.push(items.slice(start, start + most).toSorted(compare));
		yield;
	}
	while (runs.length > 1) {
		const merged: (readonly T[])[] = [];
		for (let at = 0; at < runs.length; at += 2) {
			merged.push(yield* mergeTwo(runs[at] ?? [], runs[at + 1] ?? [], compare));
		}
		runs = merged;
	}
	return runs[0] ?? [];
}

function* mergeTwo<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
	const merged: T[] = [];
	let l = 0;
	let r = 0;
	while (l < left.length && r < right.length) {
		const [a, b] = [left[l], right[r]];
		// Unreachable by the loop condition; for the compiler.
		if (a === undefined || b === undefined) {
			break;
		}
		if (compare(a, b) <= 0) {
			merged.push(a);
			l += 1;
		} else {
			merged.push(b);
			r += 1;
		}
		if (merged.length % most === 0) {
			yield;
		}
	}
	return merged.concat(left.slice(l), right.slice(r));
}
