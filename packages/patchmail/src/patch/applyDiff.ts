import type { FileDiff } from './fileDiff.ts';
import { HunkImage, type AppliedHunk, type HunkRefusal } from './hunkImage.ts';
import { hunkLines } from './hunkLines.ts';
import { patternOf } from './hunkPattern.ts';

/** Why a diff does not apply. */
export type ApplyRefusal =
	| HunkRefusal
	| 'damaged'
	/** Binary patches and merge diffs have no hunks. */
	| 'merge'
	/** The patch creates a file that exists already. */
	| 'exists'
	/** The patch deletes the file, but not all of its lines. */
	| 'leavesText';

export type ApplyOutcome =
	| { readonly kind: 'applied'; readonly after: string; readonly hunks: readonly AppliedHunk[] }
	| { readonly kind: 'refused'; readonly hunk: number; readonly reason: ApplyRefusal };

/**
 * Applies the diff of one file; its offsets point into `text`. If every `fuzz` is 0, `git apply` makes the same text,
 * else it refuses the diff. All hunks apply or none. Never throws.
 */
export function applyDiff(before: string, text: string, file: FileDiff): ApplyOutcome {
	if (file.content.kind !== 'text') {
		return { kind: 'refused', hunk: 0, reason: 'merge' };
	}
	const reason = file.damage.length > 0 ? 'damaged' : file.change === 'added' && before !== '' ? 'exists' : undefined;
	if (reason !== undefined) {
		return { kind: 'refused', hunk: 0, reason };
	}
	const image = new HunkImage(before);
	const hunks = new Array<AppliedHunk>();
	for (const [index, hunk] of file.content.hunks.entries()) {
		const outcome = image.apply(hunk, patternOf(hunkLines(text, hunk)));
		if (typeof outcome === 'string') {
			const isLeft = file.change === 'deleted' && outcome === 'noMatch';
			return { kind: 'refused', hunk: index, reason: isLeft ? 'leavesText' : outcome };
		}
		hunks.push(outcome);
	}
	const after = image.text();
	return file.change === 'deleted' && after !== ''
		? { kind: 'refused', hunk: Math.max(0, hunks.length - 1), reason: 'leavesText' }
		: { kind: 'applied', after, hunks };
}
