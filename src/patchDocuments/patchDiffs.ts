import * as vscode from 'vscode';
import type { RepositoryRef } from '../forge/repository.ts';
import { contentId } from '../patch/blobId.ts';
import type { FileDiff } from '../patch/fileDiff.ts';
import type { PatchMail } from '../series/seriesReading.ts';
import { binarySides } from './binarySides.ts';
import { fileName, hasSides, modeChange, movedPath, pathOf } from './fileWords.ts';
import { patchUri, type PatchPlace, type PatchView, type WholeView } from './patchUri.ts';
import { surenessWord, type FoundFile } from './wholeWords.ts';

/** A patch whose files are shown, and where it stands. */
export interface PlacedPatch extends Omit<PatchPlace, 'view'> {
	readonly patch: PatchMail;
	/** `2/4`; empty for a patch that stands alone. */
	readonly number: string;
	/** What was found of its files; absent where nothing was looked for. */
	readonly found?: FoundFiles | undefined;
}

/** What was found of the files of a patch. */
export interface FoundFiles {
	/** Where it was looked for. */
	readonly repository: RepositoryRef | undefined;
	file(fileIndex: number): FoundFile;
}

/** What the editor is handed to compare: what opens by the file's name, and the two sides. */
export type ComparedFile = readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

/** How one file is opened. */
export type FileOpening =
	| { readonly kind: 'sides'; readonly before: vscode.Uri; readonly after: vscode.Uri; readonly title: string }
	/** What has one side or none: an added or deleted file, or a diff as it came that says why. */
	| { readonly kind: 'document'; readonly uri: vscode.Uri; readonly title: string | undefined };

/** How file `fileIndex` of a patch is opened; `undefined` when there is no such file. */
export function fileOpening(placed: PlacedPatch, fileIndex: number): FileOpening | undefined {
	const file = placed.patch.diff.files[fileIndex];
	if (!file) {
		return undefined;
	}
	if (!hasSides(file)) {
		return { kind: 'document', uri: asItCameUri(placed, fileIndex), title: undefined };
	}
	const title = diffTitle(placed, file, placed.found?.file(fileIndex));
	const comparable = comparableFile(file);
	if (!comparable) {
		// There is nothing to compare it with.
		const uri =
			lonePicture(placed, file, fileIndex) ??
			sideUri(placed, { kind: 'only', fileIndex }, `${pathOf(file)}${endFor(file)}`);
		return { kind: 'document', uri, title };
	}
	const [before, after] = wholeUris(placed, fileIndex, comparable) ?? bothSides(placed, fileIndex, comparable);
	return { kind: 'sides', before, after, title };
}

/** All files of a patch, for the editor that shows many. What names them says which patch of the series it is. */
export function comparedFiles(placed: PlacedPatch): readonly ComparedFile[] {
	const { number } = placed;
	return placed.patch.diff.files.map((file, fileIndex) => {
		if (!hasSides(file)) {
			const uri = asItCameUri(placed, fileIndex, number);
			return [uri, undefined, uri];
		}
		const label = labelOf(placed, file, fileIndex);
		const comparable = comparableFile(file);
		const whole = comparable && wholeUris(placed, fileIndex, comparable, label);
		if (whole) {
			return [whole[1], ...whole];
		}
		const side = (kind: 'before' | 'after'): vscode.Uri => {
			const own = kind === 'before' ? file.oldPath : file.newPath;
			return sideUri(placed, { kind, fileIndex }, `${own ?? pathOf(file)}${endFor(file)}`, label);
		};
		return [side(file.newPath === undefined ? 'before' : 'after'), side('before'), side('after')];
	});
}

/** A file that has a path on both sides. */
interface ComparableFile {
	readonly file: FileDiff;
	readonly oldPath: string;
	readonly newPath: string;
}

function comparableFile(file: FileDiff): ComparableFile | undefined {
	const { oldPath, newPath } = file;
	return oldPath === undefined || newPath === undefined ? undefined : { file, oldPath, newPath };
}

/** All of both sides, where it was found; `undefined` where it was not, and where there are no lines and no picture. */
function wholeUris(
	placed: PlacedPatch,
	fileIndex: number,
	{ file, oldPath, newPath }: ComparableFile,
	label = '',
): readonly [vscode.Uri, vscode.Uri] | undefined {
	const isPicture = file.content.kind === 'binary' && pictures.test(oldPath) && pictures.test(newPath);
	const before = wholeUri(placed, { kind: 'wholeBefore', fileIndex }, label);
	const after = wholeUri(placed, { kind: 'wholeAfter', fileIndex }, label);
	return before && after && (hasLines(file) || isPicture) ? [before, after] : undefined;
}

