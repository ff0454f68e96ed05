import type { Steps } from '@forge-desk/base/timeSlice.ts';

/** Lines as numbers; equal lines have equal numbers. */
export interface LinePair {
	readonly before: Int32Array;
	readonly after: Int32Array;
}

/** Independent ranges of both texts; the ends are exclusive. */
export interface Box {
	readonly oldFrom: number;
	readonly oldTo: number;
	readonly newFrom: number;
	readonly newTo: number;
	/** Finds the fewest changes at any cost, without heuristics. */
	readonly isExact: boolean;
}

interface Split {
	readonly oldAt: number;
	readonly newAt: number;
	readonly isLowExact: boolean;
	readonly isHighExact: boolean;
}

/** Furthest point per diagonal, from both corners. Boxes share the arrays, since these are as long as both texts. */
export interface Fronts {
	readonly forward: Int32Array;
	readonly backward: Int32Array;
	/** Index of diagonal 0 in both arrays. */
	readonly zero: number;
	/** Beyond this many changes, a good cut replaces the best one. */
	readonly mostChanges: number;
}

const fewestMostChanges = 256;
/** After `changesBeforeGuess`, more than this many equal lines in a row allow a heuristic cut. */
const longRun = 20;
const changesBeforeGuess = 256;
const worthOfRun = 4;
const farBehind = 0x7fff_ffff;

/** Allocates the search arrays for texts of these lengths. */
export function frontsFor(before: number, after: number): Fronts {
	const diagonals = before + after + 3;
	return {
		forward: new Int32Array(diagonals),
		backward: new Int32Array(diagonals),
		zero: after + 1,
		mostChanges: Math.max(fewestMostChanges, roughRoot(diagonals)),
	};
}

/** A power of two near the square root. */
export function roughRoot(value: number): number {
	let root = 1;
	for (let rest = value; rest > 0; rest >>= 2) {
		root *= 2;
	}
	return root;
}

/** Range of diagonals of a front at the current number of changes. */
interface Reach {
	low: number;
	high: number;
}

interface Search extends LinePair, Fronts {
	readonly box: Box;
	/** Diagonals of the box; a diagonal is the old line number minus the new one. */
	readonly lowest: number;
	readonly highest: number;
	readonly isOdd: boolean;
	readonly ahead: Reach;
	readonly back: Reach;
	sawLongRun: boolean;
}

/**
 * Cuts a box at the meeting point of the shortest paths from both corners (E. W. Myers, An O(ND) Difference Algorithm
 * and Its Variations, 1986). After too many changes, cuts at a long run of equal lines or at the furthest point of the
 * search, like GNU diff and git. Neither side of the box may be empty.
 */
export function* splitBox(pair: LinePair, box: Box, fronts: Fronts): Steps<Split> {
	const first = box.oldFrom - box.newFrom;
	const last = box.oldTo - box.newTo;
	fronts.forward[fronts.zero + first] = box.oldFrom;
	fronts.backward[fronts.zero + last] = box.oldTo;
	const search: Search = {
		before: pair.before,
		after: pair.after,
		...fronts,
		box,
		lowest: box.oldFrom - box.newTo,
		highest: box.oldTo - box.newFrom,
		isOdd: ((first - last) & 1) !== 0,
		ahead: { low: first, high: first },
		back: { low: last, high: last },
		sawLongRun: false,
	};
	let split: Split | undefined;
	for (let changes = 1; split === undefined; changes++) {
		search.sawLongRun = false;
		const met = goForward(search) ?? goBackward(search);
		if (met) {
			split = { ...met, isLowExact: true, isHighExact: true };
		} else if (!box.isExact) {
			split = guessed(search, changes);
		}
		if (changes % 16 === 0) {
			yield;
		}
	}
	return split;
}

type Cut = Pick<Split, 'oldAt' | 'newAt'>;

function goForward(search: Search): Cut | undefined {
	const { before, after, forward, backward, zero, box, ahead, back, isOdd } = search;
	widen(search, forward, ahead, -1);
	for (let diagonal = ahead.high; diagonal >= ahead.low; diagonal -= 2) {
		const at = zero + diagonal;
		const start = Math.max(forward[at - 1]! + 1, forward[at + 1]!);
		let line = start;
		while (line < box.oldTo && line - diagonal < box.newTo && before[line] === after[line - diagonal]) {
			line++;
		}
		search.sawLongRun ||= line - start > longRun;
		forward[at] = line;
		if (isOdd && reaches(back, diagonal) && backward[at]! <= line) {
			return { oldAt: line, newAt: line - diagonal };
		}
	}
	return undefined;
}

