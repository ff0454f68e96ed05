import { bigBytes, endOfText, readArray } from './bareList.ts';
import { Misread, type Decoder } from './wire/decoding.ts';

const [quote, colon, openArray, openObject] = [0x22, 0x3a, 0x5b, 0x7b];
const opening = new Set([openArray, openObject]);
const closing = new Set([0x5d, 0x7d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A page in its envelope, its items read and everything else as it came. */
export interface OpenedEnvelope<T> {
	readonly items: readonly T[];
	/** JSON of the envelope, with no items in it. */
	readonly rest: Uint8Array;
}

/**
 * Where the first item of a page begins that is so long that reading it at once would hold up everything; `undefined` for
 * shorter pages and for what is no envelope.
 */
export function bigEnvelopeItems(body: Uint8Array): number | undefined {
	if (body.byteLength < bigBytes || body[0] !== openObject) {
		return undefined;
	}
	let depth = 1;
	for (let at = 1; at < body.byteLength && depth > 0; at += 1) {
		const byte = body[at] ?? 0;
		if (byte === quote) {
			const end = endOfText(body, at);
			const items = depth === 1 ? itemsOf(body, at, end) : undefined;
			if (items !== undefined) {
				return items;
			}
			at = end;
		} else if (opening.has(byte)) {
			depth += 1;
		} else if (closing.has(byte)) {
			depth -= 1;
		}
	}
	return undefined;
}

/** Reads the items piece by piece and lets everything else run between. Throws `Misread` as reading it at once does. */
export async function openEnvelope<T>(body: Uint8Array, from: number, decode: Decoder<T>): Promise<OpenedEnvelope<T>> {
	try {
		const { items, end } = await readArray(body, from, decode);
		return { items, rest: Buffer.concat([body.subarray(0, from), body.subarray(end)]) };
	} catch (error) {
		throw error instanceof Misread && error.at !== '' ? error.below('.results') : error;
	}
}

const name = 'results';

/** Where the items begin whose name stands between two quotes; `undefined` when that is another name, or a text. */
function itemsOf(body: Uint8Array, start: number, end: number): number | undefined {
	if (end - start !== name.length + 1 || new TextDecoder().decode(body.subarray(start + 1, end)) !== name) {
		return undefined;
	}
	const sign = afterBlanks(body, end + 1);
	const value = afterBlanks(body, sign + 1);
	return body[sign] === colon && body[value] === openArray ? value + 1 : undefined;
}

function afterBlanks(body: Uint8Array, from: number): number {
	let at = from;
	while (blanks.has(body[at] ?? 0)) {
		at += 1;
	}
	return at;
}
