import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { latest, type Latest } from '@forge-desk/base/latest.ts';
import type { Problems } from '../ask/problems.ts';
import { readOnlyFiles } from '../documents/readOnlyFiles.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { contentId } from 'patchmail/patch/blobId.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import type { WholeFile } from 'patchmail/patch/wholeFile.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { ReadPatch } from '../../store/lists/listMailTexts.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { binarySides, type BinaryDiff, writtenOut, diffSides, type Gap } from './diffSides.ts';
import { hasSides, damageText, modeWord, pathOf } from './fileWords.ts';
import { recentSeries } from './patchInSeries.ts';
import { isWholeView, placeOfPatchUri, type PatchPlace, type WholeView, type PatchView } from './patchUri.ts';
import type { ShownLine } from './shownLines.ts';
import { recentFullFileDiff, type fullFileDiff } from './fullFileDiff.ts';
import type { FoundFile } from './fullFileTexts.ts';

/** Line mapping of a document to its mail. Constant while the document is open. */
export interface DocumentLines {
	readonly place: PatchPlace;
	/** In order; see `shownLineOf`. */
	readonly lines: readonly ShownLine[];
}

export type PatchFiles = ReturnType<typeof patchFiles>;

/** Files whose sides are kept: the editor and comments ask for the same ones again and again. */
const mostRecent = 4;

/**
 * The read-only file system `forge-patch:`, for addresses of `patchUri`. Regenerates documents that the editor restored
 * after a reload.
 */
