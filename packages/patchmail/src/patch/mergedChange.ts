import type { Steps } from '@forge-desk/base/timeSlice.ts';
import type { Hunk } from './fileDiff.ts';
import { hunkLines } from './hunkLines.ts';
import { lineChanges, LineNumbers } from './lineDiff.ts';

/**
 * Whether a change consists of lines that hunks add and remove, wherever a three-way merge put them. A merge leaves out
 * lines that the file has already. All texts are bytes, one character each; `diffText` has the hunks.
 */
export function* isChangeOfHunks(
	before: string,
	after: string,
	diffText: string,
	hunks: readonly Hunk[],
): Steps<boolean> {
	const left = { added: new Map<string, number>(), removed: new Map<string, number>() };
	for (const hunk of hunks) {
		for (const { kind, text, hasLineEnd } of hunkLines(diffText, hunk)) {
			if (kind !== 'context') {
				const line = hasLineEnd ? `${text}\n` : text;
				left[kind].set(line, (left[kind].get(line) ?? 0) + 1);
			}
		}
	}
	const take = (lines: Map<string, number>, line: string): boolean => {
		const count = lines.get(line) ?? 0;
		lines.set(line, count - 1);
		return count > 0;
	};
	const [old, young] = [linesOf(before), linesOf(after)];
	const numbers = new LineNumbers();
	const changes = yield* lineChanges(numbers.of(old), numbers.of(young), numbers.indentOf);
	return changes.every(
		({ oldFrom, removed, newFrom, added }) =>
			old.slice(oldFrom, oldFrom + removed).every((line) => take(left.removed, line)) &&
			young.slice(newFrom, newFrom + added).every((line) => take(left.added, line)),
	);
}

/** With line ends. */
function linesOf(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
