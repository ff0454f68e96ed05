import * as vscode from 'vscode';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { contentId } from 'patchmail/patch/blobId.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { binarySides } from './diffSides.ts';
import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import { fileName, hasSides, modeChange, movedPath, pathOf } from './fileWords.ts';
import { patchUri, type PatchPlace, type PatchView, type WholeView } from './patchUri.ts';
import { certaintyWord, doubtWord, type FoundFile } from './fullFileTexts.ts';

/** A patch to display, with its address. */
export interface PlacedPatch extends Omit<PatchPlace, 'view'> {
	readonly patch: PatchMail;
	/** `2/4`; empty for a single patch. */
	readonly number: string;
	/** Search results for its files; absent without a search. */
	readonly found?: FoundFiles | undefined;
}

/** Search results for the files of a patch. */
export interface FoundFiles {
	/** The searched repository. */
	readonly repository: RepositoryRef | undefined;
	file(fileIndex: number): FoundFile;
}

/** Input of the multi-file diff editor: the labelled document and both sides. */
export type ComparedFile = readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

export type FileOpening =
	| { readonly kind: 'sides'; readonly before: vscode.Uri; readonly after: vscode.Uri; readonly title: string }
	/** A single document: an added or deleted file, or a raw diff with an explanation. */
	| { readonly kind: 'document'; readonly uri: vscode.Uri; readonly title: string | undefined };

/** `undefined` if the patch has no such file. */
export function fileOpening(placed: PlacedPatch, fileIndex: number): FileOpening | undefined {
	const file = placed.patch.diff.files[fileIndex];
	if (!file) {
		return undefined;
	}
	if (!hasSides(file)) {
		return { kind: 'document', uri: asItCameUri(placed, fileIndex), title: undefined };
	}
	const title = diffTitle(placed, file, fileIndex);
	const comparable = comparableFile(file);
	if (!comparable) {
		// Nothing to compare with.
		const uri =
			lonePicture(placed, file, fileIndex) ??
			sideUri(placed, { kind: 'only', fileIndex }, `${pathOf(file)}${endFor(file)}`);
		return { kind: 'document', uri, title };
	}
	// The tooltip of the tab shows it.
	const certainty = hasLines(file) ? certaintyWord(placed.found?.file(fileIndex)) : '';
	const whole = wholeUris(placed, fileIndex, comparable, certainty);
	if (whole) {
		return { kind: 'sides', before: whole[0], after: whole[1], title };
	}
	const { oldPath, newPath } = comparable;
	const isPicture = holdsPicture(placed, file);
	const end = isPicture ? '' : endFor(file);
	return {
		kind: 'sides',
		before: sideUri(placed, { kind: isPicture ? 'pictureBefore' : 'before', fileIndex }, `${oldPath}${end}`, certainty),
		after: sideUri(placed, { kind: isPicture ? 'pictureAfter' : 'after', fileIndex }, `${newPath}${end}`, certainty),
		title,
	};
}

/** Adds facts that a tab lacks: a move, a mode change, doubts about the file. */
function diffTitle(placed: PlacedPatch, file: FileDiff, fileIndex: number): string {
	const found = placed.found?.file(fileIndex);
	const mode = modeChange(file);
	const doubt = hasLines(file) ? doubtWord(found) : '';
	const facts = [
		...(placed.number === '' ? [] : [placed.number]),
		...(file.change === 'added' ? [vscode.l10n.t('added')] : []),
		...(file.change === 'deleted' ? [vscode.l10n.t('deleted')] : []),
		...(file.change === 'copied' ? [vscode.l10n.t('copied')] : []),
		...(mode === undefined ? [] : [mode]),
		...loneFacts(placed, file),
		...(doubt === '' ? [] : [doubt]),
	];
	const name = file.change === 'renamed' || file.change === 'copied' ? movedPath(file) : fileName(file);
	return facts.length === 0 ? name : `${name} (${facts.join(', ')})`;
}

/** All files of a patch for the multi-file diff editor. Labels state the patch number and doubts. */
export function comparedFiles(placed: PlacedPatch): readonly ComparedFile[] {
	const { number } = placed;
	return placed.patch.diff.files.map((file, fileIndex) => {
		if (!hasSides(file)) {
			const uri = asItCameUri(placed, fileIndex, number);
			return [uri, undefined, uri];
		}
		const comparable = comparableFile(file);
		const doubt = hasLines(file) && comparable ? doubtWord(placed.found?.file(fileIndex)) : '';
		const label = [number, ...loneFacts(placed, file), doubt].filter((fact) => fact !== '').join(', ');
		const whole = comparable && wholeUris(placed, fileIndex, comparable, label);
		if (whole) {
			return [whole[1], ...whole];
		}
		const side = (kind: 'before' | 'after', own: string | undefined): vscode.Uri | undefined =>
			own === undefined ? undefined : sideUri(placed, { kind, fileIndex }, `${own}${endFor(file)}`, label);
		const [before, after] = [side('before', file.oldPath), side('after', file.newPath)];
		return [after ?? before ?? asItCameUri(placed, fileIndex, number), before, after];
	});
}

/** A missing line end of an added or deleted file, which its text can't show. */
function loneFacts({ patch: { diffText } }: PlacedPatch, { content, oldPath, newPath }: FileDiff): readonly string[] {
	const last = content.kind === 'text' ? content.hunks.at(-1) : undefined;
	const isLone = oldPath === undefined || newPath === undefined;
	const line = last && isLone ? [...hunkLines(diffText, last)].at(-1) : undefined;
	return line?.hasLineEnd === false ? [vscode.l10n.t('no line break at the end')] : [];
}

