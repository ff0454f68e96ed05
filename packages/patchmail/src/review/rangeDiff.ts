import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { bytesOf, hunksOf, lineChanges, LineNumbers, type LineHunk } from '../patch/lineDiff.ts';
import { assignPairs, type PairCosts } from './assignPairs.ts';
import type { RangePatch } from './rangePatch.ts';

/** A pair of patches of two versions; indexes count from 0. */
export type RangePair =
	| { readonly kind: 'removed'; readonly old: number }
	| { readonly kind: 'added'; readonly new: number }
	/** `isBinaryChanged`: a binary file differs, without any differing line. */
	| { readonly kind: 'same'; readonly old: number; readonly new: number; readonly isBinaryChanged: boolean }
	| { readonly kind: 'changed'; readonly old: number; readonly new: number; readonly hunks: readonly LineHunk[] };

/** Two versions of a series side by side. */
export type RangeDiff =
	/** `isRough`: the step limit cut the comparison short. */
	| { readonly kind: 'compared'; readonly pairs: readonly RangePair[]; readonly isRough: boolean }
	/** Too many patches or lines to read. */
	| { readonly kind: 'tooLarge' };

/** Percentage: a patch that differs more than this from every other counts as new. */
const creationFactor = 60;
const dearest = 0x1_0000;

const mostPatches = 500;
const mostLines = 100_000;
/** Step limit; a typical pair takes one or a few. */
const mostSteps = 60_000;

/**
 * Pairs the patches of two versions and compares them, like `git range-diff`: first by equal diff, then by minimum
 * total difference. May take a few seconds.
 */
export function* rangeDiff(
	before: readonly RangePatch[],
	after: readonly RangePatch[],
	limit = mostSteps,
): Steps<RangeDiff> {
	const all = [...before, ...after];
	if (all.length > mostPatches || all.reduce((sum, { lines }) => sum + lines.length, 0) > mostLines) {
		return { kind: 'tooLarge' };
	}
	const numbers = new LineNumbers();
	const old = yield* numberedAll(before, numbers);
	const young = yield* numberedAll(after, numbers);
	// Among patches with equal diffs, the last one of the earlier version wins.
	const known = Map.groupBy(old.keys(), (index) => old[index]!.key);
	for (const [index, each] of young.entries()) {
		const found = known.get(each.key)?.pop() ?? -1;
		const other = old[found];
		if (other) {
			each.match = found;
			other.match = index;
		}
	}
	const isRough = yield* matchAlike(old, young, numbers, { left: limit });
	const pairs: RangePair[] = [];
	for (const pair of inOrder(old, young)) {
		if (pair.kind !== 'matched') {
			pairs.push(pair);
			continue;
		}
		const { old: from, new: to, one, other } = pair;
		const changes = yield* lineChanges(one.lines, other.lines, numbers.indentOf);
		const lengths = { before: one.lines.length, after: other.lines.length };
		pairs.push(
			changes.length === 0
				? { kind: 'same', old: from, new: to, isBinaryChanged: one.patch.binaries !== other.patch.binaries }
				: { kind: 'changed', old: from, new: to, hunks: hunksOf(changes, lengths) },
		);
	}
	return { kind: 'compared', pairs, isRough };
}

interface Numbered {
	readonly patch: RangePatch;
	readonly lines: Int32Array;
	readonly diff: Int32Array;
	/** Equal for equal diffs. */
	readonly key: string;
	/** Index of the other version's patch; -1 for none. */
	match: number;
}

function* numberedAll(patches: readonly RangePatch[], numbers: LineNumbers): Steps<readonly Numbered[]> {
	const all: Numbered[] = [];
	for (const patch of patches) {
		const lines = new Int32Array(patch.lines.length);
		for (let at = 0; at < lines.length; at += linesAtOnce) {
			lines.set(numbers.of(patch.lines.slice(at, at + linesAtOnce)), at);
			yield;
		}
		const diff = lines.subarray(patch.diffFrom);
		all.push({ patch, lines, diff, key: bytesOf(diff).toString('latin1'), match: -1 });
		yield;
	}
	return all;
}

const linesAtOnce = 2000;

function* matchAlike(
	old: readonly Numbered[],
	young: readonly Numbered[],
	{ size }: LineNumbers,
	budget: Budget,
): Steps<boolean> {
	const rowOf = yield* assignPairs(yield* costsOf(old, young, new Int32Array(size), budget));
	for (const [index, each] of old.entries()) {
		const other = young[rowOf[index]!];
		if (other) {
			each.match = rowOf[index]!;
			other.match = index;
		}
	}
	return budget.left < 0;
}

/** Lines per step, as a power of 2. */
const linesOfStep = 9;

interface Budget {
	left: number;
}

