import { parseDiff } from '../patch/parseDiff.ts';
import { messageParts } from '../series/messageParts.ts';
import { typedDiffLines } from './typedDiff.ts';

/** Where prose is wrapped. */
const width = 72;
/** Code, quotations and trailers are left as they are, and so are diffs. */
const asWritten =
	/^(?:[ \t>|]|(?:[a-z-]{1,40}-by|cc|closes|fixes|implements|link|references|base-commit|prerequisite-patch-id): )/i;
/** The last lines of a commit's message may be trailers of any name. */
const trailer = /^[a-z0-9][a-z0-9-]{0,40}: /i;
const bullet = /^(?:[-*] +|\d{1,3}[.)] +)/;
/** Words that mean something else where a line begins with them: a quotation, a list, the end of a commit message, a diff. */
const neverFirst = /^(?:>|\u00BB|&gt;|---?$|diff$|Index:$|[+*-]$|\d{1,3}[.)]$)/;
/** Who wrote what is quoted below: one line, by which programs know it. */
const attribution = / wrote:$/;
/** Git takes this for the beginning of a signature, and only with its blank. */
const signature = '-- ';

/** A comment as lines of a mail: prose wrapped, everything else as it is, no blank lines at the ends. */
export function proseLines(text: string): readonly string[] {
	return safeLines(wrappedLines(text));
}

/** The same of a whole mail, whose writer says what is quoted in it and where a signature begins. */
export function wrappedLines(text: string): readonly string[] {
	const typed = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const diff = typedDiffLines(typed);
	const lines = typed.map((line, at) => (diff.has(at) || keepsEnd(typed, at) ? line : line.trimEnd()));
	const start = lines.findIndex((line) => line !== '');
	const end = lines.findLastIndex((line) => line !== '') + 1;
	return lines.flatMap((line, at) => (at < start || at >= end ? [] : diff.has(at) ? [line] : wrapped(line)));
}

/** The text of a mail that a person wrote, letter by letter but for blank lines at its ends; its last line ends, too. */
export function ownBody(text: string): string {
	const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const isText = (line: string): boolean => line.trim() !== '';
	return `${lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1).join('\n')}\n`;
}

/** A body with its long lines of prose wrapped and everything else letter by letter; the very same where there are none. */
export function bodyWrapped(body: string): string {
	const { files, start, end } = parseDiff(body);
	return files.length > 0
		? `${letterWrapped(body, start)}${body.slice(start, end)}${proseWrapped(body.slice(end))}`
		: proseWrapped(body);
}

/** What stands above a diff. Git reads the head of it and the trailers line by line. */
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
	return lines
		.flatMap((line, at) => (diff.has(at) || attribution.test(line) || isKept(line, at) ? [line] : ownWrapped(line)))
		.join('\n');
}

function ownWrapped(line: string): readonly string[] {
	const made = wrapped(line.trimEnd());
	return made.length === 1 ? [line] : made;
}

/** Blanks at the end of a line of code may be meant, those of prose never are. */
function keepsEnd(lines: readonly string[], at: number): boolean {
	const line = lines[at] ?? '';
	const isIndented = (place: number): boolean => /^[ \t]/.test(lines[place] ?? '');
	return line === signature || (isIndented(at) && (line.trim() !== '' || (isIndented(at - 1) && isIndented(at + 1))));
}

function wrapped(line: string): readonly string[] {
	if (line.length <= width || asWritten.test(line)) {
		return [line];
	}
	const indent = ' '.repeat(bullet.exec(line)?.[0].length ?? 0);
	const lines: string[] = [];
	let current = '';
	for (const word of wordsThatBegin(line.slice(indent.length))) {
		if (current !== '' && current.length + 1 + word.length > width - indent.length) {
			lines.push(current);
			current = '';
		}
		current += current === '' ? word : ` ${word}`;
	}
	lines.push(current);
	return lines.map((each, at) => `${at === 0 ? line.slice(0, indent.length) : indent}${each}`);
}

/** Words that a line may begin with, each with those behind it that none may. */
function wordsThatBegin(text: string): readonly string[] {
	const words: string[] = [];
	for (const word of text.split(/ +/)) {
		const before = words.at(-1);
		if (before !== undefined && neverFirst.test(word)) {
			words[words.length - 1] = `${before} ${word}`;
		} else {
			words.push(word);
		}
	}
	return words;
}

/** Programs take what begins so for a quotation of the mail that is answered; with more blanks before it they do not. */
const mark = /^[ \t\u00A0]{0,3}(?:>|\u00BB|&gt;)/;

/**
 * Lines that programs would take for something else are indented: a quotation, a mark that begins a signature, and a diff,
 * for which forges take the whole reply for a patch.
 */
function safeLines(lines: readonly string[]): readonly string[] {
	const { files, start, end } = parseDiff(lines.join('\n'));
	let at = 0;
	return lines.map((line) => {
		const isDiff = files.length > 0 && at >= start && at < end;
		at += line.length + 1;
		return mark.test(line) ? `    ${line.trimStart()}` : isDiff || line.trimEnd() === '--' ? ` ${line}` : line;
	});
}
