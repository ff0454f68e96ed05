import type { Steps } from '../base/timeSlice.ts';
import { byteText } from '../patch/byteText.ts';
import { lineChanges, LineNumbers } from '../patch/lineDiff.ts';
import { lineBetween, type LineBetween } from '../patch/lineMap.ts';
import type { SparsePiece } from '../patch/sparseText.ts';

/** Maps a line of the earlier text to the later one; both count from 1. `undefined` for a line outside the text. */
export type LineCarrier = (line: number) => LineBetween | undefined;

/**
 * Maps lines of a file between two versions of a series, for comments. For a comment on a patch, both versions must end
 * with the matching patches. From hunks alone, a line in a gap maps only if both versions leave it unchanged.
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

/** The same for complete contents. */
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

/** First line of each piece, and the line after the last. */
function startsOf(pieces: readonly SparsePiece[]): readonly number[] {
	const starts = [1];
	for (const piece of pieces) {
		const length =
			piece.kind === 'line' ? 1 : piece.to === undefined ? Number.POSITIVE_INFINITY : piece.to - piece.from + 1;
		starts.push((starts.at(-1) ?? 1) + length);
	}
	return starts;
}

/** Index of the piece with a line; the number of pieces for a line after the last. */
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
