import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import {
	isWholeView,
	type PatchView,
	placeOfPatchUri,
	type PatchPlace,
} from '../../../editor/patchDocuments/patchUri.ts';
import { answerPlace } from 'patchmail/review/answerPlace.ts';
import { hunkRows, type HunkRow } from 'patchmail/review/hunkRows.ts';
import type { CommentPlace } from 'patchmail/review/reviewComment.ts';
import type { DraftComment, DraftLines, DraftPlace } from 'patchmail/review/reviewDraft.ts';
import type { ReviewThread, ReadingPlace } from 'patchmail/review/reviewThreads.ts';
import { isAsideInNotes } from 'patchmail/review/sourceLines.ts';
import { messageParts } from 'patchmail/series/messageParts.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import type { LineThread } from './documentThreads.ts';
import { lineAt } from '../../../editor/patchDocuments/fileWords.ts';
import { shownLineOf } from '../../../editor/patchDocuments/shownLines.ts';
import * as vscode from 'vscode';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { DocumentLines, PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import type { Connection, Connections } from '../../../store/connection.ts';

/** Lines of a document from 0; both ends count. */
export interface LineRange {
	readonly start: number;
	readonly end: number;
}

/**
 * Lines of a document that accept comments: those of the patch, in raw text also the message and its notes, and every
 * line of a whole file, whose other lines a reply names without a quote.
 */
export function commentableRanges(document: ShownDocument, lineCount: number): readonly LineRange[] {
	if (isWhole(document)) {
		return [{ start: 0, end: Math.max(0, lineCount - 1) }];
	}
	const ranges: { readonly start: number; end: number }[] = [];
	const above = document.place.view.kind === 'raw' ? letterLines(document.patch) : [];
	for (const { line } of [...above, ...numberedLines(document)]) {
		const last = ranges.at(-1);
		if (last && line <= last.end + 1) {
			last.end = line;
		} else {
			ranges.push({ start: line, end: line });
		}
	}
	return ranges;
}

/** Target of a comment on a document's lines; `undefined` where comments are impossible. */
export function draftPlaceAt(range: LineRange, document: ShownDocument): DraftLines | undefined {
	const { messageId } = document;
	const lines = numberedLines(document);
	const within = lines.filter(({ line }) => line >= range.start && line <= range.end);
	const last = within.at(-1);
	if (messageId === undefined) {
		return undefined;
	}
	const own = sideOfDocument(document);
	if (!last) {
		const { view } = document.place;
		if (!isWhole(document) || view.kind === 'raw' || own === 'both') {
			return undefined;
		}
		// Such lines count on from those that the patch shows, since the whole file may be another version.
		const { start, end } = range;
		const line = end + 1 + shiftAt((each) => each.line <= end, lines, own);
		const firstLine = Math.max(1, line - (end - start));
		return { kind: 'lines', messageId, file: view.fileIndex, side: own, firstLine, line };
	}
	const side = own === 'both' ? (last.fresh === undefined ? 'old' : 'new') : own;
	const { file } = last;
	const numbers = within.flatMap((line) => (line.file === file ? (numberOn(line, side) ?? []) : []));
	const line = numbers.at(-1);
	return line === undefined ? undefined : { kind: 'lines', messageId, file, side, firstLine: numbers[0] ?? line, line };
}

type Side = DraftLines['side'];

/** How far the numbers of a side are ahead of the document's, by the last line that is so, else by the first one. */
function shiftAt(isSo: (line: NumberedLine) => boolean, lines: readonly NumberedLine[], side: Side): number {
	const beside = lines.findLast(isSo) ?? lines[0];
	const number = beside && numberOn(beside, side);
	return beside && number !== undefined ? number - (beside.line + 1) : 0;
}

/**
 * Line (from 0) of a draft outside reply threads; `undefined` if another document shows it. A place that the document
 * lacks maps to the line above.
 */
export function lineOfDraft(place: DraftPlace, document: ShownDocument): number | undefined {
	if (place.messageId !== document.messageId) {
		return undefined;
	}
	if (place.kind !== 'lines') {
		// The raw text shows the very line of a message.
		const letter = place.kind === 'text' && document.place.view.kind === 'raw' ? letterLines(document.patch) : [];
		const own = letter.find(
			({ part, number }) => place.kind === 'text' && part === place.part && number === place.line,
		);
		return own?.line ?? lineOfPlace(generalPlace(place, document.place.mailId), document);
	}
	const { file, side, line } = place;
	const { view } = document.place;
	if ((view.kind !== 'raw' && view.fileIndex !== file) || !showsSide(document, side)) {
		return undefined;
	}
	const lines = numberedLines(document);
	const shown = lines.find((each) => each.file === file && numberOn(each, side) === line);
	if (shown) {
		return shown.line;
	}
	const { diff, diffText } = document.patch;
	const diffFile = diff.files[file];
	const row = diffFile && rowsOf(diffText, diffFile).find(({ old }) => side === 'old' && old === line);
	if (row) {
		return lineBeside(row.at, document);
	}
	if (isWhole(document)) {
		return Math.max(0, line - 1 - shiftAt((each) => isAbove(each, place), lines, side));
	}
	return lineOfPlace({ kind: 'file', mailId: document.place.mailId, file }, document);
}

function isAbove(each: NumberedLine, { side, line }: DraftLines): boolean {
	return (numberOn(each, side) ?? Infinity) < line;
}

function generalPlace(place: Exclude<DraftPlace, DraftLines>, mailId: number): CommentPlace {
	switch (place.kind) {
		case 'file':
			return { kind: 'file', mailId, file: place.file };
		case 'text':
			return place.part === 'text' ? { kind: 'general', mailId } : { kind: place.part, mailId, line: place.line };
		case 'mail':
			return { kind: 'general', mailId };
	}
}

/** True for a draft on a thread's reply or at its exact place, which belongs in that thread. */
export function isInThread({ place }: DraftComment, { place: of, comments }: ReviewThread, document: ShownDocument) {
	if (place.messageId !== document.messageId) {
		return comments.some((comment) => {
			const answer = answerPlace(comment);
			return (
				comment.mail.messageId === place.messageId &&
				place.messageId === answer.messageId &&
				place.kind === answer.kind &&
				(place.kind !== 'text' || answer.kind !== 'text' || place.line === answer.line)
			);
		});
	}
	switch (place.kind) {
		case 'lines':
			return of.kind === 'line' && of.file === place.file && of.side === place.side && of.line === place.line;
		case 'file':
			return of.kind === 'file' && of.file === place.file;
		case 'text':
			// Replies to a message share one thread at the top; drafts stay on their lines.
			return false;
		case 'mail':
			return of.kind === 'general';
	}
}

function numberOn({ old, fresh }: NumberedLine, side: Side): number | undefined {
	return side === 'old' ? old : fresh;
}

function isWhole({ place: { view } }: ShownDocument): boolean {
	return isWholeView(view);
}

/**
 * A reply belongs below the thread's last comment, text below a draft on the draft's place, and everything else on the
 * thread's lines.
 */
export function targetPlace(
	thread: LineThread | undefined,
	range: LineRange | undefined,
	shown: ShownDocument,
): DraftPlace | undefined {
	const last = thread?.replies?.comments.at(-1);
	if (last) {
		return answerPlace(last);
	}
	const [draft] = thread?.drafts ?? [];
	if (draft) {
		return draft.place;
	}
	if (range) {
		const place = draftPlaceAt(range, shown);
		const { messageId } = shown;
		if (place || messageId === undefined || shown.place.view.kind !== 'raw') {
			return place;
		}
		// In raw text, a comment on the message or its notes is on the last line of the range.
		const letter = letterLines(shown.patch).findLast(({ line }) => line >= range.start && line <= range.end);
		return letter && { kind: 'text', messageId, part: letter.part, line: letter.number };
	}
	return shown.place.view.kind === 'raw' ? undefined : filePlace(shown);
}

/** Of the raw text, the patch as a whole. */
export function filePlace({ messageId, place: { view } }: ShownDocument): DraftPlace | undefined {
	if (messageId === undefined) {
		return undefined;
	}
	return view.kind === 'raw' ? { kind: 'mail', messageId } : { kind: 'file', messageId, file: view.fileIndex };
}

/** Threads that hold nothing but drafts, one for each place. */
export function draftThreads(
	written: readonly DraftComment[],
	shown: ShownDocument,
	questions: LineThread['questions'],
): readonly LineThread[] {
	const threads = new Map<string, LineThread>();
	for (const draft of written) {
		const line = lineOfDraft(draft.place, shown);
		const key = `draft ${JSON.stringify(draft.place)}`;
		if (line !== undefined) {
			const known = threads.get(key)?.drafts ?? [];
			threads.set(key, { key, line, replies: undefined, drafts: [...known, draft], questions });
		}
	}
	return [...threads.values()];
}

/** A line above the diff in the raw text of a patch. */
interface LetterLine {
	/** In the document, from 0. */
	readonly line: number;
	readonly part: 'message' | 'commentary';
	/** In its part, from 1, as comments count them. */
	readonly number: number;
}

/** Lines of the commit message and its notes in a patch's raw text. */
function letterLines(patch: PatchMail): readonly LetterLine[] {
	const { diff, diffText, message, commentary } = patch;
	const head = diff.files.length === 0 ? diffText : diffText.slice(0, diff.start);
	const parts = messageParts(diffText);
	// An attached patch has its letter in another, hidden part.
	const hasMessage = message !== '' && parts.message === message;
	const messageEnd = linesOf(head.slice(0, parts.messageEnd)).findLastIndex((line) => line.trim() !== '');
	const messageLines = message.split('\n');
	const notesStart = linesOf(head.slice(0, parts.restStart)).length;
	const notes = linesOf(head.slice(parts.restStart));
	const notesFrom = notes.findIndex((line) => line !== '');
	const noteLines = commentary.split('\n');
	const hasNotes =
		commentary !== '' &&
		notes
			.slice(notesFrom, notesFrom + noteLines.length)
			.join('\n')
			.trimEnd() === commentary;
	return [
		...(hasMessage ? numbered('message', messageLines, messageEnd + 1 - messageLines.length) : []),
		...(hasNotes
			? numbered('commentary', noteLines, notesStart + notesFrom).filter(
					({ number }) => !isAsideInNotes(noteLines[number - 1] ?? ''),
				)
			: []),
	];
}

function numbered(part: LetterLine['part'], lines: readonly string[], first: number): readonly LetterLine[] {
	return lines.map((_, at) => ({ line: first + at, part, number: at + 1 }));
}

/** Drops the empty rest after the last line feed. */
function linesOf(text: string): readonly string[] {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A line of a document that shows one of a patch, with its number on each side that has it. */
interface NumberedLine {
	readonly old: HunkRow['old'];
	readonly fresh: HunkRow['fresh'];
	/** In the document, from 0. */
	readonly line: number;
	/** Place of its file in the diff. */
	readonly file: number;
}

/** The lines of a patch that a document shows, in their order. */
function numberedLines({ place: { view }, lines, patch }: ShownDocument): readonly NumberedLine[] {
	const { diff, diffText } = patch;
	if (view.kind === 'raw') {
		let [line, at] = [0, 0];
		return diff.files.flatMap((each, file) =>
			rowsOf(diffText, each).map((row): NumberedLine => {
				for (let end = diffText.indexOf('\n', at); end !== -1 && end < row.at; end = diffText.indexOf('\n', at)) {
					line += 1;
					at = end + 1;
				}
				return { line, file, old: row.old, fresh: row.fresh };
			}),
		);
	}
	const { fileIndex } = view;
	const file = diff.files[fileIndex];
	const rows = new Map((file ? rowsOf(diffText, file) : []).map((row) => [row.at, row]));
	return lines.flatMap(({ line, start }) => {
		const row = rows.get(start);
		return row ? [{ line, file: fileIndex, old: row.old, fresh: row.fresh }] : [];
	});
}

function rowsOf(diffText: string, { content }: FileDiff): readonly HunkRow[] {
	return content.kind === 'text' ? content.hunks.flatMap((hunk) => [...hunkRows(diffText, hunk)]) : [];
}

/** A document of a patch. */
export interface ShownDocument extends DocumentLines {
	readonly patch: PatchMail;
	/** Of the mail, with angle brackets. */
	readonly messageId: string | undefined;
	/** True if diffs show their old side in every width. Without, comments on removed lines are on the new side. */
	readonly isSideBySide: boolean;
}

/** Fixed content of a document; `undefined` for foreign documents. */
export async function readShown(
	connections: Connections,
	files: PatchFiles,
	uri: vscode.Uri,
	signal: AbortSignal,
): Promise<ShownDocument | undefined> {
	const place = placeOfPatchUri(uri);
	const connection = connections.byKey(place?.connectionKey ?? '');
	if (!place || !connection) {
		return undefined;
	}
	const [shown, { patch }] = await Promise.all([
		files.lines(uri, signal),
		connection.texts.readPatch(place.mailId, signal),
	]);
	const diffs = vscode.workspace.getConfiguration('diffEditor', uri);
	const isSideBySide = diffs.get('renderSideBySide') === true && diffs.get('useInlineViewWhenSpaceIsLimited') === false;
	const messageId = connection.lists.knownMail(place.mailId)?.messageId;
	return shown && patch && { ...shown, patch, messageId, isSideBySide };
}

/** Patchset of a document's mail, if known. */
export function patchsetOf({ lists }: Connection, { list, patchsetId, mailId }: PatchPlace): PatchsetRef | undefined {
	const id = patchsetId ?? lists.knownMail(mailId)?.patchsetId;
	return id === undefined ? undefined : lists.nowOf({ list, id });
}

/** A thread with its line (from 0) in a document. */
export interface PlacedThread {
	readonly thread: ReviewThread;
	readonly line: number;
	/** Label for a thread of an earlier version, which starts collapsed. */
	readonly label?: string;
}

/** Threads of a document: those on visible lines, and at the top those about the file or the whole patch. */
export function threadsOnDocument(threads: readonly ReviewThread[], document: ShownDocument): readonly PlacedThread[] {
	return threads.flatMap((thread) => {
		const line = lineOfPlace(thread.place, document);
		return line === undefined ? [] : [{ thread, line }];
	});
}

/** Line (from 0) of a place; `undefined` outside this document. */
export function lineOfPlace(place: CommentPlace, document: ShownDocument): number | undefined {
	if (place.kind === 'elsewhere' || place.kind === 'cover' || place.mailId !== document.place.mailId) {
		return undefined;
	}
	const {
		place: { view },
		patch,
	} = document;
	switch (place.kind) {
		case 'line': {
			if (view.kind === 'raw') {
				return lineAt(patch.diffText, place.end) - 1;
			}
			// Lines that the patch leaves alone are in the documents of both sides, and count on the new one.
			return view.fileIndex === place.file && showsSide(document, place.side)
				? (shownLineOf(document.lines, place.end)?.line ?? lineBeside(place.start, document))
				: undefined;
		}
		case 'file':
			return view.kind !== 'raw' && view.fileIndex === place.file && isMain(view, patch) ? 0 : undefined;
		case 'message':
		case 'commentary':
		case 'general':
			return view.kind === 'raw' || (view.fileIndex === 0 && isMain(view, patch)) ? 0 : undefined;
	}
}

/** Position in the series for a line of a document. */
export function placeOfLine(line: number, { place: { mailId, view }, lines }: ShownDocument): ReadingPlace {
	if (view.kind === 'raw') {
		return { place: { kind: 'general', mailId }, isAbove: true };
	}
	const { fileIndex: file } = view;
	const above = lines.findLast((each) => each.line <= line);
	if (!above) {
		const place = file === 0 ? ({ kind: 'general', mailId } as const) : ({ kind: 'file', mailId, file } as const);
		return { place, isAbove: true };
	}
	const side = above.kind === 'removed' ? 'old' : 'new';
	const { hunk, start, end } = above;
	// Only the offsets matter.
	return { place: { kind: 'line', mailId, file, hunk, side, line: 0, firstLine: 0, start, end }, isAbove: false };
}

/** The diff side of a document. */
export function sideOfDocument({ place: { view }, patch }: ShownDocument): 'old' | 'new' | 'both' {
	return view.kind === 'raw' ? 'both' : sideOf(view, patch.diff.files[view.fileIndex]);
}

/** Comments on a whole file belong to the new side, for a deleted file to the old one. */
function isMain(view: FileView, { diff }: PatchMail): boolean {
	const side = sideOf(view, diff.files[view.fileIndex]);
	return side === 'both' || side === (diff.files[view.fileIndex]?.newPath === undefined ? 'old' : 'new');
}

/** The editor hides the old side of a narrow diff with its comments, and never says so. */
function showsSide({ place: { view }, patch, isSideBySide }: ShownDocument, side: Side): boolean {
	if (view.kind === 'raw' || !isSideBySide) {
		return view.kind === 'raw' || isMain(view, patch);
	}
	const own = sideOf(view, patch.diff.files[view.fileIndex]);
	return own === 'both' || own === side;
}

/** For a removed line, the added one that a diff shows beside it, else the line below; `at` is an offset in the diff. */
function lineBeside(at: number, { lines, patch: { diffText } }: ShownDocument): number {
	const below = lines.findIndex(({ start }) => start > at);
	const isAdded = (index: number): boolean => lines[index]?.kind === 'added';
	let beside = below;
	let start = diffText.lastIndexOf('\n', at - 1);
	// So many removed lines are above it.
	while (diffText[diffText.lastIndexOf('\n', start - 1) + 1] === '-' && isAdded(beside) && isAdded(beside + 1)) {
		beside += 1;
		start = diffText.lastIndexOf('\n', start - 1);
	}
	return (lines[beside] ?? lines.at(-1))?.line ?? 0;
}

type FileView = Exclude<PatchView, { readonly kind: 'raw' }>;

function sideOf({ kind }: FileView, file: FileDiff | undefined): 'old' | 'new' | 'both' {
	switch (kind) {
		case 'before':
		case 'wholeBefore':
		case 'pictureBefore':
			return 'old';
		case 'after':
		case 'wholeAfter':
		case 'pictureAfter':
			return 'new';
		case 'only':
			return file?.newPath === undefined ? 'old' : 'new';
		case 'asItCame':
			return 'both';
	}
}
