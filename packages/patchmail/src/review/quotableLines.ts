import type { Hunk } from '../patch/fileDiff.ts';
import type { PatchMail, SeriesMail, SeriesPatch } from '../series/seriesReading.ts';
import { hunkRows } from './hunkRows.ts';
import { lineKey } from './lineKey.ts';
import type { DraftPlace } from './reviewDraft.ts';
import { coverSections, patchSections, type LineOrigin } from './sourceLines.ts';

/** A mail line that a reply may quote. */
export interface QuotableLine {
	readonly text: string;
	readonly origin: LineOrigin;
	/** First line of its contiguous section: a message, a file header, or a hunk. */
	readonly sectionStart: number;
	/** Line numbers of a hunk line, on each side that has it. */
	readonly old: number | undefined;
	readonly fresh: number | undefined;
}

/** Commented lines, inclusive. */
export interface QuotableRange {
	readonly first: number;
	readonly last: number;
}

/** Lines of a patch or another mail, in order. */
export function quotableLines(mail: SeriesMail, patch: SeriesPatch | undefined): readonly QuotableLine[] {
	const sections = patch === undefined ? coverSections(mail) : patchSections(patch);
	const lines: QuotableLine[] = [];
	for (const section of sections) {
		const sectionStart = lines.length;
		const hunk = patch && hunkOf(patch.patch, section.lines[0]?.origin);
		// The hunk header comes first.
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

/** Lines of a comment in its mail; `undefined` for the whole mail or missing lines. */
export function rangeOf(place: DraftPlace, lines: readonly QuotableLine[]): QuotableRange | undefined {
	switch (place.kind) {
		case 'mail':
			return undefined;
		case 'lines': {
			const numbered = (line: QuotableLine): number | undefined => (place.side === 'old' ? line.old : line.fresh);
			const last = lines.findIndex(
				(line) => line.origin.kind === 'line' && line.origin.file === place.file && numbered(line) === place.line,
			);
			const start = lines[last]?.sectionStart;
			if (start === undefined) {
				return undefined;
			}
			return {
				first: lines.findIndex((line, at) => at > start && (at === last || (numbered(line) ?? 0) >= place.firstLine)),
				last,
			};
		}
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

/**
 * The line where readers find a comment: matching needs text, so a blank line falls back to the one above. -1 without
 * any.
 */
export function foundAt(lines: readonly QuotableLine[], { last }: QuotableRange): number {
	const start = lines[last]!.sectionStart;
	return lines.findLastIndex((line, at) => at <= last && at >= start && lineKey(line.text) !== '');
}
