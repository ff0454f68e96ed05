import type { Steps } from '../base/timeSlice.ts';
import { LineNumbers, lineChanges, type LineChange } from '../patch/lineDiff.ts';

/**
 * A text as it was saved, but with the blanks at the ends of its lines, and the line ends at its own end, as they were
 * before: those that went or came while nothing else of the line is different. So what an editor trims while it saves is
 * taken back, and everything that was typed stays, but for blanks.
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
			kept.push(untrimmed(old[oldAt] ?? '', fresh[freshAt] ?? ''));
		}
	};
	for (const { oldFrom, removed, newFrom, added } of changes) {
		keepUpTo(oldFrom);
		kept.push(...fresh.slice(newFrom, newFrom + added));
		[oldAt, freshAt] = [oldFrom + removed, newFrom + added];
	}
	keepUpTo(old.length);
	return kept;
}

/** One line end at the end, or none, is what trimming and adding one come to; more of them somebody typed. */
function isEndSet(old: SplitText, fresh: SplitText, last: LineChange | undefined): boolean {
	const isLastLineTyped =
		last !== undefined &&
		(last.oldFrom + last.removed === old.lines.length || last.newFrom + last.added === fresh.lines.length);
	return !isLastLineTyped && fresh.end.length <= 1 && fresh.end.every((line) => line === '');
}

/** The lines up to the last that is not blank, and the blank ones behind it: `['']` for one line end. */
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
