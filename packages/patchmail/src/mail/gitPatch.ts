import { withoutLastBlanks } from './blanks.ts';
import { decodeWords } from './encodedWords.ts';
import { declaredTo, type DeclaredToGit } from './declaredToGit.ts';
import { base64ToGit, committedText, convertToGit, headerToGit, quotedToGit, type GitRefusal } from './gitWords.ts';
import { inTurn, withLastLineEnd } from './mailContent.ts';
import { headerValue } from './mailHead.ts';
import type { ReadableMail, ReadToGit } from './readableMail.ts';

/** A mail as `git mailinfo` reads it. */
export interface GitPatch {
	/** Input of `git apply`, one character per byte; empty if git finds no patch. */
	readonly bytes: string;
	/** Charset that git assumes for the patch; empty if undeclared. */
	readonly charset: string;
	/** The text before the patch in UTF-8, one character for each byte. */
	readonly letter: string;
	readonly read: ReadToGit;
	/** Why git may take nothing from the mail. */
	readonly refusal: GitRefusal | undefined;
	/** A non-empty line that ends a head. Git ends the headers there; other programs count it as a header. */
	readonly oddLine: string | undefined;
}

/** Git refuses deeper nesting. */
const mostBoundaries = 4;
const field = /^(?:>?From |[!-9;-~]*:)/;
/** Git's end of the commit message. */
const patchBreak = /^(?:diff -|Index: |--- [^ \t\r\n]|---[ \t\r]*\n)/;
/** The same in a text. To git a line begins behind a line feed alone, and not behind a lone carriage return. */
const patchBreakInText = /(?<![^\n])(?:diff -|Index: |--- [^ \t\r\n]|---[ \t\r]*\n)/;

/** A text that may begin with headers of the commit. Git skips empty lines above them, and no other blanks. */
export const headersInText = /^\n*(?:(?:from|subject|date):|\[PATCH\]|>From )/i;

/** State of the reader. */
interface Reading {
	readonly lines: LineReader;
	readonly boundaries: string[];
	declared: DeclaredToGit;
	/** The beginning of a line whose end has not come yet, in pieces. */
	begun: string[];
	/** Headers that git keeps, decoded. */
	readonly kept: Map<string, string>;
	/** Git does not convert the charset of headers in the text. `open`: the header may continue in the next line. */
	headers: 'possible' | 'open' | 'over';
	/** Their names. */
	readonly inText: Set<string>;
	readonly letter: string[];
	readonly patch: string[];
	/** Charset of the patch's first line. */
	charset: string | undefined;
	refusal: GitRefusal | undefined;
	oddLine: string | undefined;
}

/**
 * Reads a mail as `git am` reads it from a mailbox, line by line as git does, with everything that no standard says: the
 * last declaration counts, words are looked for anywhere in it, a head ends at the first line that is no field, and each
 * line is decoded for itself. `bytes` are those of the mail, one a character, without a line of the mailbox above it.
 * Takes time in proportion to the mail.
 */
export function gitPatch(bytes: string): GitPatch {
	// A mailbox line above the headers may have continuation lines with a leading blank.
	const mail = `From nobody\n${bytes.replaceAll('\r\n', '\n').replace(/^\n+/, '')}`;
	const reading: Reading = {
		lines: new LineReader(mail),
		boundaries: [],
		declared: { encoding: 'identity', charset: '', isFlowed: false, delSp: false },
		begun: [],
		kept: new Map(),
		headers: 'possible',
		inText: new Set(),
		letter: [],
		patch: [],
		charset: undefined,
		refusal: undefined,
		oddLine: undefined,
	};
	readMail(reading);
	const { charset = '', oddLine, refusal, kept } = reading;
	const [from, subject] = [kept.get('from'), kept.get('subject')].map((value) => value && committedText(value));
	const letter = reading.letter.join('');
	return {
		letter,
		bytes: refusal?.kind === 'structure' ? '' : reading.patch.join(''),
		charset,
		read: { from, subject: subject ?? '', letter: committedText(letter) },
		refusal,
		oddLine,
	};
}

/** True when git reads another message before the patch than the text shows. Blanks do not count: flowed lines are joined. */
export function isOtherLetter({ bytes, read }: GitPatch, text: string): boolean {
	return bytes !== '' && !isSameButBlanks(read.letter, text.slice(0, patchStart(text)));
}

/** Git's reading of head and message, where there is a patch and `mail` is read otherwise. */
export function otherReading(
	{ bytes, read }: GitPatch,
	mail: Pick<ReadableMail, 'headers' | 'subject'>,
	text: string,
): ReadToGit | undefined {
	if (bytes === '') {
		return undefined;
	}
	const letter = text.slice(0, patchStart(text));
	// A line with a CR alone ends the headers of the text, and above them it hides them.
	const hasHeaders = [read.letter, letter].some((each) => headersInText.test(each));
	const bare = (each: string): string => {
		const begun = each.replace(/^\n+/, '');
		return withoutLastBlanks(hasHeaders ? begun : begun.replaceAll('\r\n', '\n'));
	};
	const from = headerValue(mail.headers, 'from');
	const isSame =
		read.from === (from && decodeWords(from)) && read.subject === mail.subject && bare(read.letter) === bare(letter);
	return isSame ? undefined : read;
}

