import * as vscode from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import type { DiffContent, FileDiff } from '../patch/fileDiff.ts';
import type { PatchMail } from '../series/seriesReading.ts';
import { visibleLine } from '../text/visible.ts';
import { binarySides, type BinaryDiff } from './binarySides.ts';
import { diffSides, type Gap } from './diffSides.ts';
import { damageText, modeWord, pathOf } from './fileWords.ts';

/** The two sides of a file as texts. What has no lines is said in words. */
export interface SideTexts {
	readonly before: string;
	readonly after: string;
}

/**
 * Makes the sides of one file of a patch, to be compared. A file that the patch adds or deletes ends with the same line on
 * both: the editor would show a side without any line as one that was removed or added.
 */
export function sideTexts(patch: PatchMail, file: FileDiff): SideTexts {
	if (file.oldPath !== undefined && file.newPath !== undefined) {
		return bothTexts(patch, file);
	}
	const text = onlyText(patch, file);
	const hasEnd = text === '' || text.endsWith('\n');
	const isAdded = file.oldPath === undefined;
	const end = `⋯ ${oneSideText(isAdded, hasEnd)} ⋯\n`;
	const side = `${text}${hasEnd ? '' : '\n'}${end}`;
	return isAdded ? { before: end, after: side } : { before: side, after: end };
}

/** The side that there is of a file that a patch adds or deletes, and nothing else. */
export function onlyText(patch: PatchMail, file: FileDiff): string {
	return bothTexts(patch, file)[file.newPath === undefined ? 'before' : 'after'];
}

function bothTexts({ diffText }: PatchMail, file: FileDiff): SideTexts {
	const { content } = file;
	switch (content.kind) {
		case 'text':
			return content.hunks.length === 0 ? inWords(file, []) : linesOf(diffText, file, content);
		case 'binary':
			return inWords(file, binaryWords(diffText, content));
		case 'combined':
			return { before: '', after: asItCame(diffText, file) };
		default:
			return assertNever(content);
	}
}

function oneSideText(isAdded: boolean, hasEnd: boolean): string {
	if (isAdded) {
		return hasEnd
			? vscode.l10n.t('the patch adds this file')
			: vscode.l10n.t('the patch adds this file, without a newline at its end');
	}
	return hasEnd
		? vscode.l10n.t('the patch deletes this file')
		: vscode.l10n.t('the patch deletes this file, which had no newline at its end');
}

/** A file's diff as it came, below a line that says why it is shown so. */
export function asItCame(diffText: string, file: FileDiff): string {
	const [damage] = file.damage;
	const reason = damage
		? [
				vscode.l10n.t('This patch is damaged.'),
				damageText(damage, diffText),
				vscode.l10n.t('This is its raw text for {0}:', visibleLine(pathOf(file))),
			].join(' ')
		: vscode.l10n.t('The patch merges several versions of {0}. This is its raw diff:', visibleLine(pathOf(file)));
	return `${reason}\n\n${diffText.slice(file.start, file.end)}`;
}

function linesOf(
	diffText: string,
	file: FileDiff,
	{ hunks }: Extract<DiffContent, { readonly kind: 'text' }>,
): SideTexts {
	const isWhole = file.change === 'added' || file.change === 'deleted';
	const { before, after } = diffSides(diffText, hunks, { isWhole, gapText });
	return { before: before.text, after: after.text };
}

/** One line, the same on both sides, so that the editor takes it for unchanged. */
function gapText({ lines, next, section, isCounted }: Gap): string {
	const what = leftOutText(lines);
	if (!next) {
		return `⋯ ${vscode.l10n.t('only what the patch shows: the rest of the file is not in it')} ⋯`;
	}
	const where =
		next.before === next.after
			? vscode.l10n.t('continues at line {0}', next.before)
			: vscode.l10n.t('continues at line {0}, after the patch at line {1}', next.before, next.after);
	// The editor's own numbers say where it goes on.
	const words = [what, ...(isCounted ? [] : [where]), ...(section === '' ? [] : [visibleLine(section)])];
	return `⋯ ${words.join(' · ')} ⋯`;
}

function leftOutText(lines: number | undefined): string {
	switch (lines) {
		case undefined:
			return vscode.l10n.t('lines that the patch does not show');
		case 1:
			return vscode.l10n.t('1 line that the patch does not show');
		default:
			return vscode.l10n.t('{0} lines that the patch does not show', lines);
	}
}

function inWords(file: FileDiff, content: readonly [string, string] | readonly []): SideTexts {
	const [before, after] = content;
	return {
		before: file.oldPath === undefined ? '' : factsOf(file.oldPath, file.oldMode, before),
		after: file.newPath === undefined ? '' : factsOf(file.newPath, file.newMode ?? file.oldMode, after),
	};
}

function factsOf(path: string, mode: string | undefined, content: string | undefined): string {
	const facts = [
		vscode.l10n.t('Path: {0}', visibleLine(path)),
		...(mode === undefined ? [] : [vscode.l10n.t('Mode: {0}, {1}', mode, modeWord(mode))]),
		vscode.l10n.t('Content: {0}', content ?? vscode.l10n.t('the same before and after')),
	];
	return `${facts.join('\n')}\n`;
}

/** What is known of the two sides of a binary file. */
function binaryWords(text: string, content: BinaryDiff): readonly [string, string] {
	const { before, after } = binarySides(text, content);
	return [sideWords(before, content.reverse ?? content.forward), sideWords(after, content.forward ?? content.reverse)];
}

function sideWords(bytes: Uint8Array | undefined, data: BinaryDiff['forward']): string {
	if (bytes) {
		const { byteLength } = bytes;
		return byteLength === 1 ? vscode.l10n.t('binary, 1 byte') : vscode.l10n.t('binary, {0} bytes', grouped(byteLength));
	}
	return data?.method === 'delta'
		? vscode.l10n.t('binary; the patch contains {0} bytes of changes, not the whole file', grouped(data.size))
		: vscode.l10n.t('binary; the patch only states that it differs');
}

function grouped(count: number): string {
	return new Intl.NumberFormat(vscode.env.language).format(count);
}