function goBackward(search: Search): Cut | undefined {
	const { before, after, forward, backward, zero, box, ahead, back, isOdd } = search;
	widen(search, backward, back, farBehind);
	for (let diagonal = back.high; diagonal >= back.low; diagonal -= 2) {
		const at = zero + diagonal;
		const start = Math.min(backward[at - 1]!, backward[at + 1]! - 1);
		let line = start;
		while (line > box.oldFrom && line - diagonal > box.newFrom && before[line - 1] === after[line - diagonal - 1]) {
			line--;
		}
		search.sawLongRun ||= start - line > longRun;
		backward[at] = line;
		if (!isOdd && reaches(ahead, diagonal) && line <= forward[at]!) {
			return { oldAt: line, newAt: line - diagonal };
		}
	}
	return undefined;
}

function reaches({ low, high }: Reach, diagonal: number): boolean {
	return diagonal >= low && diagonal <= high;
}

/**
 * Adds a diagonal at each side inside the box. At the border drops one, since the search visits every other diagonal.
 */
function widen({ zero, lowest, highest }: Search, front: Int32Array, reach: Reach, beyond: number): void {
	if (reach.low > lowest) {
		reach.low--;
		front[zero + reach.low - 1] = beyond;
	} else {
		reach.low++;
	}
	if (reach.high < highest) {
		reach.high++;
		front[zero + reach.high + 1] = beyond;
	} else {
		reach.high--;
	}
}

function guessed(search: Search, changes: number): Split | undefined {
	if (search.sawLongRun && changes > changesBeforeGuess) {
		const ahead = runAhead(search, changes);
		const cut = ahead ?? runBehind(search, changes);
		if (cut) {
			return { ...cut, isLowExact: ahead !== undefined, isHighExact: ahead === undefined };
		}
	}
	return changes >= search.mostChanges ? furthest(search) : undefined;
}

/** The cut after a long run of equal lines, furthest from the first corner. */
function runAhead(search: Search, changes: number): Cut | undefined {
	const { before, after, forward, zero, box, ahead } = search;
	const middle = box.oldFrom - box.newFrom;
	let best = 0;
	let cut: Cut | undefined;
	for (let diagonal = ahead.high; diagonal >= ahead.low; diagonal -= 2) {
		const oldAt = forward[zero + diagonal]!;
		const newAt = oldAt - diagonal;
		const worth = oldAt - box.oldFrom + newAt - box.newFrom - Math.abs(diagonal - middle);
		const isInside =
			box.oldFrom + longRun <= oldAt && oldAt < box.oldTo && box.newFrom + longRun <= newAt && newAt < box.newTo;
		if (worth > worthOfRun * changes && worth > best && isInside && isRun(before, oldAt, after, newAt)) {
			best = worth;
			cut = { oldAt, newAt };
		}
	}
	return cut;
}

function runBehind(search: Search, changes: number): Cut | undefined {
	const { before, after, backward, zero, box, back } = search;
	const middle = box.oldTo - box.newTo;
	let best = 0;
	let cut: Cut | undefined;
	for (let diagonal = back.high; diagonal >= back.low; diagonal -= 2) {
		const oldAt = backward[zero + diagonal]!;
		const newAt = oldAt - diagonal;
		const worth = box.oldTo - oldAt + box.newTo - newAt - Math.abs(diagonal - middle);
		const isInside =
			box.oldFrom < oldAt && oldAt <= box.oldTo - longRun && box.newFrom < newAt && newAt <= box.newTo - longRun;
		const isBetter = worth > worthOfRun * changes && worth > best && isInside;
		if (isBetter && isRun(before, oldAt + longRun, after, newAt + longRun)) {
			best = worth;
			cut = { oldAt, newAt };
		}
	}
	return cut;
}

/** Whether `longRun` equal lines end here. */
function isRun(before: Int32Array, oldEnd: number, after: Int32Array, newEnd: number): boolean {
	for (let back = 1; back <= longRun; back++) {
		if (before[oldEnd - back] !== after[newEnd - back]) {
			return false;
		}
	}
	return true;
}

/** Cuts at the front with more progress. */
function furthest({ forward, backward, zero, box, ahead, back }: Search): Split {
	let [aheadSum, aheadAt] = [-1, -1];
	for (let diagonal = ahead.high; diagonal >= ahead.low; diagonal -= 2) {
		const oldAt = Math.min(forward[zero + diagonal]!, box.oldTo, box.newTo + diagonal);
		if (aheadSum < oldAt + oldAt - diagonal) {
			[aheadSum, aheadAt] = [oldAt + oldAt - diagonal, oldAt];
		}
	}
	let [backSum, backAt] = [farBehind, farBehind];
	for (let diagonal = back.high; diagonal >= back.low; diagonal -= 2) {
		const oldAt = Math.max(backward[zero + diagonal]!, box.oldFrom, box.newFrom + diagonal);
		if (oldAt + oldAt - diagonal < backSum) {
			[backSum, backAt] = [oldAt + oldAt - diagonal, oldAt];
		}
	}
	return box.oldTo + box.newTo - backSum < aheadSum - (box.oldFrom + box.newFrom)
		? { oldAt: aheadAt, newAt: aheadSum - aheadAt, isLowExact: true, isHighExact: false }
		: { oldAt: backAt, newAt: backSum - backAt, isLowExact: false, isHighExact: true };
}