/** Whether two texts say the same but for blanks and line ends. */
export function isSameButBlanks(one: string, other: string): boolean {
	const squeezed = (text: string): string => text.replaceAll(/[ \t\n\r]+/g, '');
	return one === other || squeezed(one) === squeezed(other);
}

function patchStart(text: string): number {
	const found = patchBreakInText.exec(text);
	return found ? found.index : text.length;
}

/** The patch text of a mail as git sees it: that of `gitPatch`, else body and attachments. */
export function patchToGit({
	gitPatch: other,
	...content
}: Pick<ReadableMail, 'gitPatch' | keyof PatchPlaces>): string {
	return other ?? patchShown(content);
}

type PatchPlaces = Pick<ReadableMail, 'body' | 'attachments'>;

/** Body and attached patches, one after another, from the beginning of a patch on. */
export function patchShown(places: PatchPlaces): string {
	const text = textShown(places);
	return text.slice(patchStart(text));
}

/** The text above the patch of body and attached patches. */
export function letterShown(places: PatchPlaces): string {
	const text = textShown(places);
	return text.slice(0, patchStart(text));
}

/** The body and attached patches, one after another. */
export function textShown({ body, attachments }: PatchPlaces): string {
	const attached = attachments.flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
	return attached.length === 0 ? body : withLastLineEnd(body) + inTurn(attached);
}

/** The bytes of a mail, one a character: U+DC80 to U+DCFF are bytes that its server could not decode. */
export function bytesOfMail(text: string): string {
	return text
		.split(/([\u{dc80}-\u{dcff}]+)/u)
		.map((piece, at) =>
			at % 2 === 0
				? Buffer.from(piece, 'utf8').toString('latin1')
				: Array.from(piece, (byte) => String.fromCharCode(byte.charCodeAt(0) - 0xdc00)).join(''),
		)
		.join('');
}

/** Whether two texts say the same to a program that knows ASCII; a CR at the end of a line is nothing to git. */
export function isSameAscii(one: string, other: string): boolean {
	return one === other || asciiOf(one) === asciiOf(other);
}

function asciiOf(text: string): string {
	return text
		.replaceAll(/\P{ASCII}+/gu, '')
		.replaceAll('\r\n', '\n')
		.trimEnd();
}

function readMail(reading: Reading): void {
	const { lines, boundaries } = reading;
	const afterHead = readFields(reading, 'mail');
	let line = boundaries.length > 0 ? findBoundary(reading) : afterHead && `${afterHead.line}\n`;
	while (line !== undefined && reading.refusal?.kind !== 'structure') {
		if (isBoundary(reading, line)) {
			flush(reading);
			line = passBoundary(reading, line);
			if (line === undefined) {
				break;
			}
		}
		readLine(reading, line);
		line = lines.next();
	}
	flush(reading);
}

/** Reads a head. The line that ends it is not always an empty one; `undefined` at the end of the mail. */
function readFields(reading: Reading, of: 'mail' | 'part'): { readonly line: string } | undefined {
	const { lines } = reading;
	for (let next = lines.next(); next !== undefined; next = lines.next()) {
		const line = withoutLastBlanks(next);
		if (!field.test(line)) {
			reading.oddLine ??= line === '' ? undefined : line;
			return { line };
		}
		const parts = [line];
		while (lines.isAt(' ') || lines.isAt('\t')) {
			parts.push(withoutLastBlanks(` ${lines.next()!.slice(1)}`));
		}
		readField(reading, upToZero(parts.join('')), of);
	}
	return undefined;
}

/** The last header of a name counts, and headers of parts only where the mail lacks them. */
function readField(reading: Reading, text: string, of: 'mail' | 'part'): void {
	const [head, written = ''] =
		/^(from|subject|date|message-id|content-type|content-transfer-encoding):[ \t\r]*/i.exec(text) ?? [];
	const name = written.toLowerCase();
	const isContent = name.startsWith('content-');
	if (head === undefined || (!isContent && of === 'part' && reading.kept.has(name))) {
		return;
	}
	const { text: value, refusal } = headerToGit(text.slice(head.length));
	reading.refusal ??= refusal;
	if (!isContent) {
		reading.kept.set(name, value);
		return;
	}
	const { boundary, ...declared } = declaredTo(reading.declared, name, value);
	reading.declared = declared;
	if (boundary !== undefined) {
		reading.boundaries.push(`--${boundary}`);
		reading.refusal = reading.boundaries.length > mostBoundaries ? { kind: 'structure' } : reading.refusal;
	}
}

