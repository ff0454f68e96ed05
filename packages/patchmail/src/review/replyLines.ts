import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { withoutArmor } from '../series/armor.ts';
import {
	isAboveQuotation,
	isMailHead,
	isOfHead,
	isOriginalBelow,
	isPatchHead,
	isShortHead,
} from '../series/originalMail.ts';
import { signedLines } from '../series/ownLines.ts';
import { attributionLines, isBoilerplate, isElision, isSureAttribution, mostAttributionLines } from './attribution.ts';
import { footerStart } from './footer.ts';
import { lineKey } from './lineKey.ts';
import type { SourceIndex } from './sourceIndex.ts';

/** No real thread is deeper. */
const deepest = 40;

/** Maximum blanks before a mark. */
const mostIndent = 3;

/** Quote marks of unusual mail programs, besides `>`. */
const rareMarks = ['|', ':', '}', '#', '%'] as const;

const usualMarks: ReadonlySet<RareMark> = new Set();

export type ReplyLine =
	/** `behind`: the text after the first mark, the second, and so on; empty without a mark. */
	| { readonly kind: 'quoted'; readonly text: string; readonly depth: number; readonly behind: readonly string[] }
	/** Unmarked text in an original below the reply: quoted, or written in between. */
	| { readonly kind: 'unmarked'; readonly text: string }
	| { readonly kind: 'own'; readonly text: string }
	| { readonly kind: 'blank' }
	| { readonly kind: 'elision'; readonly text: string }
	/** An attribution, a signature, or program output. */
	| { readonly kind: 'aside'; readonly text: string };

const linesPerStep = 200;

/** Names for attributions, in lower case. */
export type Names = readonly string[];

/** Classifies the lines of a reply. Linear in the text. */
export function* replyLines(text: string, index: SourceIndex, names: Names): Steps<readonly ReplyLine[]> {
	const written = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
	const bare = withoutArmor(written);
	const texts = bare.map((line, at) => line ?? written[at]!);
	const rare = yield* rareMarksIn(texts, index);
	const lines: ReplyLine[] = [];
	const isReport = isBuildReport(texts);
	const ends = endLines(texts, isReport);
	let isOriginal = false;
	let headEnd = -1;
	for (const [at, line] of texts.entries()) {
		if (at % linesPerStep === 0) {
			yield;
		}
		const isMarked = bare[at] !== undefined && !isStuffed(texts, at) && !(isReport && reportMark.test(line));
		const quotation = isMarked ? marked(line, rare) : undefined;
		if (quotation !== undefined) {
			headEnd = -1;
			lines.push({ kind: 'quoted', text: line, ...quotation });
		} else if (line.trim() === '') {
			headEnd = -1;
			lines.push({ kind: 'blank' });
		} else if (isOriginalStart(texts, at)) {
			isOriginal ||= !isAboveQuotation(texts, at);
			headEnd = at + headLines;
			lines.push({ kind: 'aside', text: line });
		} else {
			headEnd = isOfHead(line) ? headEnd : -1;
			const isAside = bare[at] === undefined || at < headEnd || ends.has(at);
			lines.push(plainLine(isStuffed(texts, at) ? line.slice(1) : line, isAside, isOriginal));
		}
	}
	yield;
	return withAttributions(yield* withBrokenLines(lines, index), names, index);
}

/** A path or URL in a header of a diff rarely needs more. */
const mostBroken = 4;

/** Joins quoted lines that a mail program broke, with their rests, which have no mark. */
function* withBrokenLines(lines: readonly ReplyLine[], index: SourceIndex): Steps<readonly ReplyLine[]> {
	const joined = [...lines];
	for (const [at, line] of lines.entries()) {
		if (at % linesPerStep === 0) {
			yield;
		}
		if (line.kind !== 'quoted' || lines[at + 1]?.kind !== 'own') {
			continue;
		}
		const next = lines.slice(at + 1, at + 1 + mostBroken);
		const end = next.findIndex(({ kind }) => kind !== 'own');
		const below = next.slice(0, end === -1 ? mostBroken : end).map((rest) => (rest.kind === 'own' ? rest.text : ''));
		const count = [...new Set([line.behind[0]!, line.behind.at(-1)!])]
			.map((text) => brokenLines(text, below, index))
			.find((found) => found > 0);
		// Without a known line: the program leaves the blank at the end of a long line.
		const [only = ''] = below;
		const isLong =
			lines[at + 2]?.kind === 'quoted' &&
			line.text.endsWith(' ') &&
			line.text.trimEnd().length + 1 + (/^\S+/.exec(only)?.[0].length ?? 0) >= shortestBroken;
		const rest = below.slice(0, count ?? (isLong ? 1 : 0));
		if (rest.length > 0) {
			joined[at] = { ...line, behind: line.behind.map((text) => [text, ...rest].join(' ')) };
			rest.forEach((_, below) => (joined[at + 1 + below] = { kind: 'blank' }));
		}
	}
	return joined;
}

