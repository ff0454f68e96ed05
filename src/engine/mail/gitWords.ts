import { charsetOf, type Charset } from './charsets.ts';
import { hexByte } from './transferEncodings.ts';
import { withWindows1252 } from './windows1252.ts';

/** Why git takes no patch from a mail. */
export type GitRefusal =
	/** `=?` begins an encoded word that is not complete. */
	| { readonly kind: 'damagedWord'; readonly header: string }
	/** The text is not of that charset, or nobody knows the charset. */
	| { readonly kind: 'charset'; readonly charset: string }
	/** Parts inside of parts, or a zero byte in a header. */
	| { readonly kind: 'structure' };

/** Labels that web browsers know and `iconv` does not. */
const webLabels = new Set(
	(
		'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 sun_eu_greek visual csiso88598e iso-8859-8-e ' +
		'csiso88598i iso-8859-8-i logical csisolatin9 l9 koi koi8_r x-mac-roman dos-874 x-cp1250 x-cp1251 x-cp1252 ' +
		'x-mac-cyrillic x-mac-ukrainian chinese csiso58gb231280 gb_2312 gb_2312-80 iso-ir-58 x-gbk csbig5 x-x-big5 ' +
		'x-euc-jp x-sjis csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 ' +
		'x-user-defined'
	).split(' '),
);
const asciiLabels = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968']);

/** Converts bytes of a charset to UTF-8 as `iconv` does for git; `undefined` where it fails. One character a byte. */
export type GitConverter = (bytes: string, label: string) => string | undefined;

/** Converts for one mail, whose labels are looked up once. */
export function gitConverter(): GitConverter {
	const known = new Map<string, Charset>();
	return (bytes, label) => {
		const key = label.toLowerCase();
		if (key === '' || key === 'utf-8' || key === 'utf8') {
			return bytes;
		}
		if (asciiLabels.has(key)) {
			return /[\x80-\xff]/.test(bytes) ? undefined : bytes;
		}
		const charset = known.get(key) ?? charsetOf(key);
		known.set(key, charset);
		const text = charset.kind === 'guess' || webLabels.has(key) ? undefined : converted(bytes, charset, key);
		return text === undefined ? undefined : Buffer.from(text).toString('latin1');
	};
}

function converted(bytes: string, charset: Charset, label: string): string | undefined {
	if (charset.kind !== 'other') {
		const isExact = !label.includes('1252') || !/[\x81\x8d\x8f\x90\x9d]/.test(bytes);
		return isExact ? withWindows1252(bytes) : undefined;
	}
	try {
		const { encoding } = charset.decoder;
		const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
		// Browsers know characters of private use where `iconv` knows none.
		return /[\uE000-\uF8FF]/.test(text) ? undefined : text;
	} catch {
		return undefined;
	}
}

/** A header after git decoded it, one byte a character. */
export interface HeaderToGit {
	/** As written where git refuses it. */
	readonly text: string;
	readonly refusal: GitRefusal | undefined;
}

/** Decodes a header as git does: blanks between words go, and git converts each word alone. */
export function headerToGit(value: string, convert: GitConverter): HeaderToGit {
	const parts: string[] = [];
	let at = 0;
	for (let start = value.indexOf('=?'); start !== -1; start = value.indexOf('=?', at)) {
		const between = value.slice(at, start);
		if (at === 0 || /[^ \t\n\r]/.test(between)) {
			parts.push(between);
		}
		const mark = value.indexOf('?', start + 2);
		const encoding = value.charAt(mark + 1).toLowerCase();
		const end = mark === -1 || value.charAt(mark + 2) !== '?' ? -1 : value.indexOf('?=', mark + 3);
		if (end === -1 || (encoding !== 'q' && encoding !== 'b')) {
			return { text: value, refusal: { kind: 'damagedWord', header: value } };
		}
		const written = value.slice(mark + 3, end);
		const bytes = encoding === 'q' ? quotedToGit(written, true) : base64ToGit(written);
		const charset = value.slice(start + 2, mark);
		const word = convert(bytes, charset);
		if (word === undefined) {
			return { text: value, refusal: { kind: 'charset', charset } };
		}
		parts.push(word);
		at = end + 2;
	}
	return { text: parts.join('') + value.slice(at), refusal: undefined };
}

/** The same for text. */
export function wordsToGit(value: string): string {
	return value.includes('=?')
		? Buffer.from(headerToGit(Buffer.from(value).toString('latin1'), gitConverter()).text, 'latin1').toString()
		: value;
}

/** Signs that do not fill four at the end of a line are lost. */
export function base64ToGit(line: string): string {
	return Buffer.from(line.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1');
}

/** `isWord`: an underscore is a blank. */
export function quotedToGit(line: string, isWord: boolean): string {
	return line.replaceAll(isWord ? /_|=(?:\n[^]*|$|[0-9A-Fa-f]{2})/g : /=(?:\n|$|[0-9A-Fa-f]{2})/g, (sign) => {
		if (sign === '_') {
			return ' ';
		}
		const byte = hexByte(Buffer.from(sign, 'latin1'), 1);
		return byte === -1 ? '' : String.fromCharCode(byte);
	});
}
