import { applyDiff, type ApplyOutcome, type ApplyRefusal } from './applyDiff.ts';
import { binaryContent, type BinaryRefusal } from './binaryContent.ts';
import { canProve, isFullId, isStated } from './blobId.ts';
import { byteText, contentTexts, type ContentText } from './byteText.ts';
import type { BinaryData, DamageKind, FileDiff } from './fileDiff.ts';
import { mostTextBytes } from './ownBefore.ts';
import { isApplied } from './reverseText.ts';

/** What stands at a path of a commit. */
export type FileThere =
	/** `mode`: six octal digits, where it is known; a submodule's content is what diffs have in its place. */
	| { readonly kind: 'file'; readonly content: Uint8Array; readonly mode?: string }
	| { readonly kind: 'missing' }
	/**
	 * A folder, or something that the path would lead through. `inTheWay`: the files that have to go before something can
	 * stand here; absent where they are not known.
	 */
	| { readonly kind: 'notFile'; readonly inTheWay?: readonly string[] };

/** Why a file's diff does not go on what is there. */
export type Conflict =
	| ApplyRefusal
	| BinaryRefusal
	/** The patch only says that a binary file differs. */
	| 'notIncluded'
	/** The file is not there that the patch changes, moves or deletes. */
	| 'missing'
	/** There is a folder, or something of another type. */
	| 'notFile'
	/** The lines are not there, and U+FFFD is in the diff, which servers write in place of bytes that they cannot store. */
	| 'lostBytes'
	/** A patch before should have changed the file, and could not. */
	| 'afterConflict';

/** What would become of one file. */
export type FileVerdict =
	/** `isExact`: by its ids, or because all hunks stand just where they should. */
	| { readonly kind: 'applies'; readonly isExact: boolean; readonly offset: number; readonly fuzz: number }
	| { readonly kind: 'alreadyApplied' }
	/** `hunk`: from 0, where a hunk is the reason. `damage`: where the reason is damage. */
	| {
			readonly kind: 'conflict';
			readonly reason: Conflict;
			readonly hunk: number | undefined;
			readonly damage?: DamageKind;
	  };

/** No file. */
export const nothing: FileThere = { kind: 'missing' };

/** What became of trying one file. `after` is missing where the file's diff could not be applied. */
export interface Tried {
	readonly verdict: FileVerdict;
	readonly after: FileThere | undefined;
}

/** The diff of a file, whose offsets point into `text`, and what stands in the tree. */
export interface Trying {
	readonly text: string;
	readonly file: FileDiff;
	/** What stands at the old path. */
	readonly old: FileThere;
	/** What stands at the new path, where that is another one. */
	readonly target: FileThere | undefined;
}

/** That a file's diff does not go on what is there. */
export function conflict(reason: Conflict, hunk?: number): Tried {
	return { verdict: { kind: 'conflict', reason, hunk }, after: undefined };
}

function applied(there: FileThere): Tried {
	return { verdict: { kind: 'alreadyApplied' }, after: there };
}

/** Tries the diff of one file on what is there. */
export function triedFile(trying: Trying): Tried {
	const { file, old, target } = trying;
	const result = target ?? old;
	if (isThere(trying, result)) {
		return applied(result);
	}
	const [damage] = file.damage;
	if (damage) {
		const verdict = { kind: 'conflict', reason: 'damaged', hunk: undefined, damage: damage.kind } as const;
		return { verdict, after: undefined };
	}
	const reason = obstacle(trying);
	if (reason !== undefined) {
		return conflict(reason);
	}
	const content = old.kind === 'file' ? old.content : new Uint8Array();
	return file.content.kind === 'binary'
		? triedBinary(trying, file.content.forward, content)
		: triedText(trying, content);
}

/** Why a diff does not apply, whatever its hunks are. */
function obstacle({ text, file, old, target }: Trying): Conflict | undefined {
	if (file.content.kind === 'combined') {
		return 'notText';
	}
	if (old.kind === 'notFile' || target?.kind === 'notFile' || isOtherType(file, old)) {
		return 'notFile';
	}
	if (file.oldPath !== undefined && old.kind === 'missing' && !mayBeNew(text, file)) {
		return 'missing';
	}
	return target?.kind === 'file' ? 'exists' : undefined;
}

