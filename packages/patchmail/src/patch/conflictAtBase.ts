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
	const numbered = (text: string): Int32Array => numbers.of(linesOf(text));
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

/** Ignores line ends: a checkout may convert them. */
function linesOf(text: string): readonly string[] {
	return text.replaceAll('\r\n', '\n').split('\n');
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
	const [mine, other] = [changes.filter(({ lines }) => lines === ours), changes.filter(({ lines }) => lines !== ours)];
	const [one, another] = [mine[0], other[0]];
	if (!one || !another) {
		return false;
	}
	return changes.length > 2 || !isSame(one, another);
}

function isSame(one: SideChange, other: SideChange): boolean {
	const added = ({ change: { newFrom, added: count }, lines }: SideChange): Int32Array =>
		lines.subarray(newFrom, newFrom + count);
	return (
		one.change.oldFrom === other.change.oldFrom &&
		one.change.removed === other.change.removed &&
		one.change.added === other.change.added &&
		added(one).every((line, at) => line === added(other)[at])
	);
}