/** Number of lines below that complete a source line; 0 for none. Nobody writes just the rest of a line as a comment. */
function brokenLines(text: string, below: readonly string[], index: SourceIndex): number {
	let key = lineKey(text);
	return (
		below.findIndex((rest) => {
			key += lineKey(rest);
			return index.exact(key).length > 0;
		}) + 1
	);
}

function isOriginalStart(texts: readonly string[], at: number): boolean {
	return isOriginalBelow(texts, at) || (isMailHead(texts, at) && !isPatchHead(texts, at));
}

/** Marks of build robots for new diagnostics and for their line in the excerpt. */
const reportMark = /^>>|^ *> ?\d+(?:\t| \||$)/;
const diagnostic = /^>> ?[^>].*\b(?:warning|error|undefined reference)\b/i;

/** True if the marked lines are those of a build robot: it says so, or all are. */
function isBuildReport(texts: readonly string[]): boolean {
	const found = texts.filter((line) => /^ {0,3}>/.test(line)).map((line) => line.slice(0, 1000));
	return (
		texts.some((line) => !line.startsWith('>') && line.slice(0, 200).includes('prefixed by >>')) ||
		(found.some((line) => diagnostic.test(line)) &&
			found.every((line) => diagnostic.test(line) || reportMark.test(line)))
	);
}

/** Mbox files escape lines that start with `From `. */
function isStuffed(texts: readonly string[], at: number): boolean {
	const isMarked = (line: string | undefined): boolean => line?.startsWith('>') === true;
	return texts[at]?.startsWith('>From ') === true && !isMarked(texts[at - 1]) && !isMarked(texts[at + 1]);
}

/** Maximum header lines below the sender's. */
const headLines = 8;

/** The lines of signatures and of a footer. */
function endLines(texts: readonly string[], isReport: boolean): ReadonlySet<number> {
	const start = footerStart(texts);
	const footer = start === -1 ? texts.length : start;
	// Build robots separate files by `--`.
	const found = new Set(signedLines(texts, isReport ? /^--[ \u00A0]$/ : /^--[ \u00A0]?$/, footer));
	for (let at = footer; at < texts.length; at++) {
		found.add(at);
	}
	return found;
}

function plainLine(text: string, isAside: boolean, isOriginal: boolean): ReplyLine {
	if (isAside || isBoilerplate(text)) {
		return { kind: 'aside', text };
	}
	return { kind: isElision(text) ? 'elision' : isOriginal ? 'unmarked' : 'own', text };
}

/**
 * Accepts a rare mark if half of its lines quote a known line. Beside `>` at the start of lines, all of them must: people
 * set off their own output and tables by such marks.
 */
function* rareMarksIn(texts: readonly string[], index: SourceIndex): Steps<ReadonlySet<RareMark>> {
	const most = texts.some((line) => line.startsWith('>')) ? 1 : 2;
	const counts = new Map<RareMark, { lines: number; hits: number }>();
	for (const [at, text] of texts.entries()) {
		if (at % linesPerStep === 0) {
			yield;
		}
		const found = text === '' ? undefined : rareMarkOf(text);
		if (found !== undefined) {
			const count = counts.get(found.mark) ?? { lines: 0, hits: 0 };
			const key = lineKey(found.behind);
			counts.set(found.mark, count);
			count.lines += key === '' ? 0 : 1;
			count.hits += key.length > 5 && index.exact(key).length > 0 ? 1 : 0;
		}
	}
	return new Set([...counts].flatMap(([mark, { lines, hits }]) => (hits > 0 && hits * most >= lines ? [mark] : [])));
}

const longestHeading = 300;

/** Shorter lines were not broken by a mail program. */
const shortestBroken = 70;

/** The attribution lines at the top, maybe above a greeting or another note. */
function topAttribution(lines: readonly ReplyLine[], names: Names): readonly string[] {
	const paragraph: string[] = [];
	for (const line of lines.slice(0, mostAttributionLines)) {
		if (line.kind !== 'own') {
			break;
		}
		paragraph.push(line.text);
		if (attributionLines(paragraph, names) === paragraph.length) {
			return paragraph;
		}
	}
	return [];
}

/** A sender with a date, or the path of a file of the series, alone above a quotation. */
function isHeading(paragraph: readonly string[], index: SourceIndex): boolean {
	const [line = '', ...more] = paragraph;
	const [, path] =
		(line.length > longestHeading ? null : /^\W{0,3}(?:in |file )?(?:[ab]\/)?(\S+?):?$/i.exec(line)) ?? [];
	const isPath =
		path !== undefined &&
		more.length === 0 &&
		['--- a/', '+++ b/'].some((side) => index.exact(lineKey(side + path)).length > 0);
	return isPath || isShortHead(paragraph);
}