/** `counts`: a zero for each line number. */
function* costsOf(
	old: readonly Numbered[],
	young: readonly Numbered[],
	counts: Int32Array,
	budget: Budget,
): Steps<PairCosts> {
	const size = old.length + young.length;
	const costs = new Int32Array(size * size);
	const tallies = young.map(({ diff, match }) => tallyOf(match < 0 ? diff : diff.subarray(0, 0), counts));
	for (const [column, one] of old.entries()) {
		const shared = one.match < 0 ? sharedLines(one.diff, tallies, counts) : undefined;
		yield;
		for (const [row, other] of young.entries()) {
			// No order could pair the other lines.
			const least = one.diff.length + other.diff.length - 2 * (shared?.[row] ?? 0);
			// No cheapest assignment has a pair that costs more than a removed and an added patch.
			const isPossible = least <= creationCost(one) + creationCost(other);
			costs[column + size * row] = isPossible ? yield* costOf(one, other, row, budget) : least;
		}
	}
	// The dummy rows and columns have the costs of added and removed patches.
	for (const [column, each] of old.entries()) {
		for (let row = young.length; row < size; row++) {
			costs[column + size * row] = creationCost(each);
		}
	}
	for (const [row, each] of young.entries()) {
		costs.fill(creationCost(each), old.length + size * row, size * (row + 1));
	}
	return { size, costs };
}

/** Each line once, followed by its count. `counts` has only zeros before and after. */
function tallyOf(diff: Int32Array, counts: Int32Array): Int32Array {
	const tally = new Int32Array(2 * diff.length);
	let end = 0;
	for (const line of diff) {
		if (counts[line]!++ === 0) {
			tally[end] = line;
			end += 2;
		}
	}
	for (let at = 0; at < end; at += 2) {
		const line = tally[at]!;
		tally[at + 1] = counts[line]!;
		counts[line] = 0;
	}
	return tally.subarray(0, end);
}

/** How many lines a diff shares with each tally, in any order. */
function sharedLines(diff: Int32Array, tallies: readonly Int32Array[], counts: Int32Array): readonly number[] {
	for (const line of diff) {
		counts[line]!++;
	}
	const shared = tallies.map((tally) => {
		let sum = 0;
		for (let at = 0; at < tally.length; at += 2) {
			sum += Math.min(counts[tally[at]!]!, tally[at + 1]!);
		}
		return sum;
	});
	for (const line of diff) {
		counts[line] = 0;
	}
	return shared;
}

function creationCost({ match, patch }: Numbered): number {
	return match < 0 ? Math.trunc((patch.diffSize * creationFactor) / 100) : dearest;
}

function* costOf(one: Numbered, other: Numbered, row: number, budget: Budget): Steps<number> {
	if (one.match >= 0 || other.match >= 0) {
		return one.match === row ? 0 : dearest;
	}
	budget.left -= 1 + ((one.diff.length + other.diff.length) >> linesOfStep);
	if (budget.left < 0) {
		return dearest;
	}
	yield;
	const comparing = lineChanges(one.diff, other.diff, undefined);
	for (;;) {
		const step = comparing.next();
		if (step.done === true) {
			const hunks = hunksOf(step.value, { before: one.diff.length, after: other.diff.length });
			return hunks.reduce((sum, hunk) => sum + linesOf(hunk), 0);
		}
		budget.left--;
		if (budget.left < 0) {
			return dearest;
		}
		yield;
	}
}

/** Number of lines of the hunk's diff, including its header. */
function linesOf({ changes, oldFrom, oldTo }: LineHunk): number {
	return 1 + oldTo - oldFrom + changes.reduce((sum, { added }) => sum + added, 0);
}

interface Matched {
	readonly kind: 'matched';
	readonly old: number;
	readonly new: number;
	readonly one: Numbered;
	readonly other: Numbered;
}

/** In the order of the later version; a removed patch follows its predecessors. */
function* inOrder(
	old: readonly Numbered[],
	young: readonly Numbered[],
): Generator<Matched | Exclude<RangePair, { readonly kind: 'same' | 'changed' }>, void> {
	const shown = new Set<number>();
	let next = 0;
	const gone = function* (): Generator<{ readonly kind: 'removed'; readonly old: number }, void> {
		for (; next < old.length && (shown.has(next) || old[next]!.match < 0); next++) {
			if (!shown.has(next)) {
				yield { kind: 'removed', old: next };
			}
		}
	};
	for (const [index, other] of young.entries()) {
		yield* gone();
		const one = old[other.match];
		if (one) {
			shown.add(other.match);
			yield { kind: 'matched', old: other.match, new: index, one, other };
		} else {
			yield { kind: 'added', new: index };
		}
	}
	yield* gone();
}
