import { nextTurn } from '../../base/timeSlice.ts';
import { Misread, decodeItems, type Decoder } from '../answers/decoding.ts';

/** Minimum size for decoding in pieces. A page of tickets is far smaller. */
export const bigBytes = 512 * 1024;
/** Bytes per piece: one or two milliseconds of parsing and decoding. */
const pieceBytes = 96 * 1024;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const byteOrderMark = [0xef, 0xbb, 0xbf];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** True for a list without an envelope that would block the process if decoded at once. */
export function isBigBareList(body: Uint8Array): boolean {
	return body.byteLength >= bigBytes && body[beginOf(body)] === openArray;
}

/** Decodes a large list in pieces and yields between them. Throws the same `Misread` as decoding at once. */
export async function readBareList<T>(body: Uint8Array, decode: Decoder<T>): Promise<readonly T[]> {
	const { items, end } = await readArray(body, beginOf(body) + 1, decode);
	if (new TextDecoder().decode(body.subarray(end + 1)).trim() !== '') {
		throw noJson();
	}
	return items;
}

/** Start of the JSON, after byte order mark and blanks. The one-piece decoder skips them in the same order. */
export function beginOf(body: Uint8Array): number {
	return afterBlanks(body, byteOrderMark.every((byte, at) => body[at] === byte) ? byteOrderMark.length : 0);
}

/** Offset of the next non-blank byte. */
export function afterBlanks(body: Uint8Array, from: number): number {
	let at = from;
	while (blanks.has(body[at] ?? 0)) {
		at += 1;
	}
	return at;
}

/** Decodes in pieces an array with its first item at `from`. `end`: offset of the closing bracket. */
export async function readArray<T>(
	body: Uint8Array,
	from: number,
	decode: Decoder<T>,
): Promise<{ readonly items: readonly T[]; readonly end: number }> {
	const items: T[] = [];
	// Inside the body a byte order mark is a regular character, and invalid JSON.
	const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
	let last = from;
	for (const { start, end } of pieces(body, from)) {
		const values = parsed(`[${utf8.decode(body.subarray(start, end))}]`);
		try {
			for (const item of decodeItems(values, decode)) {
				items.push(item);
			}
		} catch (error) {
			throw error instanceof Misread ? error.behind(items.length) : error;
		}
		last = end;
		await nextTurn();
	}
	return { items, end: last };
}

/** Byte ranges of the pieces, without the commas between them. The last one ends at the bracket. */
function* pieces(
	body: Uint8Array,
	from: number,
): Generator<{ readonly start: number; readonly end: number }, void, undefined> {
	let start = from;
	let depth = 1;
	for (let at = from; at < body.byteLength; at += 1) {
		const byte = body[at] ?? comma;
		switch (byte) {
			case quote:
				at = endOfText(body, at);
				break;
			case openArray:
			case openObject:
				depth += 1;
				break;
			case closeObject:
				depth -= 1;
				break;
			case closeArray:
				depth -= 1;
				if (depth === 0) {
					return yield { start, end: at };
				}
				break;
			case comma:
				if (depth === 1 && at - start >= pieceBytes) {
					yield { start, end: at };
					start = at + 1;
				}
				break;
		}
	}
	throw noJson();
}

/** Offset of the closing quote for an opening quote at `from`. Throws `Misread` if missing. */
export function endOfText(body: Uint8Array, from: number): number {
	for (let at = body.indexOf(quote, from + 1); at !== -1; at = body.indexOf(quote, at + 1)) {
		let slashes = 0;
		while (body[at - 1 - slashes] === backslash) {
			slashes += 1;
		}
		if (slashes % 2 === 0) {
			return at;
		}
	}
	throw noJson();
}

function parsed(text: string): readonly unknown[] {
	try {
		const values: unknown = JSON.parse(text);
		return Array.isArray(values) ? values : [];
	} catch {
		throw noJson();
	}
}

function noJson(): Misread {
	return new Misread('', 'the answer is no JSON or ends too early');
}
