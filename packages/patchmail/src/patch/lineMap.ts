import type { LineChange } from './lineDiff.ts';

/** Position of an old line in the new text; lines count from 0. */
export type LineBetween =
	/** Unchanged. */
	| { readonly kind: 'same'; readonly line: number }
	/** Other lines replace it; `line` is its counterpart. */
	| { readonly kind: 'changed'; readonly line: number }
	/** Removed without a replacement; `line` follows it, or the text ends there. */
	| { readonly kind: 'gone'; readonly line: number };

/** Maps a line from the old text to the new one. `changes` must be sorted. Takes logarithmic time. */
export function lineBetween(changes: readonly LineChange[], line: number): LineBetween {
	// The last change that begins at the line or before it.
	let [low, high] = [0, changes.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (changes[middle]!.oldFrom <= line) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const change = changes[low - 1];
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
