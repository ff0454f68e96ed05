import { parseDiff } from '../patch/parseDiff.ts';
import { messageParts } from '../series/messageParts.ts';

/** Possible diff lines; they may also be indented code or a list. */
const maybeDiff =
	/^(?:[ \t+-]|@@ |diff --git |(?:old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|index|Binary files|\\ No newline) )/;

/** Certain diff lines. List items are `-` with one space, code is indented deeper, and `+` starts no list. */
const surelyDiff = /^(?:\+|-(?![ -])|- {2,}\S|@@ |diff --git )/;

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Wrap column. */
const width = 72;
/** Leave code, quotations, trailers and diffs unchanged. */
const asWritten =
	/^(?:[ \t>|]|(?:[a-z-]{1,40}-by|cc|closes|fixes|implements|link|references|base-commit|prerequisite-patch-id): )/i;
/** The last lines of a commit message may be trailers of any name. */
const trailer = /^[a-z0-9][a-z0-9-]{0,40}: /i;
const bullet = /^(?:[-*] +|\d{1,3}[.)] +)/;
/** Words with a special meaning at the start of a line: quotation, list item, end of a commit message, diff. */
const neverFirst = /^(?:>|\u00BB|&gt;|---?$|diff$|Index:$|[+*-]$|\d{1,3}[.)]$)/;
/** The attribution line above a quotation; mail programs detect it if it stays one line. */
const attribution = / wrote:$/;
/** Signature delimiter of git; the trailing space matters. */
const signature = '-- ';

/** A comment as mail lines: wraps prose, leaves other lines unchanged, trims blank lines at both ends. */
export function proseLines(text: string): readonly string[] {
	const lines = wrappedLines(text);
	const { files, start, end } = parseDiff(lines.join('\n'));
	// Programs would misread such lines: quotations, signature delimiters, and diffs, which forges treat as a patch.
	let at = 0;
	return lines.map((line) => {
		const isDiff = files.length > 0 && at >= start && at < end;
		at += line.length + 1;
		return mark.test(line) ? `    ${line.trimStart()}` : isDiff || line.trimEnd() === '--' ? ` ${line}` : line;
	});
}

/** The same for a whole mail with the writer's own quotations and signature. */
export function wrappedLines(text: string): readonly string[] {
	const typed = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const diff = typedDiffLines(typed);
	const isIndented = (at: number): boolean => /^[ \t]/.test(typed[at] ?? '');
	const lines = typed.map((line, at) => {
		// Trailing blanks may be intended in code, never in prose.
		const isCode = isIndented(at) && (line.trim() !== '' || (isIndented(at - 1) && isIndented(at + 1)));
		return diff.has(at) || line === signature || isCode ? line : line.trimEnd();
	});
	const start = lines.findIndex((line) => line !== '');
	const end = lines.findLastIndex((line) => line !== '') + 1;
	return lines.flatMap((line, at) => (at < start || at >= end ? [] : diff.has(at) ? [line] : wrapped(line)));
}

/** The user's mail text, unchanged except for blank lines at both ends; ends with a line feed. */
export function ownBody(text: string): string {
	const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const isText = (line: string): boolean => line.trim() !== '';
	return `${lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1).join('\n')}\n`;
}

/** Wraps long prose lines of a body and leaves the rest unchanged; the same string if there is nothing to wrap. */
export function bodyWrapped(body: string): string {
	const { files, start, end } = parseDiff(body);
	return files.length > 0
		? `${letterWrapped(body, start)}${body.slice(start, end)}${proseWrapped(body.slice(end))}`
		: proseWrapped(body);
}

/** The part above a diff. Git reads its in-body headers and trailers by line, so they must not wrap. */
function letterWrapped(body: string, end: number): string {
	const { messageStart, messageEnd } = messageParts(body);
	const lastParagraph = messageStart + body.slice(messageStart, messageEnd).trimEnd().lastIndexOf('\n\n') + 1;
	const lineAt = (offset: number): number => body.slice(0, offset).split('\n').length - 1;
	const [messageLine, trailersLine, endLine] = [lineAt(messageStart), lineAt(lastParagraph), lineAt(messageEnd)];
	return proseWrapped(
		body.slice(0, end),
		(line, at) => at < messageLine || (at >= trailersLine && at < endLine && trailer.test(line)),
	);
}

function proseWrapped(text: string, isKept: (line: string, at: number) => boolean = () => false): string {
	const lines = text.split('\n');
	const diff = typedDiffLines(lines);
	const shown = lines.flatMap((line, at) => {
		const made = diff.has(at) || attribution.test(line) || isKept(line, at) ? [] : wrapped(line.trimEnd());
		return made.length > 1 ? made : [line];
	});
	return shown.join('\n');
}

function wrapped(line: string): readonly string[] {
	if (line.length <= width || asWritten.test(line)) {
		return [line];
	}
	const indent = ' '.repeat(bullet.exec(line)?.[0].length ?? 0);
	// A word that must not start a line stays with the previous one.
	const words: string[] = [];
	for (const word of line.slice(indent.length).split(/ +/)) {
		const before = words.at(-1);
		if (before !== undefined && neverFirst.test(word)) {
			words[words.length - 1] = `${before} ${word}`;
		} else {
			words.push(word);
		}
	}
	const lines: string[] = [];
	let current = '';
	for (const word of words) {
		if (current !== '' && current.length + 1 + word.length > width - indent.length) {
			lines.push(current);
			current = '';
		}
		current += current === '' ? word : ` ${word}`;
	}
	lines.push(current);
	return lines.map((each, at) => `${at === 0 ? line.slice(0, indent.length) : indent}${each}`);
}

/** Mail programs treat such lines as quotations, unless more blanks precede. */
const mark = /^[ \t\u00A0]{0,3}(?:>|\u00BB|&gt;)/;

/**
 * The diff lines of a typed text: lines counted by a hunk header, and runs of possible lines with at least one certain
 * line.
 */
function typedDiffLines(lines: readonly string[]): ReadonlySet<number> {
	const found = new Set(countedLines(lines));
	let run: number[] = [];
	for (let at = 0; at <= lines.length; at += 1) {
		const line = lines[at];
		if (line !== undefined && maybeDiff.test(line)) {
			run.push(at);
			continue;
		}
		if (run.some((each) => surelyDiff.test(lines[each]!))) {
			const isText = (at: number): boolean => lines[at]?.trim() !== '';
			run.slice(run.findIndex(isText), run.findLastIndex(isText) + 1).forEach((each) => found.add(each));
		}
		run = [];
	}
	return found;
}

/** Hunk headers with their counted lines. A blank line may have lost its single space. */
function* countedLines(lines: readonly string[]): Generator<number> {
	let [before, after] = [0, 0];
	for (const [at, line] of lines.entries()) {
		const header = hunkHeader.exec(line);
		const sign = line === '' ? ' ' : line.charAt(0);
		if (header) {
			[before, after] = [Number(header[1] ?? 1), Number(header[2] ?? 1)];
		} else if ((before > 0 || after > 0) && ' +-\\'.includes(sign)) {
			before -= ' -'.includes(sign) ? 1 : 0;
			after -= ' +'.includes(sign) ? 1 : 0;
		} else {
			[before, after] = [0, 0];
			continue;
		}
		yield at;
	}
}
