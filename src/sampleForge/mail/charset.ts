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