/** Finds attribution lines above quotations, at the top, and those without a quotation. */
function withAttributions(lines: readonly ReplyLine[], names: Names, index: SourceIndex): readonly ReplyLine[] {
	const found = [...lines];
	const first = lines.findIndex(({ kind }) => kind !== 'blank');
	const top = lines.some(({ kind }) => kind === 'quoted') ? topAttribution(lines.slice(first), names) : [];
	for (const [at, text] of top.entries()) {
		found[first + at] = { kind: 'aside', text };
	}
	for (const at of Array.from({ length: lines.length + 1 }, (_, place) => place)) {
		const [before, line] = [lines[at - 1]?.kind, lines[at]?.kind];
		const isQuotation = line === 'quoted' && before !== undefined && before !== 'quoted';
		const end = isQuotation ? lastWritten(lines, at) : at;
		const paragraph = isQuotation || (before === 'own' && line !== 'own') ? paragraphTo(lines, end) : [];
		const isWhole = isQuotation ? isHeading(paragraph, index) : isAlone(paragraph, lines, end);
		const count = isWhole ? paragraph.length : isQuotation ? attributionLines(paragraph, names) : 0;
		for (let back = count; back > 0; back--) {
			found[end - back] = { kind: 'aside', text: paragraph.at(-back)! };
		}
	}
	return found;
}

/** True for an attribution or an author between other lines than the writer's. */
function isAlone(paragraph: readonly string[], lines: readonly ReplyLine[], end: number): boolean {
	const above = end - paragraph.length - 1;
	// The author at the top of a mail, as git writes it.
	const isAuthor =
		paragraph.length <= 1 &&
		/^From: [^<>]{1,100} <[^<>\s]{1,100}>$/.test(paragraph[0] ?? '') &&
		lines.slice(0, end - 1).every(({ kind }) => kind === 'blank');
	return lines[above]?.kind !== 'own' && (isSureAttribution(paragraph) || isAuthor);
}

/** Maximum lines between an attribution and its quotation. */
const farthestAbove = 4;

/** End of the text above `at`, across blank lines and omissions. */
function lastWritten(lines: readonly ReplyLine[], at: number): number {
	let end = at;
	while (end > at - farthestAbove && (lines[end - 1]?.kind === 'blank' || lines[end - 1]?.kind === 'elision')) {
		end -= 1;
	}
	return end;
}

function paragraphTo(lines: readonly ReplyLine[], end: number): readonly string[] {
	const paragraph: string[] = [];
	for (let at = end - 1; at >= 0 && paragraph.length < mostAttributionLines; at--) {
		const line = lines[at];
		if (line?.kind !== 'own' && line?.kind !== 'unmarked') {
			break;
		}
		paragraph.unshift(line.text);
	}
	return paragraph;
}

type RareMark = (typeof rareMarks)[number] | 'initials';

interface MarkedLine {
	readonly depth: number;
	/** The text after the first mark, the second, and so on. */
	readonly behind: readonly string[];
}

/** Strips the marks of a line; `undefined` without any. `rare`: accepted marks besides `>`. */
function marked(line: string, rare: ReadonlySet<RareMark>): MarkedLine | undefined {
	const behind: string[] = [];
	for (let at = markEnd(line, 0, rare); at !== -1 && behind.length < deepest; at = markEnd(line, at, rare)) {
		behind.push(line.slice(at));
	}
	return behind.length === 0 ? undefined : { depth: behind.length, behind };
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0xa0]);

/** Offset after the mark at `from`, skipping blanks; -1 without a mark. */
function markEnd(line: string, from: number, rare: ReadonlySet<RareMark>): number {
	let at = from;
	while (at < from + mostIndent && blanks.has(line.charCodeAt(at))) {
		at += 1;
	}
	if (line[at] === '>' || line[at] === '\u00BB') {
		return at + 1;
	}
	if (line.startsWith('&gt;', at)) {
		return at + 4;
	}
	if (rareMarks.some((mark) => mark === line[at] && rare.has(mark))) {
		return at + 1;
	}
	const initials = rare.has('initials') ? initialsAt(line, at) : undefined;
	return initials === undefined ? -1 : at + initials.length;
}

/** For example `ML>`. */
function initialsAt(line: string, at: number): string | undefined {
	return /^[A-Za-z]{1,5}>/.exec(line.slice(at, at + 6))?.[0];
}

/** The possible rare mark of a line, after its usual ones. */
function rareMarkOf(line: string): { readonly mark: RareMark; readonly behind: string } | undefined {
	const usual = marked(line, usualMarks);
	const rest = (usual?.behind.at(-1) ?? line).slice(0, 2000).trimStart();
	const mark = rareMarks.find((each) => rest.startsWith(each));
	if (mark !== undefined) {
		return { mark, behind: rest.slice(1) };
	}
	const initials = initialsAt(rest, 0);
	return initials === undefined ? undefined : { mark: 'initials', behind: rest.slice(initials.length) };
}
