import type { Hunk } from '../patch/fileDiff.ts';
import type { PatchMail, SeriesMail, SeriesPatch } from '../series/seriesReading.ts';
import { hunkRows } from './hunkRows.ts';
import { lineKey } from './lineKey.ts';
import type { DraftLines, DraftPlace } from './reviewDraft.ts';
import { coverSections, patchSections, type LineOrigin } from './sourceLines.ts';

/** A line of a mail that a reply may quote. */
export interface QuotableLine {
	readonly text: string;
	readonly origin: LineOrigin;
	/** Where the lines begin that follow each other without a gap: a letter, the head of a file, a hunk. */
	readonly sectionStart: number;
	/** Of a line of a hunk, its number on each side that has it. */
	readonly old: number | undefined;
	readonly fresh: number | undefined;
}

/** Which lines a comment is on; both ends count. */
export interface QuotableRange {
	readonly first: number;
	readonly last: number;
}

/** The lines of a patch, or of another mail, in their order. */
export function quotableLines(mail: SeriesMail, patch: SeriesPatch | undefined): readonly QuotableLine[] {
	const sections = patch === undefined ? coverSections(mail) : patchSections(patch);
	const lines: QuotableLine[] = [];
	for (const section of sections) {
		const sectionStart = lines.length;
		const hunk = patch && hunkOf(patch.patch, section.lines[0]?.origin);
		// The header of a hunk comes first.
		const rows = patch && hunk ? [undefined, ...hunkRows(patch.patch.diffText, hunk)] : [];
		for (const [at, { text, origin }] of section.lines.entries()) {
			lines.push({ text, origin, sectionStart, old: rows[at]?.old, fresh: rows[at]?.fresh });
		}
	}
	return lines;
}

function hunkOf({ diff }: PatchMail, origin: LineOrigin | undefined): Hunk | undefined {
	const content = origin?.kind === 'line' ? diff.files[origin.file]?.content : undefined;
	return content?.kind === 'text' && origin?.kind === 'line' ? content.hunks[origin.hunk] : undefined;
}

/** Where a comment stands among the lines of its mail; `undefined` for one on the whole, and for what is not there. */
export function rangeOf(place: DraftPlace, lines: readonly QuotableLine[]): QuotableRange | undefined {
	switch (place.kind) {
		case 'mail':
			return undefined;
		case 'lines':
			return linesRange(place, lines);
		case 'file':
			return single(lines.findIndex(({ origin }) => origin.kind === 'file' && origin.file === place.file));
		case 'text': {
			const part = place.part === 'text' ? 'cover' : place.part;
			return single(lines.findIndex(({ origin }) => origin.kind === part && origin.line === place.line));
		}
	}
}

function single(at: number): QuotableRange | undefined {
	return at === -1 ? undefined : { first: at, last: at };
}

/** A range that begins above the hunk that it ends in begins with that hunk. */
function linesRange(place: DraftLines, lines: readonly QuotableLine[]): QuotableRange | undefined {
	const numbered = (line: QuotableLine): number | undefined => (place.side === 'old' ? line.old : line.fresh);
	const isIn = ({ origin }: QuotableLine): boolean => origin.kind === 'line' && origin.file === place.file;
	const last = lines.findIndex((line) => isIn(line) && numbered(line) === place.line);
	const start = lines[last]?.sectionStart;
	if (start === undefined) {
		return undefined;
	}
	const first = lines.findIndex((line, at) => at > start && at <= last && (numbered(line) ?? 0) >= place.firstLine);
	return { first: first === -1 ? last : first, last };
}

/**
 * The line that readers find a comment on: what is quoted of a line is what is written in it, so one without anything in it
 * is found by the line above. -1 where there is none.
 */
export function foundAt(lines: readonly QuotableLine[], { last }: QuotableRange): number {
	const start = lines[last]?.sectionStart ?? 0;
	return lines.findLastIndex((line, at) => at <= last && at >= start && lineKey(line.text) !== '');
}
