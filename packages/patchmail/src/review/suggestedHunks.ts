import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { hunksOf, lineChanges, LineNumbers, type LineHunk } from '../patch/lineDiff.ts';

/** A changed part of a text with context. Lines count from 0. */
export interface SuggestedHunk {
	/** Changed lines, inclusive. For a pure insertion, the line above or the first line. */
	readonly touched: { readonly start: number; readonly end: number };
	/** Line of the first row. */
	readonly start: number;
	/** As in a unified diff. */
	readonly rows: readonly string[];
}

/** Hunks between two texts, like `git diff`. */
export function* suggestedHunks(before: string, after: string): Steps<readonly SuggestedHunk[]> {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	const numbers = new LineNumbers();
	const changes = yield* lineChanges(numbers.of(old), numbers.of(fresh), numbers.indentOf);
	return hunksOf(changes, { before: old.length, after: fresh.length }).map((hunk) => {
		const [first, last] = [hunk.changes[0]!, hunk.changes.at(-1)!];
		const start = Math.max(0, first.oldFrom - (first.removed === 0 ? 1 : 0));
		const end = Math.max(start, last.oldFrom + last.removed - 1);
		return { touched: { start, end }, start: hunk.oldFrom, rows: rowsOf(hunk, old, fresh) };
	});
}

/** Lines with their ends, because the last one may have none. */
function linesOf(text: string): readonly string[] {
	return text.replaceAll('\r\n', '\n').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function rowsOf(
	{ changes, oldFrom, oldTo }: LineHunk,
	old: readonly string[],
	fresh: readonly string[],
): readonly string[] {
	const rows: string[] = [];
	let at = oldFrom;
	for (const change of changes) {
		pushAll(rows, signed(' ', old.slice(at, change.oldFrom)));
		at = change.oldFrom + change.removed;
		pushAll(rows, signed('-', old.slice(change.oldFrom, at)));
		pushAll(rows, signed('+', fresh.slice(change.newFrom, change.newFrom + change.added)));
	}
	return [...rows, ...signed(' ', old.slice(at, oldTo))];
}

function signed(sign: ' ' | '-' | '+', lines: readonly string[]): readonly string[] {
	return lines.flatMap((line) =>
		line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, '\\ No newline at end of file'],
	);
}
