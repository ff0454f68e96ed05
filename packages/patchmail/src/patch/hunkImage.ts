import type { Hunk } from './fileDiff.ts';
import type { HunkPattern } from './hunkPattern.ts';
import { growthOf, statedPlace } from './hunkPattern.ts';

/** The place of a hunk. */
export interface AppliedHunk {
	/** Distance in lines from the place that the hunk header states. */
	readonly offset: number;
	/** Ignored context lines, at most 2; 0 if `git apply` places the hunk here too. */
	readonly fuzz: number;
}

export type HunkRefusal =
	| 'noMatch'
	/**
	 * The hunk marks a context line as the end of the file, but more text follows. Git applies it and changes that line.
	 */
	| 'endInside'
	/** The search takes too many steps. */
	| 'tooMuchWork';

/** A line of an applied hunk. The box keeps it from equality with strings: git matches no later hunk against it. */
type PatchedLine = readonly [text: string];

/** Steps for all hunks of a file; a step compares at most 64 characters. */
const mostSteps = 600_000;
const mostFuzz = 2;

/**
 * The lines of a text while hunks are applied. Implements the search of `git apply` 2.39, then that of `git apply -C`,
 * which ignores up to two context lines. The lines are a gap buffer around the last hunk.
 */
export class HunkImage {
	readonly #above: (string | PatchedLine)[] = [];
	/** In reverse order. */
	readonly #below: (string | PatchedLine)[];
	/** Applied hunks with their lines in the current text. */
	readonly #places: { at: number; readonly growth: number }[] = [];
	#growth = 0;
	/** Exclusive end of the lowest applied hunk. */
	#end = 0;
	#steps = 0;

	constructor(text: string) {
		this.#below = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).toReversed();
	}

	text(): string {
		this.#moveTo(this.#length);
		return this.#above.map((line) => (typeof line === 'string' ? line : line[0])).join('');
	}

	apply(hunk: Hunk, { old, fresh }: HunkPattern): AppliedHunk | HunkRefusal {
		const { oldStart, oldLines, newStart } = hunk;
		for (const cut of cutsOf(hunk, old.length)) {
			const { head, tail, fuzz } = cut;
			const at = this.#find(old, Math.max(0, newStart - 1 - head), cut);
			if (at !== undefined) {
				// Only the beginning of the last line matched.
				if (fuzz === 0 && old.length > 0 && this.#line(at + old.length - 1) !== old.at(-1)) {
					return 'endInside';
				}
				const lines = fresh.slice(head, fresh.length - tail);
				const ignored = Array.from({ length: head }, (_, index) => this.#line(at - head + index));
				const isPatched = ignored.some((line) => typeof line === 'object');
				if (isPatched || !this.#put(at, old.length - head - tail, lines)) {
					return 'noMatch';
				}
				const original = this.#originalLine(at, growthOf(hunk), lines.length) - head;
				return { offset: original - statedPlace(oldStart, oldLines), fuzz };
			}
			if (this.#steps > mostSteps) {
				return 'tooMuchWork';
			}
		}
		return 'noMatch';
	}

	get #length(): number {
		return this.#above.length + this.#below.length;
	}