/** One side of a whole file beside others, labelled with how sure the least sure of what it is made of is. */
export function wholeSide(
	placed: PlacedPatch,
	view: Pick<WholeView, 'kind' | 'fileIndex'>,
	least: FoundFile,
): vscode.Uri | undefined {
	return wholeUri(placed, view, surenessWord(least));
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

/** What stands behind the name of a file beside others: which patch of the series it is, and how sure what is shown is. */
function labelOf({ number, found }: PlacedPatch, file: FileDiff, fileIndex: number): string {
	const facts = [
		...(number === '' ? [] : [number]),
		...(found && hasLines(file) && comparableFile(file) ? [surenessWord(found.file(fileIndex))] : []),
	];
	return facts.join(', ');
}

function bothSides(
	placed: PlacedPatch,
	fileIndex: number,
	{ file, oldPath, newPath }: ComparableFile,
): readonly [vscode.Uri, vscode.Uri] {
	const isPicture = holdsPicture(placed, file);
	const end = isPicture ? '' : endFor(file);
	return [
		sideUri(placed, { kind: isPicture ? 'pictureBefore' : 'before', fileIndex }, `${oldPath}${end}`),
		sideUri(placed, { kind: isPicture ? 'pictureAfter' : 'after', fileIndex }, `${newPath}${end}`),
	];
}

/** Names that the editor shows as pictures, sounds and films, whatever a file holds. */
const media = /\.(?:png|jpe?g|jpe|gif|bmp|ico|webp|avif|mp3|wav|ogg|oga|mp4|webm)$/i;

/** Words and lines must not be taken for what the file's name promises: whoever reviews them would not see them. */
function endFor(file: FileDiff): string {
	return hasLines(file) ? endForLines(file) : '.txt';
}

/** The same of lines: source in the language of its file, but nothing that the editor would draw or run. */
export function endForLines(file: Pick<FileDiff, 'oldPath' | 'newPath'>): string {
	const paths = [file.oldPath ?? '', file.newPath ?? ''];
	const isNamed = (ends: RegExp): boolean => paths.some((path) => ends.test(path));
	if (isNamed(media)) {
		return '.txt';
	}
	return isNamed(/\.ipynb$/i) ? '.json' : isNamed(/\.svg$/i) ? '.xml' : '';
}

function hasLines({ content }: Pick<FileDiff, 'content'>): boolean {
	return content.kind === 'text' && content.hunks.length > 0;
}

const pictures = /\.(?:png|jpe?g|gif|bmp|ico|webp|avif)$/i;

/** A picture that the patch holds whole, on both sides. */
function holdsPicture({ patch }: PlacedPatch, { content, oldPath, newPath }: FileDiff): boolean {
	if (content.kind !== 'binary' || !pictures.test(newPath ?? '') || !pictures.test(oldPath ?? '')) {
		return false;
	}
	const { before, after } = binarySides(patch.diffText, content);
	return before !== undefined && after !== undefined;
}

/** A picture that the patch adds or deletes: there is nothing to compare it with. */
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

/** The whole text that a patch stands in. */
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

/** Says what a tab cannot show otherwise: that a file moves or changes its mode, and that the rest of it is not there. */
function diffTitle({ number }: PlacedPatch, file: FileDiff, found: FoundFile): string {
	const mode = modeChange(file);
	const facts = [
		...(number === '' ? [] : [number]),
		...(file.change === 'added' ? [vscode.l10n.t('added')] : []),
		...(file.change === 'deleted' ? [vscode.l10n.t('deleted')] : []),
		...(file.change === 'copied' ? [vscode.l10n.t('copied')] : []),
		...(mode === undefined ? [] : [mode]),
		...(isSaidOf(file, found) ? [surenessWord(found)] : []),
	];
	const name = file.change === 'renamed' || file.change === 'copied' ? movedPath(file) : fileName(file);
	return facts.length === 0 ? name : `${name} (${facts.join(', ')})`;
}

/** Of what the patch holds whole it is said only that it is proven. */
function isSaidOf(file: FileDiff, found: FoundFile): boolean {
	const isWhole = file.change === 'added' || file.change === 'deleted';
	return hasLines(file) && (!isWhole || found?.whole.kind === 'verified');
}
