import { decodeWords } from './encodedWords.ts';
import { declaredTo, type DeclaredToGit } from './declaredToGit.ts';
import { inTurn, withLastLineEnd } from './mailContent.ts';
import type { ReadableMail } from './readableMail.ts';
import { hexByte } from './transferEncodings.ts';

/** What `git mailinfo` takes out of a mail for `git apply`. */
export interface GitPatch {
	/** One character for each byte; empty where git finds no patch. */
	readonly bytes: string;
	/** The charset that git takes the patch for; empty when none is declared. */
	readonly charset: string;
	/** What stands before the patch, of which the commit's message is made; empty without a patch. */
	readonly letter: string;
	/** A line that ends a head and is not empty: for git it is where headers stop, for others it is one of them. */
	readonly oddLine: string | undefined;
}

/** More parts inside of parts are refused by git. */
const mostBoundaries = 4;
const field = /^(?:>?From |[!-9;-~]*:)/;
/** A line that ends the message of a commit, as git looks for it. */
const patchBreak = /^(?:diff -|Index: |--- [^ \t\r\n]|---[ \t\r]*\n)/;
/** The same in a text. To git a line begins behind a line feed alone, and not behind a lone carriage return. */
const patchBreakInText = /(?<![^\n])(?:diff -|Index: |--- [^ \t\r\n]|---[ \t\r]*\n)/;

/** What was read so far. */
interface Reading {
	readonly lines: LineReader;
	readonly boundaries: string[];
	declared: DeclaredToGit;
	/** The beginning of a line whose end has not come yet, in pieces. */
	begun: string[];
	readonly letter: string[];
	readonly patch: string[];
	/** The charset of the line that the patch begins with. */
	charset: string | undefined;
	isRefused: boolean;
	oddLine: string | undefined;
}

/**
 * Reads a mail as `git am` reads it from a mailbox, line by line as git does, with everything that no standard says: the
 * last declaration counts, words are looked for anywhere in it, a head ends at the first line that is no field, and each
 * line is decoded for itself. `bytes` are those of the mail, one a character, without a line of the mailbox above it.
 * Takes time in proportion to the mail.
 */
export function gitPatch(bytes: string): GitPatch {
	// A mailbox has a line of its own above, which goes on in lines that begin with a blank.
	const mail = `From nobody\n${bytes.replaceAll('\r\n', '\n').replace(/^\n+/, '')}`;
	const reading: Reading = {
		lines: new LineReader(mail),
		boundaries: [],
		declared: { encoding: 'identity', charset: '', isFlowed: false, delSp: false },
		begun: [],
		letter: [],
		patch: [],
		charset: undefined,
		isRefused: false,
		oddLine: undefined,
	};
	readMail(reading);
	const { charset, oddLine } = reading;
	return charset === undefined || reading.isRefused
		? { bytes: '', charset: '', letter: '', oddLine }
		: { bytes: reading.patch.join(''), charset, letter: reading.letter.join(''), oddLine };
}

/** From the line on that git takes for the beginning of a patch. */
function patchIn(text: string): string {
	return text.slice(patchStart(text));
}

/** True when git reads another message before the patch than the body shows. Blanks do not count: flowed lines are joined. */
export function isOtherLetter({ bytes, letter }: GitPatch, body: string): boolean {
	const squeezed = (text: string): string => text.replaceAll(/\s+/g, '');
	return bytes !== '' && !isSameAscii(squeezed(letter), squeezed(body.slice(0, patchStart(body))));
}

function patchStart(text: string): number {
	const found = patchBreakInText.exec(text);
	return found ? found.index : text.length;
}

/** The text that git takes for the patch of a mail that was read: that of `gitPatch`, else of the body and what is attached. */
export function patchToGit({
	gitPatch: other,
	...content
}: Pick<ReadableMail, 'gitPatch' | keyof PatchPlaces>): string {
	return other ?? patchShown(content);
}

type PatchPlaces = Pick<ReadableMail, 'body' | 'attachments'>;