	#line(at: number): string | PatchedLine | undefined {
		return at < this.#above.length ? this.#above[at] : this.#below[this.#length - 1 - at];
	}

	#moveTo(at: number): void {
		this.#steps += Math.abs(at - this.#above.length) >> 2;
		for (let line = this.#below.at(-1); this.#above.length < at && line !== undefined; line = this.#below.at(-1)) {
			this.#above.push(line);
			this.#below.pop();
		}
		for (let line = this.#above.at(-1); this.#above.length > at && line !== undefined; line = this.#above.at(-1)) {
			this.#below.push(line);
			this.#above.pop();
		}
	}

	#find(old: readonly string[], guess: number, cut: Cut): number | undefined {
		const last = this.#length - (old.length - cut.head - cut.tail);
		if (cut.isFirst && cut.isLast && last > 0) {
			return undefined;
		}
		if (cut.isFirst || cut.isLast) {
			const at = cut.isFirst ? 0 : last;
			return this.#matches(old, at, cut) ? at : undefined;
		}
		const start = Math.min(guess, this.#length);
		const most = Math.max(start, last - start);
		for (let away = Math.max(0, start - last); away <= most && this.#steps <= mostSteps; away++) {
			// Prefers the later of two equally near matches.
			const [after, before] = [start + away, start - away];
			if (after <= last && this.#matches(old, after, cut)) {
				return after;
			}
			if (away > 0 && before >= 0 && this.#matches(old, before, cut)) {
				return before;
			}
		}
		return undefined;
	}

	#matches(old: readonly string[], at: number, { head, tail, isLast, fuzz }: Cut): boolean {
		for (let index = head; index < old.length - tail; index++) {
			const wanted = old[index]!;
			const line = this.#line(at + index - head);
			this.#steps += line?.length === wanted.length ? 1 + (wanted.length >> 6) : 1;
			if (line === wanted) {
				continue;
			}
			const mayBeOpen = fuzz === 0 && !isLast && index === old.length - 1;
			// Git compares only the beginning of a line with an end-of-file marker. Only whitespace may follow.
			const isBeginning = typeof line === 'string' && !wanted.endsWith('\n') && line.startsWith(wanted);
			if (!mayBeOpen || !isBeginning || !/^[ \t\r\n]*$/.test(line.slice(wanted.length))) {
				return false;
			}
		}
		return true;
	}

	/** Returns false if it would join two lines. */
	#put(at: number, removed: number, fresh: readonly string[]): boolean {
		const above = this.#line(at - 1);
		const isAtEnd = at + removed === this.#length;
		if ((!isAtEnd && isOpen(fresh.at(-1))) || (fresh.length > 0 && isOpen(above))) {
			return false;
		}
		this.#moveTo(at);
		this.#below.length -= removed;
		fresh.forEach((line) => this.#above.push([line]));
		return true;
	}

	/** Records a hunk applied at `at`. Returns the matching line of the original text. */
	#originalLine(at: number, growth: number, lines: number): number {
		let above = this.#growth;
		if (at < this.#end) {
			this.#steps += this.#places.length;
			above = 0;
			for (const each of this.#places) {
				if (each.at < at) {
					above += each.growth;
				} else {
					each.at += growth;
				}
			}
		}
		this.#end = at < this.#end ? this.#end + growth : at + lines;
		this.#places.push({ at, growth });
		this.#growth += growth;
		return at - above;
	}
}

/** Context lines to ignore, and whether the hunk must touch the first or the last line of the text. */
interface Cut {
	readonly head: number;
	readonly tail: number;
	readonly isFirst: boolean;
	readonly isLast: boolean;
	readonly fuzz: number;
}

/**
 * The ways to match a hunk: first that of `git apply`, then those of `git apply -C`, which cuts the longer side first.
 */
function* cutsOf({ leading, trailing, oldStart }: Hunk, lines: number): Generator<Cut, undefined> {
	const isFirst = oldStart <= 1;
	const isLast = trailing === 0;
	yield { head: 0, tail: 0, isFirst, isLast, fuzz: 0 };
	const context = Math.max(leading, trailing);
	const loose = { isFirst: false, isLast: false };
	if (context > 0 && (isFirst || isLast)) {
		yield { head: 0, tail: 0, ...loose, fuzz: 1 };
	}
	for (let fuzz = 1; fuzz <= Math.min(mostFuzz, context); fuzz++) {
		const [head, tail] = [Math.max(0, leading - context + fuzz), Math.max(0, trailing - context + fuzz)];
		if (head + tail < lines) {
			yield { head, tail, ...loose, fuzz };
		}
	}
}

function isOpen(line: string | PatchedLine | undefined): boolean {
	const text = typeof line === 'object' ? line[0] : line;
	return text !== undefined && !text.endsWith('\n');
}