function isBoundary({ boundaries }: Reading, line: string): boolean {
	const last = boundaries.at(-1);
	return last !== undefined && line.startsWith(last);
}

function findBoundary(reading: Reading): string | undefined {
	for (let line = reading.lines.next(); line !== undefined; line = reading.lines.next()) {
		if (isBoundary(reading, line)) {
			return line;
		}
	}
	return undefined;
}

/** Goes to the first line of the next part; `undefined` when there is none. */
function passBoundary(reading: Reading, found: string): string | undefined {
	const isEnd = (text: string | undefined): boolean => text?.startsWith(`${reading.boundaries.at(-1)}--`) === true;
	let line: string | undefined = found;
	if (isEnd(line)) {
		// Git adds one line end, also where several parts end together.
		take(reading, '\n');
	}
	while (isEnd(line)) {
		reading.boundaries.pop();
		line = findBoundary(reading);
	}
	if (line === undefined) {
		return undefined;
	}
	reading.declared = { ...reading.declared, encoding: 'identity', charset: '' };
	// Git skips the line that ends the head, whatever its text.
	readFields(reading, 'part');
	const first = reading.lines.next();
	return first === undefined || first.endsWith('\n') ? first : `${first}\n`;
}

function readLine(reading: Reading, line: string): void {
	const { encoding } = reading.declared;
	if (encoding === 'identity') {
		takeFlowed(reading, line);
		return;
	}
	const written = upToZero(line);
	const decoded = encoding === 'base64' ? base64ToGit(written) : quotedToGit(written, false);
	if (!decoded.includes('\n')) {
		reading.begun.push(decoded);
		return;
	}
	const whole = reading.begun.join('') + decoded;
	reading.begun = [];
	for (const [each] of whole.matchAll(/[^\n]*\n|[^\n]+$/g)) {
		if (each.endsWith('\n')) {
			takeFlowed(reading, each);
		} else {
			reading.begun.push(each);
		}
	}
}

function takeFlowed(reading: Reading, line: string): void {
	const { isFlowed, delSp } = reading.declared;
	if (!isFlowed) {
		take(reading, line);
		return;
	}
	const bare = line.replace(/\r?\n$/, '');
	if (bare === '-- ') {
		flush(reading);
		take(reading, line);
		return;
	}
	const start = bare.startsWith(' ') ? 1 : 0;
	if (bare.length > start && bare.endsWith(' ')) {
		reading.begun.push(bare.slice(start, delSp ? -1 : undefined));
		return;
	}
	const begun = reading.begun.join('');
	reading.begun = [];
	take(reading, begun + line.slice(start));
}

function flush(reading: Reading): void {
	const begun = reading.begun.join('');
	reading.begun = [];
	if (begun !== '') {
		take(reading, begun);
	}
}

function take(reading: Reading, line: string): void {
	if (reading.charset !== undefined) {
		reading.patch.push(line);
		return;
	}
	const { charset } = reading.declared;
	reading.headers = headersAfter(reading, line);
	// A header ends with its line, also where a part ends without a line end.
	const converted = reading.headers === 'over' ? convertToGit(line, charset) : line.replace(/(?<!\n)$/, '\n');
	if (reading.headers === 'open' && line.includes('=?')) {
		reading.refusal ??= headerToGit(line).refusal;
	}
	if (converted === undefined) {
		reading.refusal ??= { kind: 'charset', charset };
	}
	if (patchBreak.test(converted ?? line)) {
		reading.charset = charset;
	}
	(reading.charset === undefined ? reading.letter : reading.patch).push(converted ?? line);
}

function headersAfter({ headers, inText }: Reading, line: string): Reading['headers'] {
	if (headers === 'over' || line === '\n') {
		return headers === 'open' ? 'over' : headers;
	}
	if (headers === 'open' && /^[ \t]/.test(line)) {
		return 'open';
	}
	if (/^\[PATCH\][ \t\r\n]/.test(line)) {
		inText.add('subject');
		return 'possible';
	}
	const name = /^(?:from|subject|date)(?=:)/i.exec(line)?.[0].toLowerCase();
	if (name === undefined || inText.has(name)) {
		return /^>From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n$/.test(line) ? 'possible' : 'over';
	}
	inText.add(name);
	return 'open';
}

/** Git's strings end at a zero byte. */
function upToZero(line: string): string {
	const end = line.indexOf('\0');
	return end === -1 ? line : line.slice(0, end);
}

/** Lines one after another, each with its end. */
class LineReader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	next(): string | undefined {
		if (this.#at >= this.#text.length) {
			return undefined;
		}
		const end = this.#text.indexOf('\n', this.#at);
		const line = this.#text.slice(this.#at, end === -1 ? undefined : end + 1);
		this.#at += line.length;
		return line;
	}

	isAt(sign: string): boolean {
		return this.#text.startsWith(sign, this.#at);
	}
}