/** A file with paths on both sides. */
interface ComparableFile {
	readonly file: FileDiff;
	readonly oldPath: string;
	readonly newPath: string;
}

function comparableFile(file: FileDiff): ComparableFile | undefined {
	const { oldPath, newPath } = file;
	return oldPath === undefined || newPath === undefined ? undefined : { file, oldPath, newPath };
}

/** Both whole contents; `undefined` if not found, or for a file without lines or pictures. */
function wholeUris(
	placed: PlacedPatch,
	fileIndex: number,
	{ file, oldPath, newPath }: ComparableFile,
	label: string,
): readonly [vscode.Uri, vscode.Uri] | undefined {
	const isPicture = file.content.kind === 'binary' && pictures.test(oldPath) && pictures.test(newPath);
	const before = wholeUri(placed, { kind: 'wholeBefore', fileIndex }, label);
	const after = wholeUri(placed, { kind: 'wholeAfter', fileIndex }, label);
	return before && after && (hasLines(file) || isPicture) ? [before, after] : undefined;
}

/** One side of a whole file in the multi-file diff editor, labelled with a doubt about any part. */
export function wholeSide(
	placed: PlacedPatch,
	view: Pick<WholeView, 'kind' | 'fileIndex'>,
	least: FoundFile,
): vscode.Uri | undefined {
	return wholeUri(placed, view, doubtWord(least));
}

function wholeUri(
	placed: PlacedPatch,
	{ kind, fileIndex }: Pick<WholeView, 'kind' | 'fileIndex'>,
	label: string,
): vscode.Uri | undefined {
	const file = placed.patch.diff.files[fileIndex];
	const whole = placed.found?.file(fileIndex)?.whole;
	if (!file || !whole || whole.kind === 'hunksOnly') {
		return undefined;
	}
	const [content, own] = kind === 'wholeBefore' ? [whole.before, file.oldPath] : [whole.after, file.newPath];
	if (!content) {
		return undefined;
	}
	const path = own ?? pathOf(file);
	const end = file.content.kind === 'binary' ? (pictures.test(path) ? '' : '.txt') : endForLines(file);
	const view = { kind, fileIndex, content: contentId(content), repository: placed.found?.repository };
	return sideUri(placed, view, `${path}${end}`, label);
}

/** File names that the editor opens as pictures, sounds or films, regardless of the content. */
const media = /\.(?:png|jpe?g|jpe|gif|bmp|ico|webp|avif|mp3|wav|ogg|oga|mp4|webm)$/i;

/** Suffix against media previews: they would hide the text from reviewers. */
function endFor(file: FileDiff): string {
	return hasLines(file) ? endForLines(file) : '.txt';
}

/** Suffix for source text: keeps the language, but prevents the editor from rendering or running it. */
export function endForLines(file: Pick<FileDiff, 'oldPath' | 'newPath'>): string {
	const paths = [file.oldPath ?? '', file.newPath ?? ''];
	const isNamed = (ends: RegExp): boolean => paths.some((path) => ends.test(path));
	if (isNamed(media)) {
		return '.txt';
	}
	return isNamed(/\.ipynb$/i) ? '.json' : isNamed(/\.svg$/i) ? '.xml' : '';
}

function hasLines({ content }: FileDiff): boolean {
	return content.kind === 'text' && content.hunks.length > 0;
}

const pictures = /\.(?:png|jpe?g|gif|bmp|ico|webp|avif)$/i;

/** True if the patch contains the whole picture on both sides. */
function holdsPicture({ patch }: PlacedPatch, { content, oldPath, newPath }: FileDiff): boolean {
	if (content.kind !== 'binary' || !pictures.test(newPath ?? '') || !pictures.test(oldPath ?? '')) {
		return false;
	}
	const { before, after } = binarySides(patch.diffText, content);
	return before !== undefined && after !== undefined;
}

/** A picture that the patch adds or deletes. */
function lonePicture(placed: PlacedPatch, file: FileDiff, fileIndex: number): vscode.Uri | undefined {
	const { content, oldPath, newPath } = file;
	const isLone = oldPath === undefined || newPath === undefined;
	if (content.kind !== 'binary' || !isLone || !pictures.test(pathOf(file))) {
		return undefined;
	}
	const { before, after } = binarySides(placed.patch.diffText, content);
	const kind =
		after && newPath !== undefined ? 'pictureAfter' : before && oldPath !== undefined ? 'pictureBefore' : undefined;
	return kind && sideUri(placed, { kind, fileIndex }, pathOf(file));
}

function asItCameUri(placed: PlacedPatch, fileIndex: number, patchNumber = ''): vscode.Uri {
	const file = placed.patch.diff.files[fileIndex];
	const of = file ? fileName(file) : '';
	const isDamaged = file !== undefined && file.damage.length > 0;
	const name = isDamaged ? vscode.l10n.t('damaged {0}', of) : vscode.l10n.t('merged {0}', of);
	return sideUri(placed, { kind: 'asItCame', fileIndex }, `${name.replaceAll('/', '\u2215')}.patch`, patchNumber);
}

/** The raw text of a patch. */
export function rawUri(placed: Omit<PatchPlace, 'view'>, title: string): vscode.Uri {
	return patchUri({ ...placed, view: { kind: 'raw' } }, `${title.replaceAll('/', '\u2215')}.patch`);
}

function sideUri(
	{ connectionKey, list, patchsetId, mailId }: PlacedPatch,
	view: PatchView,
	path: string,
	patchNumber = '',
): vscode.Uri {
	return patchUri({ connectionKey, list, patchsetId, mailId, view }, path, patchNumber);
}
