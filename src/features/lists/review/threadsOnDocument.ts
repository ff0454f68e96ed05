import type { FileDiff } from '../../../patch/fileDiff.ts';
import { lineAt } from '../../../patchDocuments/fileWords.ts';
import type { PatchView } from '../../../patchDocuments/patchUri.ts';
import { shownLineOf } from '../../../patchDocuments/shownLines.ts';
import type { CommentPlace, LinePlace } from '../../../review/reviewComment.ts';
import type { ReadingPlace, ReviewThread } from '../../../review/reviewThreads.ts';
import type { PatchMail } from '../../../series/seriesReading.ts';
import type { ShownDocument } from './shownDocument.ts';

/** A thread, and the line from 0 of a document that it stands on. */
export interface PlacedThread {
	readonly thread: ReviewThread;
	readonly line: number;
}

/**
 * The threads that stand in a document: those on lines that it shows, and above its first line what is said of the file
 * or the patch as a whole.
 */
export function threadsOnDocument(threads: readonly ReviewThread[], document: ShownDocument): readonly PlacedThread[] {
	return threads.flatMap((thread) => {
		const line = lineOfPlace(thread.place, document);
		return line === undefined ? [] : [{ thread, line }];
	});
}

/** The line from 0 that a place has in a document; `undefined` where it stands in another, or in none. */
export function lineOfPlace(place: CommentPlace, document: ShownDocument): number | undefined {
	if (place.kind === 'elsewhere' || place.kind === 'cover' || place.mailId !== document.place.mailId) {
		return undefined;
	}
	const {
		place: { view },
		patch,
	} = document;
	switch (place.kind) {
		case 'line':
			return lineOfLine(place, document);
		case 'file':
			return view.kind !== 'raw' && view.fileIndex === place.file && isMain(view, patch) ? 0 : undefined;
		case 'message':
		case 'commentary':
		case 'general':
			return view.kind === 'raw' || (view.fileIndex === 0 && isMain(view, patch)) ? 0 : undefined;
	}
}

function lineOfLine({ side, end }: LinePlace, { place: { view }, lines, patch }: ShownDocument): number | undefined {
	if (view.kind === 'raw') {
		return lineAt(patch.diffText, end) - 1;
	}
	const own = sideOf(view, patch.diff.files[view.fileIndex]);
	// Lines that the patch leaves alone are in the documents of both sides, and count on the new one.
	return own === 'both' || own === side ? shownLineOf(lines, end)?.line : undefined;
}

/** Where in the series somebody reads whose cursor stands on a line of a document. */
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
	// Only the offsets say where it is read.
	return { place: { kind: 'line', mailId, file, hunk, side, line: 0, firstLine: 0, start, end }, isAbove: false };
}

/** Which side of a diff a document shows. */
export function sideOfDocument({ place: { view }, patch }: ShownDocument): 'old' | 'new' | 'both' {
	return view.kind === 'raw' ? 'both' : sideOf(view, patch.diff.files[view.fileIndex]);
}

/** What is said of a file as a whole stands in the document of what the patch makes of it, of a deleted file in what it was. */
function isMain(view: FileView, { diff }: PatchMail): boolean {
	const side = sideOf(view, diff.files[view.fileIndex]);
	return side === 'both' || side === (diff.files[view.fileIndex]?.newPath === undefined ? 'old' : 'new');
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
