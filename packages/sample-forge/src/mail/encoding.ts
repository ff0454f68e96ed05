/** Decodes bytes; unknown charsets count as UTF-8, and invalid bytes become U+FFFD. */
export function decodeCharset(bytes: Uint8Array, charset: string): string {
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

const cyrillicHigh = 'юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ';

export type SentCharset = 'utf-8' | 'iso-8859-1' | 'koi8-r';

/** Text as bytes of the charset; a letter that it does not have becomes a question mark. */
export function encodeCharset(text: string, charset: SentCharset): Buffer {
	switch (charset) {
		case 'utf-8': {
			return Buffer.from(text);
		}
		case 'iso-8859-1': {
			return Buffer.from(text.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?'), 'latin1');
		}
		case 'koi8-r': {
			const bytes = Array.from(text, (letter) => {
				const high = cyrillicHigh.indexOf(letter);
				return letter <= '\u007f' ? letter.charCodeAt(0) : high === -1 ? 63 : 192 + high;
			});
			return Buffer.from(bytes);
		}
	}
}

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

export type TransferEncoding = '7bit' | '8bit' | 'quoted-printable' | 'base64';

/** Decodes a body; leaves unknown encodings unchanged. */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
	switch (encoding.trim().toLowerCase()) {
		case 'base64': {
			return Buffer.from(Buffer.from(body).toString('latin1'), 'base64');
		}
		case 'quoted-printable': {
			return decodeQuotedPrintable(Buffer.from(body).toString('latin1'));
		}
		default: {
			return body;
		}
	}
}

function decodeQuotedPrintable(text: string): Uint8Array {
	const joined = text.replaceAll(/[ \t]+(?=\r?\n)/g, '').replaceAll(/=\r?\n/g, '');
	const plain = joined.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(plain, 'latin1');
}

/** A body with LF line ends, encoded for sending, with CRLF line ends. */
export function encodeTransfer(body: Buffer, encoding: TransferEncoding): Buffer {
	switch (encoding) {
		case '7bit':
		case '8bit': {
			return Buffer.from(body.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
		}
		case 'base64': {
			const lines = body.toString('base64').match(/.{1,76}/g) ?? [];
			return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
		}
		case 'quoted-printable': {
			const lines = body.toString('latin1').split('\n').map(quotedPrintableLine);
			return Buffer.from(lines.join('\r\n'), 'latin1');
		}
	}
}

const lineLength = 75;

function quotedPrintableLine(line: string): string {
	const lines: string[] = [];
	let current = '';
	for (let at = 0; at < line.length; at++) {
		const letter = line.charAt(at);
		const last = at === line.length - 1;
		const plain = /[!-<>-~]/.test(letter) || (/[ \t]/.test(letter) && !last);
		const next = plain ? letter : `=${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
		if (current.length + next.length > lineLength) {
			lines.push(`${current}=`);
			current = '';
		}
		current += next;
	}
	return [...lines, current].join('\r\n');
}
