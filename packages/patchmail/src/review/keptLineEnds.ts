import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { LineNumbers, lineChanges, type LineChange } from '../patch/lineDiff.ts';

/**
 * Reverts white-space trimming by the editor on save: restores trailing blanks and final line ends, unless the line
 * changed otherwise. Typed blanks at line ends are lost.
 */
export function* keptLineEnds(before: string, saved: string): Steps<string> {
	const [old, fresh] = [splitText(before), splitText(saved)];
	const numbers = new LineNumbers();
	const numbered = ({ lines }: SplitText): Int32Array => numbers.of(lines.map((line) => line.trimEnd()));
	const changes = yield* lineChanges(numbered(old), numbered(fresh), undefined);
	const lines = linesKept(old.lines, fresh.lines, changes);
	const end = isEndSet(old, fresh, changes.at(-1)) ? old.end : fresh.end;
	return [...lines, ...end].join(saved.includes('\r\n') ? '\r\n' : '\n');
}

function linesKept(
	old: readonly string[],
	fresh: readonly string[],
	changes: readonly LineChange[],
): readonly string[] {
	const kept: string[] = [];
	let [oldAt, freshAt] = [0, 0];
	const keepUpTo = (oldEnd: number): void => {
		for (; oldAt < oldEnd; oldAt += 1, freshAt += 1) {
			kept.push(untrimmed(old[oldAt]!, fresh[freshAt]!));
		}
	};
	for (const { oldFrom, removed, newFrom, added } of changes) {
		keepUpTo(oldFrom);
		pushAll(kept, fresh.slice(newFrom, newFrom + added));
		[oldAt, freshAt] = [oldFrom + removed, newFrom + added];
	}
	keepUpTo(old.length);
	return kept;
}

/** Zero or one final line feed can be the editor's change; the user typed more than that. */
function isEndSet(old: SplitText, fresh: SplitText, last: LineChange | undefined): boolean {
	const isLastLineTyped =
		last !== undefined &&
		(last.oldFrom + last.removed === old.lines.length || last.newFrom + last.added === fresh.lines.length);
	return !isLastLineTyped && fresh.end.length <= 1 && fresh.end.every((line) => line === '');
}

/** The lines up to the last nonblank one, and the blank rest: `['']` for one line feed. */
interface SplitText {
	readonly lines: readonly string[];
	readonly end: readonly string[];
}

function splitText(text: string): SplitText {
	const lines = text.split(/\r?\n/);
	const length = lines.findLastIndex((line) => line.trimEnd() !== '') + 1;
	return { lines: lines.slice(0, length), end: lines.slice(length) };
}

function untrimmed(before: string, saved: string): string {
	return before.startsWith(saved) ? before : saved;
}