/** `diff -u` does not say whether a file is new: git creates it where a single hunk has no old lines. */
function mayBeNew(text: string, { content, start }: FileDiff): boolean {
	const [hunk, ...others] = content.kind === 'text' ? content.hunks : [];
	return hunk?.oldLines === 0 && others.length === 0 && text.startsWith('--- ', start);
}

/** A link, a submodule or a plain file where the patch was made of another of them. */
function isOtherType({ oldMode, newMode = oldMode }: FileDiff, old: FileThere): boolean {
	const modes = [oldMode, newMode].filter((mode) => mode !== undefined);
	return old.kind === 'file' && modes.some((mode) => !isOfType(old, mode));
}

/** Where a mode is not known it is a plain file's. */
function isOfType({ mode = '100644' }: Extract<FileThere, { kind: 'file' }>, other: string): boolean {
	return mode.slice(0, 3) === other.slice(0, 3);
}

/** Whether the result stands there already, as far as ids and modes tell; of lines see {@link triedText}. */
function isThere(trying: Trying, result: FileThere): boolean {
	const { newPath, oldPath, change } = trying.file;
	const newMode = modeSetBy(trying.file);
	if (newPath === undefined) {
		return result.kind === 'missing';
	}
	const isSourceGone = change !== 'renamed' || oldPath === newPath || trying.old.kind === 'missing';
	const hasMode =
		result.kind === 'file' &&
		(newMode === undefined || newMode === result.mode || (result.mode === undefined && isOfType(result, newMode)));
	return isSourceGone && hasMode && hasResult(trying, result);
}

function hasResult({ text, file }: Trying, { content, mode }: Extract<FileThere, { kind: 'file' }>): boolean {
	if (isUntouched(file)) {
		// Without lines there are no ids: the move and the mode are all that there is.
		const isMoved = file.change === 'renamed' && file.oldPath !== file.newPath;
		return isMoved || (modeSetBy(file) !== undefined && mode !== undefined);
	}
	return isStated(content, file.newId) || (file.oldPath === undefined && isSame(content, text, file));
}

/** A new file that is there already, where the patch states no id. */
function isSame(content: Uint8Array, text: string, file: FileDiff): boolean {
	const made = applyDiff('', text, file);
	return made.kind === 'applied' && made.after === byteText(content);
}

function isUntouched({ content }: FileDiff): boolean {
	return content.kind === 'text' && content.hunks.length === 0;
}

/** U+FFFD in bytes, one character for each. */
const replacement = '\u00EF\u00BF\u00BD';

function reasonOf(reason: ApplyRefusal, diff: string): Conflict {
	return reason === 'noMatch' && diff.includes(replacement) ? 'lostBytes' : reason;
}

function triedText({ text, file, old }: Trying, content: Uint8Array): Tried {
	if (content.length > mostTextBytes || file.end - file.start > mostTextBytes) {
		return conflict('tooLarge');
	}
	const mode = modeAfter(file, old);
	if (isUntouched(file)) {
		const isLeft = file.change === 'deleted' && content.length > 0;
		const isEmpty = content.length === 0 && (isEmptyLink('', mode) || (file.change === 'added' && mode === '160000'));
		return isLeft ? conflict('leavesText') : isEmpty ? conflict('badData') : exact(content, mode);
	}
	// Where the transport may have added the CRs, the ids decide later whether git keeps them.
	const ways = Array.from(contentTexts(content)).slice(0, cameWithReturns(text, file) ? 2 : 1);
	const made = ways.map((way) => onText(way, { text, file }, content, mode));
	return made.toSorted((one, other) => rankOf(one) - rankOf(other))[0] ?? conflict('noMatch');
}

/** All lines of the diff end in CR LF. */
function cameWithReturns(text: string, { content }: FileDiff): boolean {
	const [hunk] = content.kind === 'text' ? content.hunks : [];
	return hunk !== undefined && text.startsWith('\r\n', hunk.start - 2);
}

