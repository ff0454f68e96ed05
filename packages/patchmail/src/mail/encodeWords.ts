/** A line of a header is at most 998 bytes (RFC 5322, 2.1.1), and some programs unfold what they send. */
const [mostPlainBytes, mostEncodedBytes] = [980, 560];
/** Bytes of an encoded word of 68 characters, which fits after a header name (RFC 2047, 2). */
const bytesPerWord = 42;
const printable = /^[\x20-\x7e]*$/;
const unprintable = /[^\x20-\x7e]|=\?/;

/** Text as one line: controls and all signs that some program takes for the end of a line are blanks. */
export function oneLine(text: string): string {
	return text
		.toWellFormed()
		.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
		.trim();
}

/** True if a header can hold the text unchanged. */
export function isPlainHeader(text: string): boolean {
	return printable.test(text) && !text.includes('=?');
}

/** A text for a header (RFC 2047): one line, cut where it is too long, encoded from the first word that needs it on. */
export function encodedText(text: string): string {
	const whole = oneLine(text);
	const line = cut(whole, isPlainHeader(whole) ? mostPlainBytes : mostEncodedBytes);
	const odd = line.search(unprintable);
	if (odd === -1) {
		return line;
	}
	const start = line.lastIndexOf(' ', odd) + 1;
	const words = encodedWords(line.slice(start));
	return start === 0 ? words : `${line.slice(0, start - 1)}\n ${words}`;
}

/** All of a line as encoded words, one on each line of the header. */
export function encodedWords(line: string): string {
	const bytes = Buffer.from(line);
	const words: string[] = [];
	for (let [at, end] = [0, 0]; at < bytes.length; at = end) {
		end = Math.min(at + bytesPerWord, bytes.length);
		// A word ends behind a whole character.
		while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) {
			end -= 1;
		}
		words.push(`=?UTF-8?B?${bytes.toString('base64', at, end)}?=`);
	}
	return words.join('\n ');
}

/** The longest head of a text that has so many bytes of UTF-8 and ends behind a character. */
export function cut(text: string, mostBytes: number): string {
	let [bytes, length] = [0, 0];
	for (const character of text) {
		bytes += new TextEncoder().encode(character).length;
		if (bytes > mostBytes) {
			return text.slice(0, length);
		}
		length += character.length;
	}
	return text;
}
