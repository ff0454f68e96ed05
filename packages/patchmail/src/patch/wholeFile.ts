import { applyDiff, type ApplyRefusal } from './applyDiff.ts';
import { binaryContent, type BinaryRefusal } from './binaryContent.ts';
import { canProve, isStated } from './blobId.ts';
import { contentTexts } from './byteText.ts';
import type { BinaryData, FileDiff } from './fileDiff.ts';
import type { AppliedHunk } from './hunkImage.ts';
import { mostTextBytes, ownBefore, type NeverWhole } from './ownBefore.ts';

/** Complete contents of both sides; `undefined` if the file does not exist there. */
export interface WholeSides {
	readonly before: Uint8Array | undefined;
	readonly after: Uint8Array | undefined;
}

/** With the places of the hunks; none for binary or unchanged content. */
export interface FittedSides extends WholeSides {
	readonly hunks: readonly AppliedHunk[];
}

/** Why ids do not prove an applied diff. */
export type Doubt =
	/** The loaded old content is not the author's. */
	| 'otherBefore'
	/** The old content is the author's, but the result is not: the patch changed in transport. */
	| 'otherAfter'
	/** The patch lacks usable ids. */
	| 'notStated';

/** Why the viewer can show only the hunks. */
export type HunksOnly =
	| NeverWhole
	| ApplyRefusal
	| BinaryRefusal
	/** The old content is unknown. */
	| 'notFound';

/** Result of applying a file's diff to the whole old content. */
export type WholeFile =
	/** Both contents match the ids in the patch. */
	| ({ readonly kind: 'verified' } & FittedSides)
	/** The hunks fit. `offset`: of the hunk furthest from its stated place. `fuzz`: maximum of all hunks. */
	| ({ readonly kind: 'applied'; readonly doubt: Doubt; readonly offset: number; readonly fuzz: number } & FittedSides)
	| { readonly kind: 'hunksOnly'; readonly reason: HunksOnly };

/** The offsets of `file` point into `text`. */
export interface WholeFileParts {
	readonly text: string;
	readonly file: FileDiff;
	/** Loaded old content, if any. Ignored if the patch contains the whole old file. */
	readonly before: Uint8Array | undefined;
}

/** Extends a file's diff to the whole file. Never throws. Takes time proportional to text and content. */
export function wholeFile({ text, file, before: found }: WholeFileParts): WholeFile {
	const own = ownBefore(text, file);
	if (own.kind === 'never') {
		return { kind: 'hunksOnly', reason: own.reason };
	}
	const before = own.kind === 'content' ? own.content : found;
	if (own.kind === 'wanted' && !before) {
		return { kind: 'hunksOnly', reason: 'notFound' };
	}
	const start = own.kind === 'nothing' ? undefined : before;
	return file.content.kind === 'binary'
		? // {@link ownBefore} refuses a patch without data.
			wholeBinary({ text, file, before: start }, file.content.forward!)
		: wholeText({ text, file, before: start });
}

function wholeText({ text, file, before }: WholeFileParts): WholeFile {
	const content = before ?? new Uint8Array();
	if (content.length > mostTextBytes) {
		return { kind: 'hunksOnly', reason: 'tooLarge' };
	}
	const { content: diff, oldPath, newPath } = file;
	// A file with only a new path or mode.
	const isUntouched = diff.kind === 'text' && diff.hunks.length === 0;
	if (isUntouched && oldPath !== undefined && newPath !== undefined) {
		return judged(file, { before, after: before }, []);
	}
	let best: WholeFile | undefined;
	for (const each of contentTexts(content)) {
		const outcome = applyDiff(each.text, text, file);
		const after = outcome.kind === 'applied' ? each.bytesOf(outcome.after) : undefined;
		let made: WholeFile;
		if (outcome.kind === 'refused') {
			made = { kind: 'hunksOnly', reason: outcome.reason };
		} else if (!after) {
			made = { kind: 'hunksOnly', reason: 'noMatch' };
		} else {
			made = judged(file, { before, after: newPath === undefined ? undefined : after }, outcome.hunks);
		}
		if (made.kind === 'verified') {
			return made;
		}
		best = best?.kind === 'applied' ? best : made;
	}
	return best!;
}

function wholeBinary({ text, file, before }: WholeFileParts, forward: BinaryData): WholeFile {
	const outcome = binaryContent(text, forward, before);
	if (outcome.kind === 'refused') {
		return { kind: 'hunksOnly', reason: outcome.reason };
	}
	return file.newPath === undefined && outcome.content.length > 0
		? { kind: 'hunksOnly', reason: 'leavesText' }
		: judged(file, { before, after: file.newPath === undefined ? undefined : outcome.content }, []);
}

function judged(file: FileDiff, sides: WholeSides, hunks: readonly AppliedHunk[]): WholeFile {
	const doubt = doubtOf(file, sides);
	if (doubt === undefined) {
		return { kind: 'verified', ...sides, hunks };
	}
	const offset = hunks.reduce((most, each) => (Math.abs(each.offset) > Math.abs(most) ? each.offset : most), 0);
	const fuzz = hunks.reduce((most, each) => Math.max(most, each.fuzz), 0);
	return { kind: 'applied', doubt, offset, fuzz, ...sides, hunks };
}

function doubtOf({ oldId, newId }: FileDiff, { before, after }: WholeSides): Doubt | undefined {
	if ((before && !canProve(oldId)) || (after && !canProve(newId))) {
		return 'notStated';
	}
	if (before && !isStated(before, oldId)) {
		return 'otherBefore';
	}
	return after && !isStated(after, newId) ? 'otherAfter' : undefined;
}
