import { charsetOf, decodeBytes, type Charset } from './charsets.ts';
import { hexByte } from './transferEncodings.ts';

const encodedWord = /=\?([^?\s]+)\?([QqBb])\?([^?]*)\?=/g;
/** Placeholder for a run of encoded words: a key absent from the text, and the run's index. */
const sign = /\|~\?(\d{1,9})w(\d{1,9})~\|/g;
const keyOfSign = /\|~\?(\d{1,9})w/g;
const onlyBlanks = /^[ \t\r\n]*$/;
/** Separators between people. A word never crosses one (RFC 2047, 5). A word may contain a whole comment. */
const partingSign = /["<>()]/;
const wholeComment = /\([^()]*\)/g;
/** Looking for a charset that nobody knows takes longer than decoding many words. */
const mostCharsets = 20;
const [equals, underscore, blank] = [0x3d, 0x5f, 0x20];

/** Encoded words that follow each other with nothing but blanks between. */
interface WordRun {
	readonly start: number;
	end: number;
	readonly words: EncodedWord[];
}

interface EncodedWord {
	readonly charset: string;
	readonly bytes: Uint8Array;
}

/**
 * A header with its encoded words decoded (RFC 2047). Line breaks in them become blanks. Of many charsets the first 20
 * count.
 */
export function decodeWords(value: string): string {
	return value.includes('=?') ? replaceRuns(value, wordRuns(value), runReader()) : value;
}

/** Words that hide behind signs no address parser looks into, so that their text cannot become an address. */
export interface HiddenWords {
	readonly value: string;
	readonly reveal: (text: string) => string;
}

/**
 * Puts a sign in the place of each run of encoded words in a list of addresses; with its question mark it can be no part
 * of another one.
 */
export function hideWords(value: string): HiddenWords {
	if (!value.includes('=?')) {
		return { value, reveal: (text) => text };
	}
	// The first number that begins no sign in the text; it is short, however many the text holds.
	const taken = new Set(Array.from(value.matchAll(keyOfSign), ([, number]) => Number(number)));
	let key = 0;
	while (taken.has(key)) {
		key += 1;
	}
	const texts: string[] = [];
	const textOf = runReader();
	const runs = wordRuns(value, (written) => !partingSign.test(written.replaceAll(wholeComment, '')));
	const hidden = replaceRuns(value, runs, (run) => `|~?${key}w${texts.push(textOf(run)) - 1}~|`);
	return {
		value: hidden,
		reveal: (text) =>
			text.replaceAll(sign, (whole, found: string, index: string) =>
				Number(found) === key ? (texts[Number(index)] ?? whole) : whole,
			),
	};
}

function replaceRuns(value: string, runs: readonly WordRun[], replacement: (run: WordRun) => string): string {
	const parts: string[] = [];
	let end = 0;
	for (const run of runs) {
		parts.push(value.slice(end, run.start), replacement(run));
		end = run.end;
	}
	parts.push(value.slice(end));
	return parts.join('');
}

/** `isWord` checks the content of a word. */
function wordRuns(value: string, isWord: (written: string) => boolean = () => true): readonly WordRun[] {
	const runs: WordRun[] = [];
	for (const found of value.matchAll(encodedWord)) {
		const [whole, label = '', encoding = '', text = ''] = found;
		if (!isWord(text)) {
			continue;
		}
		const [charset = ''] = label.toLowerCase().split('*', 1);
		const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : fromQ(text);
		const last = runs.at(-1);
		if (last && onlyBlanks.test(value.slice(last.end, found.index))) {
			last.words.push({ charset, bytes });
			last.end = found.index + whole.length;
		} else {
			runs.push({ start: found.index, end: found.index + whole.length, words: [{ charset, bytes }] });
		}
	}
	return runs;
}

/** Reads the runs of one header. */
function runReader(): (run: WordRun) => string {
	const known = new Map<string, Charset>();
	const lookUp = (label: string): Charset => {
		const charset = known.get(label) ?? charsetOf(known.size < mostCharsets ? label : undefined);
		if (known.size < mostCharsets) {
			known.set(label, charset);
		}
		return charset;
	};
	return ({ words }) => textOf(words, lookUp);
}

/** Characters may be split between words of one charset, so their bytes are put together first. */
function textOf(words: readonly EncodedWord[], charsetNamed: (label: string) => Charset): string {
	const texts: string[] = [];
	let pending: Uint8Array[] = [];
	words.forEach(({ charset, bytes }, at) => {
		pending.push(bytes);
		if (words[at + 1]?.charset !== charset) {
			texts.push(decodeBytes(pending.length === 1 ? bytes : Buffer.concat(pending), charsetNamed(charset)));
			pending = [];
		}
	});
	return texts.join('').replaceAll(/[\r\n]+/g, ' ');
}

/** Decoded text is never longer than its source, so it fits in place. */
function fromQ(text: string): Uint8Array {
	const bytes = Buffer.from(text);
	let length = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at]!;
		const value = byte === equals ? hexByte(bytes, at + 1) : -1;
		bytes[length] = value === -1 ? (byte === underscore ? blank : byte) : value;
		at += value === -1 ? 0 : 2;
		length += 1;
	}
	return bytes.subarray(0, length);
}
