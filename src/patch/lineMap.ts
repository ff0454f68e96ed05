import type { LineChange } from './lineDiff.ts';

/** Where a line of one text is in another; all lines count from 0. */
export type LineBetween =
	/** The very line. */
	| { readonly kind: 'same'; readonly line: number }
	/** Others stand in its place, this one where it stood. */
	| { readonly kind: 'changed'; readonly line: number }
	/** Nothing stands in its place; this line stands behind it now, or the text ends there. */
	| { readonly kind: 'gone'; readonly line: number };

/** Follows a line from one text to another, by the changes between them, which are in order. Takes logarithmic time. */
export function lineBetween(changes: readonly LineChange[], line: number): LineBetween {
	const change = lastAt(changes, line);
	if (change === undefined) {
		return { kind: 'same', line };
	}
	const { oldFrom, removed, newFrom, added } = change;
	const inside = line - oldFrom;
	if (inside >= removed) {
		return { kind: 'same', line: newFrom + added + inside - removed };
	}
	return added === 0
		? { kind: 'gone', line: newFrom }
		: { kind: 'changed', line: newFrom + Math.min(inside, added - 1) };
}

/** The last change that begins at the line or before it. */
function lastAt(changes: readonly LineChange[], line: number): LineChange | undefined {
	let [low, high] = [0, changes.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((changes[middle]?.oldFrom ?? 0) <= line) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return changes[low - 1];
}
