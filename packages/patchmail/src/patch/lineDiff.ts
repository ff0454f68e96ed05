import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { slideChanges, type IndentOf } from './slideChanges.ts';
import { frontsFor, roughRoot, splitBox, type Box, type LinePair } from './splitBox.ts';

/** Replaces `removed` lines of the old text by `added` lines of the new one. Lines count from 0. */
export interface LineChange {
	readonly oldFrom: number;
	readonly removed: number;
	readonly newFrom: number;
	readonly added: number;
}

/** Interns lines as numbers: equal lines get the same number. */
export class LineNumbers {
	readonly #numbers = new Map<string, number>();
	readonly #indents: number[] = [];

	of(lines: readonly string[]): Int32Array {
		// A loop takes a third of the time of `Int32Array.from`.
		const numbers = new Int32Array(lines.length);
		for (let at = 0; at < lines.length; at++) {
			numbers[at] = this.#numberOf(lines[at]!);
		}
		return numbers;
	}

	/** Above all numbers. */
	get size(): number {
		return this.#numbers.size;
	}

	readonly indentOf: IndentOf = (line) => this.#indents[line]!;

	#numberOf(line: string): number {
		const known = this.#numbers.get(line);
		if (known !== undefined) {
			return known;
		}
		const number = this.#numbers.size;
		this.#numbers.set(line, number);
		this.#indents.push(indentIn(line));
		return number;
	}
}

const [tab, lineFeed, carriageReturn, blank] = [9, 10, 13, 32];
const tabStop = 8;
const mostIndent = 200;

/** In columns; -1 for a blank line. */
function indentIn(line: string): number {
	let columns = 0;
	for (let at = 0; at < line.length; at++) {
		const sign = line.charCodeAt(at);
		if (sign === blank) {
			columns++;
		} else if (sign === tab) {
			columns += tabStop - (columns % tabStop);
		} else if (sign !== lineFeed && sign !== carriageReturn) {
			// Git does not treat a form feed as whitespace.
			return columns;
		}
		if (columns >= mostIndent) {
			return mostIndent;
		}
	}
	return -1;
}

/**
 * The changes between two texts in order, like `git diff`: its default algorithm, and with `indentOf` its indent
 * heuristic. Takes time proportional to the lengths times the number of changes. Above a limit, the result may not be
 * minimal.
 */
export function* lineChanges(
	before: Int32Array,
	after: Int32Array,
	indentOf: IndentOf | undefined,
): Steps<readonly LineChange[]> {
	const old = { lines: before, changed: new Uint8Array(before.length) };
	const young = { lines: after, changed: new Uint8Array(after.length) };
	if (bytesOf(before).equals(bytesOf(after))) {
		return [];
	}
	const kept = yield* compared(before, after, [old.changed, young.changed]);
	yield* markChanged(kept, [old.changed, young.changed]);
	yield* slideChanges(old, young, indentOf);
	yield* slideChanges(young, old, indentOf);
	const changes: LineChange[] = [];
	let [oldAt, newAt] = [0, 0];
	while (oldAt < old.changed.length || newAt < young.changed.length) {
		const [oldFrom, newFrom] = [oldAt, newAt];
		while (old.changed[oldAt] === 1) {
			oldAt++;
		}
		while (young.changed[newAt] === 1) {
			newAt++;
		}
		if (oldAt > oldFrom || newAt > newFrom) {
			changes.push({ oldFrom, removed: oldAt - oldFrom, newFrom, added: newAt - newFrom });
		}
		oldAt++;
		newAt++;
	}
	return changes;
}

/** The same memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}

/** Lines to compare, with their positions in both texts. */
interface ComparedLines extends LinePair {
	readonly oldPlaces: Int32Array;
	readonly newPlaces: Int32Array;
}

/** Shorter texts need no yield to the event loop. */
const mostAtOnce = 5000;
/** Upper limit for the repeats that make a line frequent. */
const mostRepeats = 1024;

/**
 * Skips the common head and tail. Marks lines that the other text lacks as changed, and also frequent lines between
 * mostly such lines.
 */
function* compared(
	before: Int32Array,
	after: Int32Array,
	[oldChanged, newChanged]: readonly [Uint8Array, Uint8Array],
): Steps<ComparedLines> {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) {
		head++;
	}
	let tail = 0;
	while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
		tail++;
	}
	const isLong = before.length + after.length > mostAtOnce;
	const [oldCounts, newCounts] = [countsIn(before), countsIn(after)];
	if (isLong) {
		yield;
	}
	const oldPlaces = keptPlaces(before, { head, tail, counts: newCounts, changed: oldChanged });
	const newPlaces = keptPlaces(after, { head, tail, counts: oldCounts, changed: newChanged });
	if (isLong) {
		yield;
	}
	return {
		oldPlaces,
		newPlaces,
		before: oldPlaces.map((place) => before[place]!),
		after: newPlaces.map((place) => after[place]!),
	};
}

function countsIn(lines: Int32Array): ReadonlyMap<number, number> {
	const counts = new Map<number, number>();
	for (const line of lines) {
		counts.set(line, (counts.get(line) ?? 0) + 1);
	}
	return counts;
}

