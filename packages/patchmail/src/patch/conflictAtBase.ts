import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { LineNumbers, lineChanges, type LineChange } from './lineDiff.ts';

/** A file that two sides changed. */
export interface ConflictTexts {
	/** Common ancestor. */
	readonly base: string;
	readonly ours: string;
	readonly theirs: string;
}

/**
 * Whether a text still has the base lines of a conflict. Merge editors keep them without a marker until the user
 * resolves the conflict, and merge the rest meanwhile. A user who chooses the base gets the same text. Also true for
 * the unchanged base.
 */
export function* isAtBase({ base, ours, theirs }: ConflictTexts, now: string): Steps<boolean> {
	const numbers = new LineNumbers();
	// A checkout may convert line ends.
	const numbered = (text: string): Int32Array => numbers.of(text.replaceAll('\r\n', '\n').split('\n'));
	const [before, mine, other, result] = [numbered(base), numbered(ours), numbered(theirs), numbered(now)] as const;
	const byUs = yield* lineChanges(before, mine, numbers.indentOf);
	const byThem = yield* lineChanges(before, other, numbers.indentOf);
	const made = yield* lineChanges(before, result, numbers.indentOf);
	if (made.length === 0) {
		return true;
	}
	const spans = spansOf([
		...byUs.map((change) => ({ change, lines: mine })),
		...byThem.map((change) => ({ change, lines: other })),
	]);
	return spans.some((span) => isConflict(span, mine) && !made.some((change) => touches(span, change)));
}

/** `lines`: all lines of the side. */
interface SideChange {
	readonly change: LineChange;
	readonly lines: Int32Array;
}

/** Changes that touch or overlap, with their range in the base; `to` is exclusive. */
interface Span {
	readonly from: number;
	readonly to: number;
	readonly changes: readonly SideChange[];
}

function spansOf(changes: readonly SideChange[]): readonly Span[] {
	const spans: Span[] = [];
	for (const each of changes.toSorted((one, another) => one.change.oldFrom - another.change.oldFrom)) {
		const { oldFrom, removed } = each.change;
		const last = spans.at(-1);
		if (last && touches(last, each.change)) {
			spans[spans.length - 1] = {
				from: last.from,
				to: Math.max(last.to, oldFrom + removed),
				changes: [...last.changes, each],
			};
		} else {
			spans.push({ from: oldFrom, to: oldFrom + removed, changes: [each] });
		}
	}
	return spans;
}

function touches({ from, to }: Span, { oldFrom, removed }: LineChange): boolean {
	return oldFrom <= to && oldFrom + removed >= from;
}

/** True if both sides changed the span differently. */
function isConflict({ changes }: Span, ours: Int32Array): boolean {
	const mine = changes.find(({ lines }) => lines === ours);
	const other = changes.find(({ lines }) => lines !== ours);
	if (!mine || !other) {
		return false;
	}
	const [one, another] = [mine.change, other.change];
	const added = mine.lines.subarray(one.newFrom, one.newFrom + one.added);
	const isSame =
		one.oldFrom === another.oldFrom &&
		one.removed === another.removed &&
		one.added === another.added &&
		added.every((line, at) => line === other.lines[another.newFrom + at]);
	return changes.length > 2 || !isSame;
}
