import { decodeCharset } from './charset.ts';

const encodedWord = /=\?([^?\s]{1,40})\?([bq])\?([^?\s]*)\?=/gi;

/** Decodes RFC 2047 words; leaves invalid ones unchanged. */
export function decodeWords(value: string): string {
	return value
		.replaceAll(/(\?=)[ \t\r\n]+(?==\?[^?\s]{1,40}\?[bq]\?)/gi, '$1')
		.replaceAll(encodedWord, (_word, charset: string, kind: string, text: string) => {
			const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text);
			return decodeCharset(bytes, charset.replace(/\*.*$/, ''));
		});
}

function decodeQ(text: string): Uint8Array {
	const spaced = text.replaceAll('_', ' ');
	const plain = spaced.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(plain, 'latin1');
}

const wordBytes = 42;

/** Encodes a header as UTF-8 Q words where needed, folded like git. */
export function encodeWords(text: string): string {
	if (/^[\u0020-\u007e]*$/.test(text)) {
		return text;
	}
	const words: string[] = [];
	let word = '';
	for (const letter of text) {
		const next = Array.from(Buffer.from(letter), qByte).join('');
		if (word.length + next.length > wordBytes) {
			words.push(word);
			word = '';
		}
		word += next;
	}
	return [...words, word].map((each) => `=?UTF-8?q?${each}?=`).join('\r\n ');
}

function qByte(byte: number): string {
	const letter = String.fromCharCode(byte);
	return /[A-Za-z0-9.,:;()/+!*-]/.test(letter) ? letter : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
