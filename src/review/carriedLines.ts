import type { Steps } from '../base/timeSlice.ts';
import { byteText } from '../patch/byteText.ts';
import { lineChanges, LineNumbers } from '../patch/lineDiff.ts';
import { lineBetween, type LineBetween } from '../patch/lineMap.ts';
import type { SparsePiece } from '../patch/sparseText.ts';

/** Tells where a line of the earlier text stands in the later one; both count from 1. `undefined` for a line that is not there. */
export type LineCarrier = (line: number) => LineBetween | undefined;

/**
 * Follows the lines of a file from one version of a series to the next, for what was said about them. To follow a comment
 * on a patch, both versions end with the patches that belong together. Of hunks alone, a line between them is followed
 * where both versions leave it alone.
 */
export function* pieceCarrier(before: readonly SparsePiece[], after: readonly SparsePiece[]): Steps<LineCarrier> {
	const numbers = new LineNumbers();
	const [old, young] = [numbers.of(before.map(keyOf)), numbers.of(after.map(keyOf))];
	const changes = yield* lineChanges(old, young, numbers.indentOf);
	const [oldStarts, newStarts] = [startsOf(before), startsOf(after)];
	return (line) => {
		const at = pieceAt(oldStarts, line);
		const piece = before[at];
		if (!piece || line < 1) {
			return undefined;
		}
		const found = lineBetween(changes, at);
		const start = newStarts[found.line] ?? newStarts.at(-1) ?? 1;
		return { kind: found.kind, line: found.kind === 'same' ? start + line - (oldStarts[at] ?? 0) : start };
	};
}

/** The same for contents of which all is known. */
export function* contentCarrier(before: Uint8Array, after: Uint8Array): Steps<LineCarrier> {
	return yield* pieceCarrier(linesOf(byteText(before)), linesOf(byteText(after)));
}

function linesOf(text: string): readonly SparsePiece[] {
	const lines = text.split('\n');
	const last = lines.pop() ?? '';
	return [
		...lines.map((each) => ({ kind: 'line', text: each, hasLineEnd: true, base: undefined }) as const),
		...(last === '' ? [] : [{ kind: 'line', text: last, hasLineEnd: false, base: undefined } as const]),
	];
}

function keyOf(piece: SparsePiece): string {
	return piece.kind === 'gap' ? `gap ${piece.from} ${piece.to}` : ` ${piece.text}${piece.hasLineEnd ? '' : '\n'}`;
}

/** The first line of each piece, and the one behind the last. */
function startsOf(pieces: readonly SparsePiece[]): readonly number[] {
	const starts = [1];
	for (const piece of pieces) {
		const length =
			piece.kind === 'line' ? 1 : piece.to === undefined ? Number.POSITIVE_INFINITY : piece.to - piece.from + 1;
		starts.push((starts.at(-1) ?? 1) + length);
	}
	return starts;
}

/** The piece that a line is in; the number of pieces for one behind the last. */
function pieceAt(starts: readonly number[], line: number): number {
	let [low, high] = [0, starts.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((starts[middle] ?? 0) <= line) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low - 1;
}
