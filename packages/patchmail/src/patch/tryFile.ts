import { applyDiff, type ApplyRefusal } from './applyDiff.ts';
import { binaryContent, isCorrupt, type BinaryRefusal } from './binaryContent.ts';
import { canProve, isFullId, isStated } from './blobId.ts';
import { byteText, contentTexts, type ContentText } from './byteText.ts';
import type { BinaryData, DamageKind, FileDiff, Hunk } from './fileDiff.ts';
import { mostTextBytes } from './ownBefore.ts';
import { isApplied } from './reverseText.ts';

/** Content of a commit at a path. */
export type FileThere =
	/** `mode`: six octal digits, if known. The content of a submodule is its text in diffs. */
	| { readonly kind: 'file'; readonly content: Uint8Array; readonly mode?: string }
	| { readonly kind: 'missing' }
	/** A folder, or a path below a file. `inTheWay`: files to remove to make room; absent if unknown. */
	| { readonly kind: 'notFile'; readonly inTheWay?: readonly string[] };

/** Why a file's diff does not apply. */
export type Conflict =
	| ApplyRefusal
	| BinaryRefusal
	/** The patch has no data for its binary file. */
	| 'notIncluded'
	/** The file to change, move or delete does not exist. */
	| 'missing'
	/** The path has a folder, or a file of another type. */
	| 'notFile'
	/** The lines do not match, and the diff has U+FFFD: servers write it for bytes that they cannot store. */
	| 'lostBytes'
	/** An earlier patch failed to change the file. */
	| 'afterConflict';

export type FileVerdict =
	/** `isExact`: the id matches, or all hunks apply at their stated lines. */
	| { readonly kind: 'applies'; readonly isExact: boolean; readonly offset: number; readonly fuzz: number }
	| { readonly kind: 'alreadyApplied' }
	/** `hunk`: from 0, if a hunk is the reason. `damage`: if damage is the reason. */
	| {
			readonly kind: 'conflict';
			readonly reason: Conflict;
			readonly hunk: number | undefined;
			readonly damage?: DamageKind;
	  };

export const nothing: FileThere = { kind: 'missing' };

/** `after`: `undefined` after a conflict. */
export interface Tried {
	readonly verdict: FileVerdict;
	readonly after: FileThere | undefined;
}

/** A file's diff with its target; the offsets of the diff point into `text`. */
export interface Trying {
	readonly text: string;
	readonly file: FileDiff;
	/** State of the old path. */
	readonly old: FileThere;
	/** State of the new path, if that is another path. */
	readonly target: FileThere | undefined;
}

export function conflict(reason: Conflict, hunk?: number): Tried {
	return { verdict: { kind: 'conflict', reason, hunk }, after: undefined };
}

function damaged(damage: DamageKind): Tried {
	return { verdict: { kind: 'conflict', reason: 'damaged', hunk: undefined, damage }, after: undefined };
}

function applied(there: FileThere): Tried {
	return { verdict: { kind: 'alreadyApplied' }, after: there };
}

export function triedFile(trying: Trying): Tried {
	const { text, file, old, target } = trying;
	const result = target ?? old;
	const { content: diff } = file;
	// Git decodes both sides before it looks for the file.
	if (diff.kind === 'binary' && [diff.forward, diff.reverse].some((data) => data && isCorrupt(text, data))) {
		return damaged('badBinary');
	}
	if (isThere(trying, result)) {
		return applied(result);
	}
	const [damage] = file.damage;
	if (damage) {
		return damaged(damage.kind);
	}
	if (diff.kind === 'combined') {
		return conflict('merge');
	}
	const reason = obstacle(trying);
	if (reason !== undefined) {
		return conflict(reason);
	}
	const content = old.kind === 'file' ? old.content : new Uint8Array();
	return diff.kind === 'binary' ? triedBinary(trying, diff.forward, content) : triedText(trying, diff.hunks, content);
}

/** Reasons for a conflict apart from the hunks. */
function obstacle({ text, file, old, target }: Trying): Conflict | undefined {
	const { oldMode, newMode = oldMode } = file;
	const modes = [oldMode, newMode].filter((mode) => mode !== undefined);
	// The patch may expect another type: link, submodule or regular file.
	const isOtherType = old.kind === 'file' && modes.some((mode) => !isOfType(old, mode));
	if (old.kind === 'notFile' || target?.kind === 'notFile' || isOtherType) {
		return 'notFile';
	}
	// `diff -u` does not mark new files: git creates a file for a single hunk without old lines.
	const hunks = file.content.kind === 'text' ? file.content.hunks : [];
	const mayBeNew = hunks.length === 1 && hunks[0]!.oldLines === 0 && text.startsWith('--- ', file.start);
	if (file.oldPath !== undefined && old.kind === 'missing' && !mayBeNew) {
		return 'missing';
	}
	return target?.kind === 'file' ? 'exists' : undefined;
}

/** Treats an unknown mode as a regular file. */
function isOfType({ mode = '100644' }: Extract<FileThere, { kind: 'file' }>, other: string): boolean {
	return mode.slice(0, 3) === other.slice(0, 3);
}

