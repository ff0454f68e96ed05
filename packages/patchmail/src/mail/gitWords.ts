import { withUtf8 } from './charsets.ts';
import { textToGit } from './gitCharsets.ts';
import { hexByte } from './transferEncodings.ts';

/** Why git takes no patch from a mail. */
export type GitRefusal =
	/** `=?` begins an encoded word that is not complete. */
	| { readonly kind: 'damagedWord'; readonly header: string }
	/** The text is not of that charset, or nobody knows the charset. */
	| { readonly kind: 'charset'; readonly charset: string }
	/** Parts inside of parts, or a zero byte in a header. */
	| { readonly kind: 'structure' };

const asciiLabels = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968']);

/** Converts bytes of a charset to UTF-8 as `iconv` does for git; `undefined` where it fails. One character a byte. */
export function convertToGit(bytes: string, label: string): string | undefined {
	const key = label.toLowerCase();
	if (key === '' || key === 'utf-8' || key === 'utf8') {
		return bytes;
	}
	if (asciiLabels.has(key)) {
		return /[\x80-\xff]/.test(bytes) ? undefined : bytes;
	}
	const text = textToGit(bytes, key);
	return text === undefined ? undefined : Buffer.from(text).toString('latin1');
}

/** A header after git decoded it, one byte a character. */
export interface HeaderToGit {
	/** As written where git refuses it. */
	readonly text: string;
	readonly refusal: GitRefusal | undefined;
}

/** Decodes a header as git does: blanks between words go, and git converts each word alone. */
export function headerToGit(value: string): HeaderToGit {
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
		const word = convertToGit(bytes, charset);
		if (word === undefined) {
			return { text: value, refusal: { kind: 'charset', charset } };
		}
		parts.push(word);
		at = end + 2;
	}
	return { text: parts.join('') + value.slice(at), refusal: undefined };
}

/** Text of a commit: git takes bytes that are no UTF-8 for Latin-1, and so the bytes of a noncharacter. */
export function committedText(bytes: string): string {
	return withUtf8(bytes).replaceAll(/\p{Noncharacter_Code_Point}/gu, (character) =>
		Buffer.from(character).toString('latin1'),
	);
}

/** The same for text. */
export function wordsToGit(value: string): string {
	return value.includes('=?') ? committedText(headerToGit(Buffer.from(value).toString('latin1')).text) : value;
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
