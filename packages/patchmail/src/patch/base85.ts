const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

interface Decoding {
	readonly text: string;
	/** Value of each character; 255 for non-digits. */
	readonly values: Uint8Array;
	readonly bytes: Uint8Array;
}

/**
 * Decodes git's base85 lines between two offsets of a text. Each line begins with a letter for its number of bytes.
 * `undefined` for malformed lines.
 */
export function decodeBase85(text: string, start: number, end: number): Uint8Array | undefined {
	const values = new Uint8Array(128).fill(255);
	for (let worth = 0; worth < digits.length; worth++) {
		values[digits.charCodeAt(worth)] = worth;
	}
	const decoding = { text, values, bytes: new Uint8Array(Math.ceil(((end - start) * 4) / 5) + 4) };
	let size = 0;
	for (let at = start; at < end;) {
		const feed = text.indexOf('\n', at);
		const next = feed === -1 || feed >= end ? end : feed + 1;
		const count = lineBytes(text.charCodeAt(at));
		const behind = at + 1 + Math.ceil(count / 4) * 5;
		if (count === 0 || behind > next || !decodeLine(decoding, at + 1, behind, size)) {
			return undefined;
		}
		size += count;
		at = next;
	}
	return decoding.bytes.subarray(0, size);
}

/** Five digits make four bytes, big-endian. */
function decodeLine({ text, values, bytes }: Decoding, start: number, end: number, to: number): boolean {
	let place = to;
	for (let at = start; at < end; at += 5) {
		let value = 0;
		for (let digit = 0; digit < 5; digit++) {
			const code = text.charCodeAt(at + digit);
			const worth = values[code] ?? 255;
			if (worth === 255) {
				return false;
			}
			value = value * 85 + worth;
		}
		if (value > 0xffff_ffff) {
			return false;
		}
		bytes[place] = value >>> 24;
		bytes[place + 1] = value >>> 16;
		bytes[place + 2] = value >>> 8;
		bytes[place + 3] = value;
		place += 4;
	}
	return true;
}

/** Number of bytes in a base85 line by its first letter: A to Z for 1 to 26, a to z for 27 to 52; 0 for others. */
export function lineBytes(code: number): number {
	if (code >= 0x41 && code <= 0x5a) {
		return code - 0x40;
	}
	return code >= 0x61 && code <= 0x7a ? code - 0x60 + 26 : 0;
}
