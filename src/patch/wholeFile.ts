import { applyDiff, type ApplyOutcome, type ApplyRefusal } from './applyDiff.ts';
import { binaryContent, type BinaryRefusal } from './binaryContent.ts';
import { canProve, isStated } from './blobId.ts';
import { contentTexts } from './byteText.ts';
import type { DiffContent, FileDiff } from './fileDiff.ts';
import type { AppliedHunk } from './hunkImage.ts';
import { mostTextBytes, ownBefore, type NeverWhole } from './ownBefore.ts';

/** Both contents of a file, all of each; `undefined` where the file does not exist. */
export interface WholeSides {
	readonly before: Uint8Array | undefined;
	readonly after: Uint8Array | undefined;
}

/** The same, and how the hunks were fitted in; none where the content has no lines or stays as it is. */
export interface FittedSides extends WholeSides {
	readonly hunks: readonly AppliedHunk[];
}

/** What about an applied diff is not proven. */
export type Doubt =
	/** The content that was found is not the one that the patch was made of. */
	| 'otherBefore'
	/** It is, but the patch has changed on its way: the result is another than its author had. */
	| 'otherAfter'
	/** The patch does not say by which ids to tell. */
	| 'notStated';

/** Why nothing but the hunks can be shown. */
export type HunksOnly =
	| NeverWhole
	| Exclude<ApplyRefusal, 'notText'>
	| BinaryRefusal
	/** The content that the patch changes is not known. */
	| 'notFound';

/** What came of putting the diff of one file on the whole content that it changes. */
export type WholeFile =
	/** Both contents are the ones whose ids the patch states. */
	| ({ readonly kind: 'verified' } & FittedSides)
	/** The hunks fit. `offset` is that of the hunk which is furthest from its place, `fuzz` the most of all hunks. */
	| ({ readonly kind: 'applied'; readonly doubt: Doubt; readonly offset: number; readonly fuzz: number } & FittedSides)
	| { readonly kind: 'hunksOnly'; readonly reason: HunksOnly };

/** The diff of a file, whose offsets point into `text`, and the content that was found for it. */
export interface WholeFileParts {
	readonly text: string;
	readonly file: FileDiff;
	/** `undefined` where nothing was found. Not looked at where the patch holds all of the content itself. */
	readonly before: Uint8Array | undefined;
}

/** Makes a file's diff whole, and says how sure that is. Never throws; takes time in proportion to text and content. */
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
		? wholeBinary({ text, file, before: start }, file.content)
		: wholeText({ text, file, before: start });
}

function wholeText({ text, file, before }: WholeFileParts): WholeFile {
	const content = before ?? new Uint8Array();
	if (content.length > mostTextBytes) {
		return { kind: 'hunksOnly', reason: 'tooLarge' };
	}
	if (isUntouched(file)) {
		return judged(file, { before, after: before }, []);
	}
	let best: WholeFile | undefined;
	for (const each of contentTexts(content)) {
		const made = textResult({ text, file, before }, each.text, each.bytesOf);
		if (made.kind === 'verified') {
			return made;
		}
		best = best === undefined || best.kind === 'hunksOnly' ? made : best;
	}
	return best ?? { kind: 'hunksOnly', reason: 'noMatch' };
}

/** Nothing of the content changes: the file is only moved, copied or given another mode. */
function isUntouched({ content, oldPath, newPath }: FileDiff): boolean {
	return oldPath !== undefined && newPath !== undefined && content.kind === 'text' && content.hunks.length === 0;
}

function textResult(
	{ text, file, before }: WholeFileParts,
	content: string,
	bytesOf: (text: string) => Uint8Array | undefined,
): WholeFile {
	const outcome: ApplyOutcome = applyDiff(content, text, file);
	if (outcome.kind === 'refused') {
		return { kind: 'hunksOnly', reason: outcome.reason === 'notText' ? 'merge' : outcome.reason };
	}
	const after = bytesOf(outcome.after);
	return after
		? judged(file, { before, after: file.newPath === undefined ? undefined : after }, outcome.hunks)
		: { kind: 'hunksOnly', reason: 'noMatch' };
}

function wholeBinary(
	{ text, file, before }: WholeFileParts,
	{ forward }: Extract<DiffContent, { readonly kind: 'binary' }>,
): WholeFile {
	const outcome = forward && binaryContent(text, forward, before);
	if (outcome?.kind !== 'content') {
		return { kind: 'hunksOnly', reason: outcome?.reason ?? 'notIncluded' };
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