/** Whether the result exists already, by ids and modes. {@link triedText} compares lines. */
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
	const isUntouched = file.content.kind === 'text' && file.content.hunks.length === 0;
	if (isUntouched && file.oldPath !== undefined) {
		// A diff without lines has no ids, so only the move and the mode count.
		const isMoved = file.change === 'renamed' && file.oldPath !== file.newPath;
		return isMoved || (modeSetBy(file) !== undefined && mode !== undefined);
	}
	if (isStated(content, file.newId)) {
		return true;
	}
	if (file.oldPath !== undefined) {
		return false;
	}
	// The patch may have no id.
	const made = applyDiff('', text, file);
	return made.kind === 'applied' && made.after === byteText(content);
}

/** U+FFFD in bytes, one character for each. */
const replacement = '\u00EF\u00BF\u00BD';

function triedText({ text, file, old }: Trying, hunks: readonly Hunk[], content: Uint8Array): Tried {
	if (content.length > mostTextBytes || file.end - file.start > mostTextBytes) {
		return conflict('tooLarge');
	}
	const mode = modeAfter(file, old);
	const [first] = hunks;
	if (!first) {
		const isLeft = file.change === 'deleted' && content.length > 0;
		const isEmpty = content.length === 0 && (isEmptyLink('', mode) || (file.change === 'added' && mode === '160000'));
		return isLeft ? conflict('leavesText') : isEmpty ? conflict('badData') : exact(content, mode);
	}
	// The transport may have added the CRs; the ids decide later whether git keeps them.
	// All lines of the diff end in CR LF.
	const cameWithReturns = text.startsWith('\r\n', first.start - 2);
	const ways = Array.from(contentTexts(content)).slice(0, cameWithReturns ? 2 : 1);
	const made = ways.map((way) => onText(way, { text, file, old, hunks }, content, mode));
	return made.find(({ verdict }) => verdict.kind !== 'conflict') ?? made[0]!;
}

function onText(
	{ text: before, bytesOf }: ContentText,
	{ text, file, old, hunks }: Pick<Trying, 'text' | 'file' | 'old'> & { readonly hunks: readonly Hunk[] },
	content: Uint8Array,
	mode: string | undefined,
): Tried {
	const outcome = applyDiff(before, text, file);
	const isSure = outcome.kind === 'applied' && outcome.hunks.every(({ fuzz }) => fuzz === 0);
	// With fuzz, the patch may already exist in the file, but not at a new path that is free.
	if (!isSure && file.newPath === file.oldPath && !isOtherMode(file, old) && isApplied(before, text, hunks)) {
		return applied(there(content, mode));
	}
	if (outcome.kind === 'refused') {
		const hasLostBytes = outcome.reason === 'noMatch' && text.slice(file.start, file.end).includes(replacement);
		return conflict(hasLostBytes ? 'lostBytes' : outcome.reason, outcome.hunk);
	}
	const after = bytesOf(outcome.after);
	if (!after) {
		return conflict('noMatch');
	}
	const isRefused = file.newPath !== undefined && isEmptyLink(outcome.after, mode);
	if (isRefused || isCorruptModule(outcome.after, mode)) {
		return conflict('badData');
	}
	const offset = outcome.hunks.reduce((most, hunk) => (Math.abs(hunk.offset) > Math.abs(most) ? hunk.offset : most), 0);
	const mostFuzz = outcome.hunks.reduce((most, { fuzz }) => Math.max(most, fuzz), 0);
	const isExact = isStated(content, file.oldId) || (offset === 0 && mostFuzz === 0);
	return { verdict: { kind: 'applies', isExact, offset, fuzz: mostFuzz }, after: there(after, mode) };
}

/** No file system has a link without a target. */
function isEmptyLink(text: string, mode: string | undefined): boolean {
	return mode === '120000' && text === '';
}

/** Git refuses a submodule without a full commit id. */
function isCorruptModule(text: string, mode: string | undefined): boolean {
	return mode === '160000' && text !== '' && !/^Subproject commit (?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/.test(text);
}

/** Git changes a binary file only from the stated blob to the stated blob. Zeros delete it. */
function triedBinary({ text, file, old }: Trying, forward: BinaryData | undefined, content: Uint8Array): Tried {
	const { oldPath, oldId, newId = '' } = file;
	// A full id is decisive: zeros match no existing file.
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

/** The mode that a diff sets; `undefined` if the file keeps its mode, whatever its `index` line states. */
function modeSetBy({ oldMode, newMode }: FileDiff): string | undefined {
	return newMode === oldMode ? undefined : newMode;
}

/** True if the diff still has to set a mode. */
function isOtherMode(file: FileDiff, old: FileThere): boolean {
	const mode = old.kind === 'file' ? old.mode : undefined;
	return mode !== undefined && (modeSetBy(file) ?? mode) !== mode;
}

function modeAfter(file: FileDiff, old: FileThere): string | undefined {
	return modeSetBy(file) ?? (old.kind === 'file' ? old.mode : undefined) ?? file.newMode;
}

function exact(content: Uint8Array, mode: string | undefined): Tried {
	return { verdict: { kind: 'applies', isExact: true, offset: 0, fuzz: 0 }, after: there(content, mode) };
}

function there(content: Uint8Array, mode: string | undefined): FileThere {
	return mode === undefined ? { kind: 'file', content } : { kind: 'file', content, mode };
}