/** The less the better. */
function rankOf({ verdict }: Tried): number {
	return verdict.kind === 'conflict' ? 3 : verdict.kind === 'alreadyApplied' ? 1 : verdict.fuzz === 0 ? 0 : 2;
}

function onText(
	{ text: before, bytesOf }: ContentText,
	{ text, file }: Pick<Trying, 'text' | 'file'>,
	content: Uint8Array,
	mode: string | undefined,
): Tried {
	const outcome = applyDiff(before, text, file);
	const isSure = outcome.kind === 'applied' && outcome.hunks.every(({ fuzz }) => fuzz === 0);
	// Where context lines have to be ignored, the patch may be there already, but not at a new path that is free.
	const isInPlace = file.newPath === undefined || file.newPath === file.oldPath || file.oldPath === undefined;
	if (!isSure && isInPlace && isApplied(before, text, file)) {
		return applied(there(content, mode));
	}
	if (outcome.kind === 'refused') {
		return conflict(reasonOf(outcome.reason, text.slice(file.start, file.end)), outcome.hunk);
	}
	const after = bytesOf(outcome.after);
	if (!after) {
		return conflict('noMatch');
	}
	const isRefused = file.newPath !== undefined && isEmptyLink(outcome.after, mode);
	return isRefused || isCorruptModule(outcome.after, mode)
		? conflict('badData')
		: { verdict: verdictOf(outcome, file, content), after: there(after, mode) };
}

/** No file system has a link to nothing. */
function isEmptyLink(text: string, mode: string | undefined): boolean {
	return mode === '120000' && text === '';
}

/** Git refuses a submodule without a whole id of a commit. */
function isCorruptModule(text: string, mode: string | undefined): boolean {
	return mode === '160000' && text !== '' && !/^Subproject commit (?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/.test(text);
}

function verdictOf(
	{ hunks }: Extract<ApplyOutcome, { kind: 'applied' }>,
	{ oldId }: FileDiff,
	before: Uint8Array,
): FileVerdict {
	const offset = hunks.reduce((most, each) => (Math.abs(each.offset) > Math.abs(most) ? each.offset : most), 0);
	const fuzz = hunks.reduce((most, each) => Math.max(most, each.fuzz), 0);
	const isProven = isStated(before, oldId);
	return { kind: 'applies', isExact: isProven || (offset === 0 && fuzz === 0), offset, fuzz };
}

/** Git changes a binary file only from the stated blob to the stated blob. Zeros delete it. */
function triedBinary({ text, file, old }: Trying, forward: BinaryData | undefined, content: Uint8Array): Tried {
	const { oldPath, oldId, newId = '' } = file;
	// Whole ids are sure here. Zeros never match a file that is there.
	if (oldPath !== undefined && isFullId(oldId) && !isStated(content, oldId)) {
		return conflict('noMatch');
	}
	if (isFullId(newId) && !canProve(newId)) {
		return exact(new Uint8Array(), undefined);
	}
	if (!forward) {
		return conflict('notIncluded');
	}
	const outcome = binaryContent(text, forward, content);
	if (outcome.kind === 'refused') {
		return conflict(outcome.reason);
	}
	if (!isStated(outcome.content, newId)) {
		return conflict('badData');
	}
	const isLeft = file.change === 'deleted' && outcome.content.length > 0;
	return isLeft ? conflict('leavesText') : exact(outcome.content, modeAfter(file, old));
}

/** The mode that a diff sets; `undefined` where it keeps the file's own, whatever its `index` line states. */
function modeSetBy({ change, oldMode, newMode }: FileDiff): string | undefined {
	return change === 'added' || newMode !== oldMode ? newMode : undefined;
}

function modeAfter(file: FileDiff, old: FileThere): string | undefined {
	return modeSetBy(file) ?? (old.kind === 'file' ? (old.mode ?? file.newMode) : file.newMode);
}

function exact(content: Uint8Array, mode: string | undefined): Tried {
	return { verdict: { kind: 'applies', isExact: true, offset: 0, fuzz: 0 }, after: there(content, mode) };
}

function there(content: Uint8Array, mode: string | undefined): FileThere {
	return mode === undefined ? { kind: 'file', content } : { kind: 'file', content, mode };
}
