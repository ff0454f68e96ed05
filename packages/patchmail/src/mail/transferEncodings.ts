export type TransferEncoding = 'identity' | 'quotedPrintable' | 'base64';

const [equals, lineFeed] = [0x3d, 0x0a];

/**
 * Quoted-printable as bytes. A final `=` joins a line with the next one, an invalid sign stays as written, and the
 * last line gets a line end like the others. Blanks at the ends of lines stay, as git keeps them.
 */
export function fromQuotedPrintable(bytes: Uint8Array): Uint8Array {
	const decoded = new Uint8Array(bytes.length + 1);
	let length = 0;
	let isSoft = true;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at]!;
		isSoft = byte === equals && (bytes[at + 1] ?? lineFeed) === lineFeed;
		if (isSoft) {
			at += 1;
			continue;
		}
		const value = byte === equals ? hexByte(bytes, at + 1) : -1;
		decoded[length] = value === -1 ? byte : value;
		at += value === -1 ? 0 : 2;
		length += 1;
	}
	if (!isSoft && bytes.at(-1) !== lineFeed) {
		decoded[length] = lineFeed;
		length += 1;
	}
	return decoded.subarray(0, length);
}

/** The byte that the two hexadecimal digits at a place spell; -1 when they are none. */
export function hexByte(bytes: Uint8Array, at: number): number {
	const upper = digit(bytes[at] ?? 0);
	const lower = digit(bytes[at + 1] ?? 0);
	return upper === -1 || lower === -1 ? -1 : upper * 16 + lower;
}

function digit(code: number): number {
	if (code >= 0x30 && code <= 0x39) {
		return code - 0x30;
	}
	// To lower case.
	const small = code | 0x20;
	return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}

/**
 * Base64 as bytes; `undefined` for any impurity, and if a line ends within four signs: git drops the incomplete
 * group.
 */
export function fromBase64(text: string): Uint8Array | undefined {
	const end = text.search(/[^A-Za-z0-9+/ \t\n]/);
	const isPure = end === -1 || /^={1,2}[ \t\n]*$/.test(text.slice(end));
	if (!isPure) {
		return undefined;
	}
	// Each line but the last one has a multiple of four signs.
	let signs = 0;
	for (let at = 0; at < (end === -1 ? text.length : end); at += 1) {
		const code = text.charCodeAt(at);
		if (code !== 0x20 && code !== 0x09 && code !== lineFeed) {
			if (signs < 0) {
				return undefined;
			}
			signs += 1;
		} else if (code === lineFeed) {
			// Only blanks may follow such a line.
			signs = signs > 0 && signs % 4 !== 0 ? -1 : Math.min(signs, 0);
		}
	}
	return Buffer.from(text, 'base64');
}