const [nowhere, some, many] = [0, 1, 2];

interface Keeping {
	readonly head: number;
	readonly tail: number;
	/** Number of times that the other text has a line. */
	readonly counts: ReadonlyMap<number, number>;
	readonly changed: Uint8Array;
}

function keptPlaces(lines: Int32Array, { head, tail, counts, changed }: Keeping): Int32Array {
	const limit = Math.min(roughRoot(lines.length), mostRepeats);
	const end = lines.length - tail;
	const kinds = new Uint8Array(Math.max(0, end - head));
	for (let at = head; at < end; at++) {
		const count = counts.get(lines[at]!) ?? 0;
		kinds[at - head] = count === 0 ? nowhere : count >= limit ? many : some;
	}
	const places: number[] = [];
	for (let at = head; at < end; at++) {
		const kind = kinds[at - head];
		if (kind === some || (kind === many && !isAmongChanged(kinds, at - head))) {
			places.push(at);
		} else {
			changed[at] = 1;
		}
	}
	return Int32Array.from(places);
}

const farthestLook = 100;
const weightOfMany = 4;

/** Whether the other text lacks most lines around a frequent one. */
function isAmongChanged(kinds: Uint8Array, at: number): boolean {
	const before = lookAlong(kinds, at, -1);
	if (before.lacking === 0) {
		return false;
	}
	const after = lookAlong(kinds, at, 1);
	return (
		after.lacking !== 0 &&
		(before.many + after.many) * weightOfMany < before.many + after.many + before.lacking + after.lacking
	);
}

/** Counts both kinds up to the first line of kind `some`. */
function lookAlong(kinds: Uint8Array, at: number, step: 1 | -1): { readonly lacking: number; readonly many: number } {
	let lacking = 0;
	// The line itself.
	let found = 1;
	for (let away = 1; away <= farthestLook; away++) {
		const kind = kinds[at + away * step];
		if (kind === nowhere) {
			lacking++;
		} else if (kind === many) {
			found++;
		} else {
			break;
		}
	}
	return { lacking, many: found };
}

function* markChanged(lines: ComparedLines, [oldChanged, newChanged]: readonly [Uint8Array, Uint8Array]): Steps<void> {
	const { before, after, oldPlaces, newPlaces } = lines;
	const fronts = frontsFor(before.length, after.length);
	const boxes: Box[] = [{ oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length, isExact: false }];
	for (let next = boxes.pop(); next; next = boxes.pop()) {
		let { oldFrom, oldTo, newFrom, newTo } = next;
		// Skip the common head and tail.
		while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
			oldFrom++;
			newFrom++;
		}
		while (oldFrom < oldTo && newFrom < newTo && before[oldTo - 1] === after[newTo - 1]) {
			oldTo--;
			newTo--;
		}
		const box = { oldFrom, oldTo, newFrom, newTo, isExact: next.isExact };
		if (oldFrom === oldTo || newFrom === newTo) {
			mark(oldChanged, oldPlaces, oldFrom, oldTo);
			mark(newChanged, newPlaces, newFrom, newTo);
			continue;
		}
		const { oldAt, newAt, isLowExact, isHighExact } = yield* splitBox(lines, box, fronts);
		boxes.push(
			{ ...box, oldTo: oldAt, newTo: newAt, isExact: isLowExact },
			{ ...box, oldFrom: oldAt, newFrom: newAt, isExact: isHighExact },
		);
		yield;
	}
}

function mark(changed: Uint8Array, places: Int32Array, from: number, to: number): void {
	for (let at = from; at < to; at++) {
		changed[places[at]!] = 1;
	}
}

/** Changes with shared context lines; both ends are exclusive. */
export interface LineHunk {
	readonly changes: readonly LineChange[];
	readonly oldFrom: number;
	readonly newFrom: number;
	readonly oldTo: number;
	readonly newTo: number;
}

/** Groups changes whose context lines touch or overlap. */
export function hunksOf(
	changes: readonly LineChange[],
	lengths: { readonly before: number; readonly after: number },
	context = 3,
): readonly LineHunk[] {
	const hunks: LineHunk[] = [];
	for (let at = 0; at < changes.length;) {
		let end = at + 1;
		for (; end < changes.length; end++) {
			const before = changes[end - 1]!;
			if (changes[end]!.oldFrom - before.oldFrom - before.removed > 2 * context) {
				break;
			}
		}
		const [first, last] = [changes[at]!, changes[end - 1]!];
		const [oldEnd, newEnd] = [last.oldFrom + last.removed, last.newFrom + last.added];
		const tail = Math.min(context, lengths.before - oldEnd, lengths.after - newEnd);
		hunks.push({
			changes: changes.slice(at, end),
			oldFrom: Math.max(0, first.oldFrom - context),
			newFrom: Math.max(0, first.newFrom - context),
			oldTo: oldEnd + tail,
			newTo: newEnd + tail,
		});
		at = end;
	}
	return hunks;
}
