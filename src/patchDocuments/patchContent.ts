import * as vscode from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import { contentId } from '../patch/blobId.ts';
import type { FileDiff } from '../patch/fileDiff.ts';
import type { WholeFile } from '../patch/wholeFile.ts';
import type { PatchMail } from '../series/seriesReading.ts';
import type { ReadPatch } from '../state/lists/listMailTexts.ts';
import { binarySides } from './binarySides.ts';
import { writtenOut } from './diffSides.ts';
import { hasSides } from './fileWords.ts';
import { asItCame, onlyText, sideTexts, type SideText } from './patchTexts.ts';
import type { PatchView, WholeView } from './patchUri.ts';
import type { ShownLine } from './shownLines.ts';
import type { wholeSides } from './wholeSides.ts';

export interface PatchContent {
	readonly bytes: () => Uint8Array;
	/** Its lines that show a patch line, in order. */
	readonly lines: readonly ShownLine[];
}

export interface KnownWhole {
	readonly file: WholeFile;
	readonly sidesOf: typeof wholeSides;
}

/**
 * `undefined` if the patch has no such file. `whole`: the whole file for whole views; throws if its content differs
 * from the view's id.
 */
export function contentOf(
	{ patch, reading }: ReadPatch,
	view: PatchView,
	whole: KnownWhole | undefined,
): PatchContent | undefined {
	if (view.kind === 'raw') {
		const text = patch?.diffText ?? (reading.kind === 'read' ? reading.mail.body : reading.text);
		// The editor breaks lines at a lone CR; git and line comments don't.
		return { bytes: () => encoded(text.split('\r\n').map(writtenOut).join('\r\n')), lines: [] };
	}
	const file = patch?.diff.files[view.fileIndex];
	return patch && file && contentOfFile(patch, file, view, whole);
}

function contentOfFile(
	patch: PatchMail,
	file: FileDiff,
	view: Exclude<PatchView, { readonly kind: 'raw' }>,
	whole: KnownWhole | undefined,
): PatchContent | undefined {
	switch (view.kind) {
		case 'asItCame':
			return ofText(asItCame(patch.diffText, file));
		case 'before':
		case 'after':
			return hasSides(file) ? ofText(sideTexts(patch, file)[view.kind]) : undefined;
		case 'wholeBefore':
		case 'wholeAfter':
			return wholeContent(patch, file, view, whole);
		case 'only':
			return hasSides(file) ? ofText(onlyText(patch, file)) : undefined;
		case 'pictureBefore':
		case 'pictureAfter': {
			const { content } = file;
			const sides = content.kind === 'binary' ? binarySides(patch.diffText, content) : undefined;
			const bytes = view.kind === 'pictureBefore' ? sides?.before : sides?.after;
			return bytes && { bytes: () => bytes, lines: [] };
		}
		default:
			return assertNever(view);
	}
}

function wholeContent(
	{ diffText, charset }: PatchMail,
	{ content }: FileDiff,
	view: WholeView,
	whole: KnownWhole | undefined,
): PatchContent | undefined {
	const sides = whole && whole.file.kind !== 'hunksOnly' ? whole.file : undefined;
	const bytes = view.kind === 'wholeBefore' ? sides?.before : sides?.after;
	if (!whole || !sides || !bytes || contentId(bytes) !== view.content) {
		throw vscode.FileSystemError.Unavailable(
			vscode.l10n.t('The whole file can no longer be found. Open the patch again.'),
		);
	}
	if (content.kind !== 'text') {
		return { bytes: () => bytes, lines: [] };
	}
	return ofText(
		whole.sidesOf(diffText, content.hunks, sides, charset)[view.kind === 'wholeBefore' ? 'before' : 'after'],
	);
}

function ofText({ text, lines }: SideText): PatchContent {
	return { bytes: () => encoded(text), lines };
}

function encoded(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
