import type { CommentPlace, LinePlace, ReviewComment } from './reviewComment.ts';
import type { FileDiff, Hunk } from '../patch/fileDiff.ts';
import { lineAt, lineEnd, nextLine } from '../patch/textLines.ts';
import type { SeriesMail, SeriesPatch } from '../series/seriesReading.ts';
import { hunkRows } from './hunkRows.ts';

/** Origin of a quotable line. */
export type LineOrigin =
	| LinePlace
	| Extract<CommentPlace, { kind: 'file' | 'message' | 'commentary' | 'cover' }>
	/** Text of a comment. */
	| { readonly kind: 'comment'; readonly mailId: number; readonly comment: ReviewComment }
	/** Lines without comments of their own: statistics, signatures, attributions. */
	| { readonly kind: 'aside'; readonly mailId: number };

export interface SourceLine {
	readonly text: string;
	readonly origin: LineOrigin;
}

/** Contiguous lines: a message, a file header, a hunk, a comment. */
export interface SourceSection {
	/** Equal for all sections of a file; otherwise unique. */
	readonly part: number;
	readonly lines: readonly SourceLine[];
}

const isStat = /^ \S.{0,300} \| +(?:\d|Bin)|^ \d+ files? changed|^ (?:create|delete|rename|copy|mode change) /;

export function coverSections({ id, reading }: SeriesMail): readonly SourceSection[] {
	return reading.kind === 'raw' ? [] : [proseSection('cover', id, reading.mail.text)];
}

/** A patch mail: its message, commentary, diff, and the rest. */
export function* patchSections({ mail, patch }: SeriesPatch): Generator<SourceSection, undefined> {
	const { diff, diffText, message, commentary } = patch;
	const aside = { kind: 'aside', mailId: mail.id } as const;
	yield proseSection('message', mail.id, message);
	yield { part: 0, lines: [{ text: '---', origin: aside }] };
	yield proseSection('commentary', mail.id, commentary);
	for (const [file, each] of diff.files.entries()) {
		yield* fileSections(diffText, each, { mailId: mail.id, file });
	}
	if (diff.files.length > 0) {
		const rest = linesBetween(diffText, diff.end, diffText.length);
		yield { part: -1, lines: rest.map((text) => ({ text, origin: aside })) };
	}
	return undefined;
}

/** The diffstat in the commentary gets no comments. */
export function isAsideInNotes(line: string): boolean {
	return isStat.test(line.slice(0, 400));
}

function proseSection(kind: 'message' | 'commentary' | 'cover', mailId: number, prose: string): SourceSection {
	const lines = prose.split('\n').map((text, at): SourceLine => {
		const isAside = kind === 'commentary' && isAsideInNotes(text);
		return { text, origin: isAside ? { kind: 'aside', mailId } : { kind, mailId, line: at + 1 } };
	});
	return { part: kind === 'commentary' ? -2 : -3, lines };
}

interface FileOfMail {
	readonly mailId: number;
	readonly file: number;
}

function* fileSections(text: string, diff: FileDiff, of: FileOfMail): Generator<SourceSection, undefined> {
	const part = of.file + 1;
	const hunks = diff.content.kind === 'text' ? diff.content.hunks : [];
	const headEnd = hunks[0] === undefined ? diff.end : lineBefore(text, hunks[0].start);
	const head = linesBetween(text, diff.start, headEnd);
	yield { part, lines: head.map((line) => ({ text: line, origin: { kind: 'file', ...of } })) };
	for (const [at, hunk] of hunks.entries()) {
		yield { part, lines: hunkSection(text, hunk, { ...of, hunk: at }) };
	}
	return undefined;
}

/** The hunk header maps to the hunk's first line. */
function hunkSection(text: string, hunk: Hunk, of: FileOfMail & { readonly hunk: number }): readonly SourceLine[] {
	const lines: SourceLine[] = [];
	for (const row of hunkRows(text, hunk)) {
		const side = row.fresh === undefined ? 'old' : 'new';
		const line = row.fresh ?? row.old!;
		const { at } = row;
		const origin = { kind: 'line', ...of, side, line, firstLine: line, start: at, end: lineEnd(text, at) } as const;
		lines.push({ text: row.text, origin });
	}
	const [first] = lines;
	const header = first && { text: lineAt(text, lineBefore(text, hunk.start)), origin: first.origin };
	return header === undefined ? [] : [header, ...lines];
}

/** Start of the line that ends before `at`. */
function lineBefore(text: string, at: number): number {
	return text.lastIndexOf('\n', at - 2) + 1;
}

function linesBetween(text: string, from: number, to: number): readonly string[] {
	const lines: string[] = [];
	for (let at = from; at < to; at = nextLine(text, at)) {
		lines.push(lineAt(text, at));
	}
	return lines;
}
