import { hunkRows, type HunkRow } from '../../../review/hunkRows.ts';
import type { FileDiff } from '../../../patch/fileDiff.ts';
import type { ShownDocument } from './shownDocument.ts';

/** A line of a document that shows one of a patch, with its number on each side that has it. */
export interface NumberedLine extends Pick<HunkRow, 'old' | 'fresh'> {
	/** In the document, from 0. */
	readonly line: number;
	/** Place of its file in the diff. */
	readonly file: number;
}

/** The lines of a patch that a document shows, in their order. */
export function numberedLines({ place: { view }, lines, patch }: ShownDocument): readonly NumberedLine[] {
	const { diff, diffText } = patch;
	if (view.kind === 'raw') {
		return rawLines(diffText, diff.files);
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

/** Raw text shows each line at its own position. */
function rawLines(diffText: string, files: readonly FileDiff[]): readonly NumberedLine[] {
	let [line, at] = [0, 0];
	return files.flatMap((each, file) =>
		rowsOf(diffText, each).map((row): NumberedLine => {
			for (let end = diffText.indexOf('\n', at); end !== -1 && end < row.at; end = diffText.indexOf('\n', at)) {
				line += 1;
				at = end + 1;
			}
			return { line, file, old: row.old, fresh: row.fresh };
		}),
	);
}
