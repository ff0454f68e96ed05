import type { FileDiff } from './fileDiff.ts';
import { hunkLines } from './hunkLines.ts';
import { locateHunk, type Place, type Spent } from './locateHunk.ts';
import { patternOf, type HunkPattern } from './hunkPattern.ts';

/** How a hunk was fitted in. */
export interface AppliedHunk {
	/** By how many lines its place differs from the one that its header states. */
	readonly offset: number;
	/** How many lines of context at its ends were left out of account, at most 2. */
	readonly fuzz: number;
}

/** Why a diff does not apply. */
export type ApplyRefusal =
	/** The text has no place for the hunk, or, without context, none that is sure. */
	| 'noMatch'
	/** The diff is damaged. */
	| 'damaged'
	/** Binary patches and merges' diffs have no hunks. */
	| 'notText'
	/** The file is new, but there is a text already. */
	| 'exists'
	/** The file is deleted, but lines would be left of it. */
	| 'leavesText'
	/** Looking for the hunk's place would take too long. */
	| 'tooMuchWork';

/** What came of applying a diff. */
export type ApplyOutcome =
	| { readonly kind: 'applied'; readonly after: string; readonly hunks: readonly AppliedHunk[] }
	| { readonly kind: 'refused'; readonly hunk: number; readonly reason: ApplyRefusal };

/** How many steps the hunks of one file may take to find their places; a step compares at most 64 characters. */
const mostSteps = 600_000;

/**
 * Applies the diff of one file, whose offsets point into `text`, to what the file was. Every hunk is looked for at its
 * place, then ever further from it, then with one and two lines of context less, as GNU `patch -F2` does; what was needed
 * is told per hunk. A hunk without context is not looked for: see {@link locateHunk}. All hunks apply or none. Never throws.
 */
export function applyDiff(before: string, text: string, file: FileDiff): ApplyOutcome {
	const reason = refusalOf(before, file);
	if (file.content.kind !== 'text' || reason !== undefined) {
		return { kind: 'refused', hunk: 0, reason: reason ?? 'notText' };
	}
	const lines = linesOf(before);
	const spent: Spent = { steps: 0, most: mostSteps };
	const parts = new Array<string>();
	const hunks = new Array<AppliedHunk>();
	let place: Place = { frozen: 0, offset: 0, growth: 0 };
	for (const [index, hunk] of file.content.hunks.entries()) {
		const pattern = patternOf(hunk, hunkLines(text, hunk));
		const found = locateHunk(lines, pattern, place, spent);
		const frozen =
			found === undefined ? undefined : replaceLines({ lines, parts, frozen: place.frozen }, pattern, found.at);
		if (found === undefined || frozen === undefined) {
			return { kind: 'refused', hunk: index, reason: spent.steps > spent.most ? 'tooMuchWork' : 'noMatch' };
		}
		place = { frozen, offset: found.offset, growth: place.growth + pattern.growth };
		hunks.push({ offset: found.offset, fuzz: found.fuzz });
	}
	const last = Math.max(0, hunks.length - 1);
	if (!pushLines(parts, lines, place.frozen, lines.length)) {
		return { kind: 'refused', hunk: last, reason: 'noMatch' };
	}
	const after = parts.join('');
	return file.change === 'deleted' && after !== ''
		? { kind: 'refused', hunk: last, reason: 'leavesText' }
		: { kind: 'applied', after, hunks };
}

function refusalOf(before: string, { content, damage, change }: FileDiff): ApplyRefusal | undefined {
	if (content.kind !== 'text') {
		return 'notText';
	}
	if (damage.length > 0) {
		return 'damaged';
	}
	return change === 'added' && before !== '' ? 'exists' : undefined;
}

/** Lines with their line ends. */
function linesOf(text: string): readonly string[] {
	const lines = new Array<string>();
	for (let at = 0; at < text.length;) {
		const end = text.indexOf('\n', at);
		const next = end === -1 ? text.length : end + 1;
		lines.push(text.slice(at, next));
		at = next;
	}
	return lines;
}

interface Output {
	readonly lines: readonly string[];
	readonly parts: string[];
	/** Lines of the text before that are written already. */
	readonly frozen: number;
}

/**
 * Writes the text up to the hunk's last change; context stays as the text has it. Returns how many lines are written;
 * `undefined` when two lines would become one.
 */
function replaceLines({ lines, parts, frozen }: Output, { changes }: HunkPattern, at: number): number | undefined {
	let written = frozen;
	for (const { from, removed, added } of changes) {
		if (!pushLines(parts, lines, written, at + from) || !pushLines(parts, added, 0, added.length)) {
			return undefined;
		}
		written = at + from + removed;
	}
	return written;
}

/** Returns false when a line would stand behind one that has no line end: the diff was made of another text. */
function pushLines(parts: string[], lines: readonly string[], from: number, to: number): boolean {
	for (let at = from; at < to; at++) {
		if (parts.at(-1)?.endsWith('\n') === false) {
			return false;
		}
		parts.push(lines[at] ?? '');
	}
	return true;
}