/** What stands in the body and in attached patches, one after another, from the beginning of a patch on. */
export function patchShown({ body, attachments }: PatchPlaces): string {
	const attached = attachments.flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
	return patchIn(attached.length === 0 ? body : withLastLineEnd(body) + inTurn(attached));
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
	const afterHead = readFields(reading);
	let line = boundaries.length > 0 ? findBoundary(reading) : afterHead && `${afterHead.line}\n`;
	while (line !== undefined && !reading.isRefused) {
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
function readFields(reading: Reading): { readonly line: string } | undefined {
	const { lines } = reading;
	for (let next = lines.next(); next !== undefined; next = lines.next()) {
		const line = withoutLastBlanks(next);
		if (!field.test(line)) {
			reading.oddLine ??= line === '' ? undefined : line;
			return { line };
		}
		const parts = [line];
		while (lines.isAt(' ') || lines.isAt('\t')) {
			parts.push(withoutLastBlanks(` ${(lines.next() ?? '').slice(1)}`));
		}
		readField(reading, upToZero(parts.join('')));
	}
	return undefined;
}

function readField(reading: Reading, text: string): void {
	const [head, name = ''] = /^(content-type|content-transfer-encoding):[ \t]*/i.exec(text) ?? [];
	if (head !== undefined) {
		const value = decodeWords(text.slice(head.length));
		const { boundary, ...declared } = declaredTo(reading.declared, name, value);
		reading.declared = declared;
		if (boundary !== undefined) {
			reading.boundaries.push(`--${boundary}`);
			reading.isRefused ||= reading.boundaries.length > mostBoundaries;
		}
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
	let line: string | undefined = found;
	while (line?.startsWith(`${reading.boundaries.at(-1)}--`) === true) {
		reading.boundaries.pop();
		take(reading, '\n');
		line = findBoundary(reading);
	}
	if (line === undefined) {
		return undefined;
	}
	reading.declared = { ...reading.declared, encoding: 'identity', charset: '' };
	// The line that ends the head is passed over, whatever it says.
	readFields(reading);
	const first = reading.lines.next();
	return first === undefined || first.endsWith('\n') ? first : `${first}\n`;
}

function readLine(reading: Reading, line: string): void {
	const { encoding } = reading.declared;
	if (encoding === 'identity') {
		takeFlowed(reading, line);
		return;
	}
	const decoded = encoding === 'base64' ? fromBase64Line(line) : fromQuotedLine(line);
	if (!decoded.includes('\n')) {
		reading.begun.push(decoded);
		return;
	}
	const whole = reading.begun.join('') + decoded;
	reading.begun = [];
	for (const each of whole.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
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
	if (reading.begun.length > 0) {
		const begun = reading.begun.join('');
		reading.begun = [];
		take(reading, begun);
	}
}

function take(reading: Reading, line: string): void {
	if (reading.charset === undefined && patchBreak.test(line)) {
		reading.charset = reading.declared.charset;
	}
	(reading.charset === undefined ? reading.letter : reading.patch).push(line);
}

/** What is left of four signs at the end of a line is lost. */
function fromBase64Line(line: string): string {
	const signs = upToZero(line).replaceAll(/[^A-Za-z0-9+/]/g, '');
	return Buffer.from(signs, 'base64').toString('latin1');
}

function fromQuotedLine(line: string): string {
	return upToZero(line).replaceAll(/=(?:\n|$|[0-9A-Fa-f]{2})/g, (sign) => {
		const byte = hexByte(Buffer.from(sign, 'latin1'), 1);
		return byte === -1 ? '' : String.fromCharCode(byte);
	});
}

/** Git's texts end where a byte is zero. */
function upToZero(line: string): string {
	const end = line.indexOf('\0');
	return end === -1 ? line : line.slice(0, end);
}

function withoutLastBlanks(line: string): string {
	let end = line.length;
	while (end > 0 && ' \t\r\n'.includes(line.charAt(end - 1))) {
		end -= 1;
	}
	return line.slice(0, end);
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
