import type { FileDiff } from '../../../engine/patch/fileDiff.ts';
import { lineAt } from '../../../editor/patchDocuments/fileWords.ts';
import type { PatchView } from '../../../editor/patchDocuments/patchUri.ts';
import { shownLineOf } from '../../../editor/patchDocuments/shownLines.ts';
import type { CommentPlace, LinePlace } from '../../../engine/review/reviewComment.ts';
import type { ReadingPlace, ReviewThread } from '../../../engine/review/reviewThreads.ts';
import type { PatchMail } from '../../../engine/series/seriesReading.ts';
import type { ShownDocument } from './shownDocument.ts';

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
