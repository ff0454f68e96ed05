import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { LineNumbers, lineChanges } from '../patch/lineDiff.ts';

/**
 * Reverts white-space trimming by the editor on save: restores trailing blanks and final line ends, unless the line
 * changed otherwise. Typed blanks at line ends are lost.
 */
export function* keptLineEnds(before: string, saved: string): Steps<string> {
	const [old, fresh] = [splitText(before), splitText(saved)];
	const numbers = new LineNumbers();
	const numbered = ({ lines }: SplitText): Int32Array => numbers.of(lines.map((line) => line.trimEnd()));
	const changes = yield* lineChanges(numbered(old), numbered(fresh), undefined);
	const kept: string[] = [];
	let [oldAt, freshAt] = [0, 0];
	const keepUpTo = (oldEnd: number): void => {
		for (; oldAt < oldEnd; oldAt += 1, freshAt += 1) {
			const [line, savedLine] = [old.lines[oldAt]!, fresh.lines[freshAt]!];
			kept.push(line.startsWith(savedLine) ? line : savedLine);
		}
	};
	for (const { oldFrom, removed, newFrom, added } of changes) {
		keepUpTo(oldFrom);
		pushAll(kept, fresh.lines.slice(newFrom, newFrom + added));
		[oldAt, freshAt] = [oldFrom + removed, newFrom + added];
	}
	keepUpTo(old.lines.length);
	const last = changes.at(-1);
	const isLastLineTyped =
		last !== undefined &&
		(last.oldFrom + last.removed === old.lines.length || last.newFrom + last.added === fresh.lines.length);
	// Zero or one final line feed can be the editor's change; the user typed more than that.
	const isEndSet = !isLastLineTyped && fresh.end.length <= 1 && fresh.end.every((line) => line === '');
	return [...kept, ...(isEndSet ? old.end : fresh.end)].join(saved.includes('\r\n') ? '\r\n' : '\n');
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
