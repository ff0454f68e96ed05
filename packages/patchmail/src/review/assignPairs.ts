import type { Steps } from '@forge-desk/base/timeSlice.ts';

/** Square cost matrix in column-major order: cost of (row r, column c) is at `c + size * r`. */
export interface PairCosts {
	readonly size: number;
	readonly costs: Int32Array;
}

/** State of the assignment; -1 for none. */
interface Assignment extends PairCosts {
	readonly rowOf: Int32Array;
	readonly columnOf: Int32Array;
	/** Dual variable of each column: no row gains from another column than its own. */
	readonly worth: Int32Array;
}

const none = -1;

/**
 * Minimum-cost assignment; returns the row of each column. R. Jonker and A. Volgenant, A Shortest Augmenting Path
 * Algorithm for Dense and Sparse Linear Assignment Problems, 1987. Ties resolve like in `git range-diff`. Cubic in the
 * size.
 */
export function* assignPairs({ size, costs }: PairCosts): Steps<Int32Array> {
	const empty = (): Int32Array => new Int32Array(size).fill(none);
	const found: Assignment = { size, costs, rowOf: empty(), columnOf: empty(), worth: new Int32Array(size) };
	reduceColumns(found);
	yield;
	let free = transferWorth(found);
	for (let round = 0; round < 2; round++) {
		free = yield* reduceRows(found, free);
	}
	for (const row of free) {
		yield* augment(found, row);
	}
	return found.rowOf;
}

function costOf({ costs, size }: PairCosts, column: number, row: number): number {
	return costs[column + size * row]!;
}

/** Reduced cost. */
function surplus(found: Assignment, column: number, row: number): number {
	return costOf(found, column, row) - found.worth[column]!;
}

/** Column reduction, last column first: assigns each column its cheapest row, if that is still free. */
function reduceColumns(found: Assignment): void {
	const { size, rowOf, columnOf, worth } = found;
	for (let column = size - 1; column >= 0; column--) {
		let best = 0;
		for (let row = 1; row < size; row++) {
			best = costOf(found, column, best) > costOf(found, column, row) ? row : best;
		}
		worth[column] = costOf(found, column, best);
		if (columnOf[best] === none) {
			columnOf[best] = column;
			rowOf[column] = best;
		}
	}
}

/** Reduction transfer; changes nothing for a row that other columns want, too. Returns the unassigned rows. */
function transferWorth(found: Assignment): readonly number[] {
	const { size, columnOf, worth } = found;
	const free: number[] = [];
	for (let row = 0; row < size; row++) {
		const own = columnOf[row]!;
		if (own === none) {
			free.push(row);
		} else {
			let least = Number.MAX_SAFE_INTEGER;
			for (let column = 0; column < size; column++) {
				least = column === own ? least : Math.min(least, surplus(found, column, row));
			}
			worth[own]! -= least;
		}
	}
	return free;
}

/** The two cheapest columns of a row. */
interface BestTwo {
	readonly first: number;
	readonly firstCost: number;
	readonly second: number;
	readonly secondCost: number;
}

function bestTwo(found: Assignment, row: number): BestTwo {
	let [first, firstCost] = [0, surplus(found, 0, row)];
	let [second, secondCost] = [none, 0x7fff_ffff];
	for (let column = 1; column < found.size; column++) {
		const cost = surplus(found, column, row);
		if (cost < secondCost) {
			if (firstCost < cost) {
				[second, secondCost] = [column, cost];
			} else {
				[second, secondCost] = [first, firstCost];
				[first, firstCost] = [column, cost];
			}
		}
	}
	return { first, firstCost, second, secondCost };
}

/**
 * Augmenting row reduction: each free row takes its cheapest column, displacing another row if needed. Returns the rows
 * still free.
 */
function* reduceRows(found: Assignment, free: readonly number[]): Steps<readonly number[]> {
	const { rowOf, columnOf, worth } = found;
	const waiting = [...free];
	const left: number[] = [];
	for (let at = 0; at < waiting.length;) {
		const row = waiting[at++]!;
		const { first, firstCost, second, secondCost } = bestTwo(found, row);
		const isBetter = firstCost < secondCost;
		let taken = first;
		let loser = rowOf[taken]!;
		if (isBetter) {
			worth[taken]! -= secondCost - firstCost;
		} else if (loser !== none) {
			taken = second;
			loser = rowOf[taken]!;
		}
		if (loser !== none && isBetter) {
			at--;
			waiting[at] = loser;
		} else if (loser !== none) {
			left.push(loser);
		}
		columnOf[row] = taken;
		rowOf[taken] = row;
		yield;
	}
	return left;
}

/** Dijkstra state; `order` has three parts: scanned, to scan at the same distance, and others. */
interface Paths {
	readonly distance: Int32Array;
	/** Predecessor row of each column. */
	readonly from: Int32Array;
	readonly order: Int32Array;
	low: number;
	up: number;
	/** Number of scanned columns when the distance last grew. */
	settled: number;
	least: number;
}

/** Finds a shortest augmenting path from a free row and flips the assignments along it. */
function* augment(found: Assignment, row: number): Steps<void> {
	const { size, rowOf, columnOf, worth } = found;
	const paths: Paths = {
		distance: Int32Array.from({ length: size }, (_, column) => surplus(found, column, row)),
		from: new Int32Array(size).fill(row),
		order: Int32Array.from({ length: size }, (_, column) => column),
		low: 0,
		up: 0,
		settled: 0,
		least: 0,
	};
	let end = none;
	while (end === none) {
		end = paths.low === paths.up ? nearest(found, paths) : scan(found, paths);
		yield;
	}
	for (let at = 0; at < paths.settled; at++) {
		const column = paths.order[at]!;
		worth[column]! += paths.distance[column]! - paths.least;
	}
	for (let column = end, next = none; next !== row;) {
		next = paths.from[column]!;
		rowOf[column] = next;
		const before = columnOf[next]!;
		columnOf[next] = column;
		column = before;
	}
}

/** Moves the columns at minimum distance forward; returns a free one among them. */
function nearest({ size, rowOf }: Assignment, paths: Paths): number {
	const { distance, order } = paths;
	paths.settled = paths.low;
	paths.least = distance[order[paths.up++]!]!;
	for (let at = paths.up; at < size; at++) {
		const column = order[at]!;
		const away = distance[column]!;
		if (away <= paths.least) {
			if (away < paths.least) {
				paths.up = paths.low;
				paths.least = away;
			}
			bringForward(paths, at, column);
		}
	}
	for (let at = paths.low; at < paths.up; at++) {
		if (rowOf[order[at]!] === none) {
			return order[at]!;
		}
	}
	return none;
}

function bringForward(paths: Paths, at: number, column: number): void {
	paths.order[at] = paths.order[paths.up]!;
	paths.order[paths.up++] = column;
}

/** Scans the next column at minimum distance; returns a free column at the same distance. */
function scan(found: Assignment, paths: Paths): number {
	const { size, rowOf } = found;
	const { distance, from, order } = paths;
	const settled = order[paths.low++]!;
	const row = rowOf[settled]!;
	const base = surplus(found, settled, row) - paths.least;
	for (let at = paths.up; at < size; at++) {
		const column = order[at]!;
		const away = surplus(found, column, row) - base;
		if (away < distance[column]!) {
			distance[column] = away;
			from[column] = row;
			if (away === paths.least) {
				if (rowOf[column] === none) {
					return column;
				}
				bringForward(paths, at, column);
			}
		}
	}
	return none;
}
