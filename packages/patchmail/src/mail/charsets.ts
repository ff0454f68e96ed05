import iconv from 'iconv-lite';
import { withWindows1252 } from './windows1252.ts';

/** Labels that mails carry and that platforms do not know, without marks between letters and digits. */
const otherLabels: ReadonlyMap<string, string> = new Map([
	['932', 'shift_jis'],
	['936', 'gbk'],
	['949', 'euc-kr'],
	['950', 'big5'],
	['874', 'windows-874'],
	['shiftjis', 'shift_jis'],
	['windows31j', 'shift_jis'],
	['eucjp', 'euc-jp'],
	['51932', 'euc-jp'],
	['iso2022jp', 'iso-2022-jp'],
	['iso2022jp1', 'iso-2022-jp'],
	['iso2022jp2', 'iso-2022-jp'],
	['50220', 'iso-2022-jp'],
	['50221', 'iso-2022-jp'],
	['50222', 'iso-2022-jp'],
	['euckr', 'euc-kr'],
	['uhc', 'euc-kr'],
	['tis620', 'windows-874'],
	['iso88598i', 'iso-8859-8-i'],
	['iso88598e', 'iso-8859-8'],
]);

const longestLabel = 60;
// A byte order mark stays: git does not take it off.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const asciiLabels = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968']);

/** How bytes are to be read. */
export type Charset =
	| { readonly kind: 'utf8' }
	| { readonly kind: 'windows1252' }
	/** Nothing is known: UTF-8 where it can be, else the charset of the west. */
	| { readonly kind: 'guess' }
	/** `unit`: bytes below 0x80 are ASCII, or ASCII until an escape, or every character has two bytes. */
	| { readonly kind: 'other'; readonly decoder: CharsetDecoder; readonly unit: 'ascii' | 'escaped' | 'wide' };

interface CharsetDecoder {
	readonly encoding: string;
	readonly decode: (bytes: Uint8Array) => string;
}

/** Meaning of a label; unknown labels mean nothing. */
export function charsetOf(label: string | undefined): Charset {
	const written = (label ?? '').trim().toLowerCase();
	if (written === 'utf-8' || written === 'utf8') {
		return { kind: 'utf8' };
	}
	if (written === '' || written.length > longestLabel || asciiLabels.has(written)) {
		return { kind: 'guess' };
	}
	const decoder = decoderFor(written) ?? decoderFor(plainLabel(written));
	if (!decoder) {
		return { kind: 'guess' };
	}
	switch (decoder.encoding) {
		case 'utf-8':
			return { kind: 'utf8' };
		case 'windows-1252':
			return { kind: 'windows1252' };
		default: {
			const isWideUnit = decoder.encoding.startsWith('utf-16');
			const isEscaped = decoder.encoding.startsWith('iso-2022');
			return { kind: 'other', decoder, unit: isWideUnit ? 'wide' : isEscaped ? 'escaped' : 'ascii' };
		}
	}
}

/** Whether two labels mean the same. */
export function isSameCharset(one: string | undefined, other: string | undefined): boolean {
	const [first, second] = [charsetOf(one), charsetOf(other)];
	return first.kind === 'other' && second.kind === 'other'
		? first.decoder.encoding === second.decoder.encoding
		: first.kind === second.kind;
}

/** Charset of text without a transfer encoding. Two-byte charsets are impossible there, even if declared. */
export function charsetOfLines(charset: Charset): Charset {
	return isWide(charset) ? { kind: 'guess' } : charset;
}

/** Whether characters are two bytes wide. */
export function isWide(charset: Charset): boolean {
	return charset.kind === 'other' && charset.unit === 'wide';
}

function plainLabel(label: string): string {
	const bare = label.replace(/^(?:x-ms-|x-|cs)/, '').replaceAll(/[\s._-]+/g, '');
	return otherLabels.get(bare) ?? otherLabels.get(bare.replace(/^(?:cp|windows|ms|ibm)(?=\d+$)/, '')) ?? bare;
}

/** Tables of iconv-lite for encodings that platforms decode incompletely or not at all. */
const ownTables: ReadonlyMap<string, string> = new Map([
	['euc-kr', 'cp949'],
	['big5', 'big5-hkscs'],
	['iso-8859-16', 'iso-8859-16'],
]);

function decoderFor(label: string): CharsetDecoder | undefined {
	try {
		const encoding = ownTables.has(label) ? label : new TextDecoder(label).encoding;
		const table = ownTables.get(encoding);
		if (table !== undefined) {
			return { encoding, decode: (bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), table) };
		}
		const decoder = new TextDecoder(encoding);
		if (encoding !== 'iso-2022-jp') {
			return decoder;
		}
		// Decoders of the web take two escapes in a row, as between two encoded words, for an attack.
		return {
			encoding,
			decode: (bytes: Uint8Array) => decoder.decode(Buffer.from(asLatin1(bytes).replaceAll(idleEscape, ''), 'latin1')),
		};
	} catch {
		return undefined;
	}
}

// oxlint-disable-next-line no-control-regex -- escapes of ISO-2022-JP
const idleEscape = /\x1b(?:\([BIJ]|\$[@B])(?=\x1b(?:\([BIJ]|\$[@B]))/g;

/**
 * Decodes bytes. Wrong labels are common: text declared as ASCII or undeclared may be UTF-8, and text declared as
 * UTF-8 without any UTF-8 character is in another charset.
 */
export function decodeBytes(bytes: Uint8Array, charset: Charset): string {
	switch (charset.kind) {
		case 'other':
			return charset.decoder.decode(bytes);
		case 'windows1252':
			return withWindows1252(asLatin1(bytes));
		case 'utf8': {
			const text = utf8.decode(bytes);
			// Where every character beyond ASCII is a replacement, there is no UTF-8 in it.
			return text.includes('\uFFFD') && !/[^\p{ASCII}\uFFFD]/u.test(text) && !isUtf8(bytes)
				? withWindows1252(asLatin1(bytes))
				: text;
		}
		case 'guess':
			return isUtf8(bytes) ? utf8.decode(bytes) : withUtf8(asLatin1(bytes), withWindows1252);
	}
}

export function isUtf8(bytes: Uint8Array): boolean {
	try {
		strictUtf8.decode(bytes);
		return true;
	} catch {
		return false;
	}
}

const utf8Sequences =
	/((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)|[\x80-\xff]/g;

/** Text of bytes, one a character: UTF-8 where they are, and `other` elsewhere. */
export function withUtf8(bytes: string, other: (bytes: string) => string = (each) => each): string {
	return bytes.replaceAll(utf8Sequences, (piece, isSequence?: string) =>
		isSequence === undefined ? other(piece) : Buffer.from(piece, 'latin1').toString(),
	);
}

function asLatin1(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