export function patchFiles({
	connections,
	ready,
	problems,
}: {
	readonly connections: Connections;
	/** Resolves after all signed-in accounts have connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
}) {
	const ending = new AbortController();
	const sidesOf = recentFullFileDiff();
	const shownOf = latest<FileDiff, SideTexts>(mostRecent);
	const seriesOf = recentSeries();

	/** After a window reload, accounts connect later than documents open. */
	async function connectionOf({ connectionKey }: PatchPlace): Promise<Connection> {
		if (!connections.byKey(connectionKey)) {
			await ready();
		}
		const connection = connections.byKey(connectionKey);
		if (!connection) {
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t('You are not signed in to the account that this was opened with. Sign in and open it again.'),
			);
		}
		return connection;
	}

	/** The cached search result; searches again after a window reload. */
	async function foundAt(
		connection: Connection,
		place: PatchPlace,
		{ fileIndex, repository }: WholeView,
		signal: AbortSignal,
	): Promise<FoundFile> {
		const { wanted, mailIds } = await seriesOf(connection, place, signal);
		const files = connection.wholeFiles.of({ ...wanted, repository });
		const patch = mailIds.indexOf(place.mailId);
		return await files.file({ patch, file: fileIndex }, signal);
	}

	async function read(uri: vscode.Uri, place: PatchPlace, signal: AbortSignal): Promise<PatchContent> {
		try {
			const connection = await connectionOf(place);
			const patch = await connection.texts.readPatch(place.mailId, signal);
			const found = isWholeView(place.view) ? await foundAt(connection, place, place.view, signal) : undefined;
			return contentOf(patch, place.view, found && { file: found.whole, sidesOf }, shownOf) ?? missing(uri);
		} catch (error) {
			if (error instanceof vscode.FileSystemError) {
				throw error;
			}
			problems.log(error);
			throw isForgeError(error) && error.problem.kind === 'notFound'
				? vscode.FileSystemError.FileNotFound(uri)
				: vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
	}

	return {
		...readOnlyFiles(async (uri) => {
			const { bytes } = await read(uri, placeOfPatchUri(uri) ?? missing(uri), ending.signal);
			return bytes();
		}),
		/** Patch lines of a document; `undefined` for other documents. Rejects like reading the document. */
		async lines(uri: vscode.Uri, signal: AbortSignal): Promise<DocumentLines | undefined> {
			const place = placeOfPatchUri(uri);
			return place && { place, lines: (await read(uri, place, signal)).lines };
		},
		/** Search result for the document's whole file; `undefined` for other documents. Rejects like `lines`. */
		async found(uri: vscode.Uri, signal: AbortSignal): Promise<FoundFile> {
			const place = placeOfPatchUri(uri);
			return place && isWholeView(place.view)
				? await foundAt(await connectionOf(place), place, place.view, signal)
				: undefined;
		},
		dispose: () => ending.abort(),
	};
}

function missing(uri: vscode.Uri): never {
	throw vscode.FileSystemError.FileNotFound(uri);
}

export interface PatchContent {
	readonly bytes: () => Uint8Array;
	/** Its lines that show a patch line, in order. */
	readonly lines: readonly ShownLine[];
}

export interface KnownWhole {
	readonly file: WholeFile;
	readonly sidesOf: typeof fullFileDiff;
}

/**
 * `undefined` if the patch has no such file. `whole`: the whole file for whole views; throws if its content differs
 * from the view's id.
 */
export function contentOf(
	{ patch, reading }: ReadPatch,
	view: PatchView,
	whole: KnownWhole | undefined,
	shownOf: Latest<FileDiff, SideTexts> = (_, make) => make(),
): PatchContent | undefined {
	if (view.kind === 'raw') {
		const text = patch?.diffText ?? (reading.kind === 'read' ? reading.mail.body : reading.text);
		// The editor breaks lines at a lone CR; git and line comments don't.
		return { bytes: () => encoded(text.split('\r\n').map(writtenOut).join('\r\n')), lines: [] };
	}
	const file = patch?.diff.files[view.fileIndex];
	return patch && file && contentOfFile(patch, file, view, whole, () => shownOf(file, () => sideTexts(patch, file)));
}

function contentOfFile(
	patch: PatchMail,
	file: FileDiff,
	view: Exclude<PatchView, { readonly kind: 'raw' }>,
	whole: KnownWhole | undefined,
	sides: () => SideTexts,
): PatchContent | undefined {
	switch (view.kind) {
		case 'asItCame':
			return ofText(asItCame(patch.diffText, file));
		case 'before':
		case 'after':
			return hasSides(file) ? ofText(sides()[view.kind]) : undefined;
		case 'wholeBefore':
		case 'wholeAfter':
			return wholeContent(patch, file, view, whole);
		case 'only':
			return hasSides(file) ? ofText(sides()[file.newPath === undefined ? 'before' : 'after']) : undefined;
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

/** A text with its patch lines. */
export interface SideText {
	readonly text: string;
	/** In order. */
	readonly lines: readonly ShownLine[];
}

/** Both sides of a file as texts. Changes without lines appear as a description. */
export interface SideTexts {
	readonly before: SideText;
	readonly after: SideText;
}

/** Builds both sides of a file for a diff. The missing side of an addition or deletion is empty. */
export function sideTexts({ diffText }: PatchMail, file: FileDiff): SideTexts {
	const { content } = file;
	switch (content.kind) {
		case 'text':
			return content.hunks.length === 0
				? inWords(file, [])
				: diffSides(diffText, content.hunks, file.change === 'added' || file.change === 'deleted', gapText);
		case 'binary': {
			const { before, after } = binarySides(diffText, content);
			return inWords(file, [
				sideWords(before, content.reverse ?? content.forward),
				sideWords(after, content.forward ?? content.reverse),
			]);
		}
		case 'combined':
			return { before: withoutLines(''), after: asItCame(diffText, file) };
		default:
			return assertNever(content);
	}
}

/** A file's raw diff, below an explanation. */
export function asItCame(diffText: string, file: FileDiff): SideText {
	const [damage] = file.damage;
	const reason = damage
		? [
				vscode.l10n.t('This patch is damaged.'),
				damageText(damage, diffText),
				vscode.l10n.t('This is its raw text for {0}:', visibleLine(pathOf(file))),
			].join(' ')
		: vscode.l10n.t('The patch merges several versions of {0}. This is its raw diff:', visibleLine(pathOf(file)));
	const above = `${reason}\n\n`;
	let line = lineEnds(above);
	let counted = file.start;
	const lines = (file.content.kind === 'text' ? file.content.hunks : []).flatMap((hunk, at) =>
		Array.from(hunkLines(diffText, hunk), ({ kind, start, end }): ShownLine => {
			line += lineEnds(diffText.slice(counted, start));
			counted = start;
			return { line, kind, hunk: at, start, end };
		}),
	);
	return { text: above + diffText.slice(file.start, file.end), lines };
}

/** Counts line ends like the editor. */
function lineEnds(text: string): number {
	return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function withoutLines(text: string): SideText {
	return { text, lines: [] };
}

/** Identical on both sides, so the editor treats it as unchanged. */
function gapText({ lines, next, section, isCounted }: Gap): string {
	if (!next) {
		return `⋯ ${vscode.l10n.t('only what the patch shows: the rest of the file is not in it')} ⋯`;
	}
	const what =
		lines === undefined
			? vscode.l10n.t('lines that the patch does not show')
			: lines === 1
				? vscode.l10n.t('1 line that the patch does not show')
				: vscode.l10n.t('{0} lines that the patch does not show', lines);
	const where =
		next.before === next.after
			? vscode.l10n.t('continues at line {0}', next.before)
			: vscode.l10n.t('continues at line {0}, after the patch at line {1}', next.before, next.after);
	// The editor's own line numbers show where it continues.
	const words = [what, ...(isCounted ? [] : [where]), ...(section === '' ? [] : [visibleLine(section)])];
	return `⋯ ${words.join(' · ')} ⋯`;
}

function inWords(file: FileDiff, content: readonly [string, string] | readonly []): SideTexts {
	const [before, after] = content;
	return {
		before: withoutLines(file.oldPath === undefined ? '' : factsOf(file.oldPath, file.oldMode, before)),
		after: withoutLines(file.newPath === undefined ? '' : factsOf(file.newPath, file.newMode ?? file.oldMode, after)),
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
