import { afterBlanks, beginOf, bigBytes, endOfText, readArray } from './bareList.ts';
import { Misread, type Decoder } from '../answers/decoding.ts';

const [quote, colon, openArray, openObject] = [0x22, 0x3a, 0x5b, 0x7b];
const opening = new Set([openArray, openObject]);
const closing = new Set([0x5d, 0x7d]);

/** An envelope with decoded items. */
export interface OpenedEnvelope<T> {
	readonly items: readonly T[];
	/** JSON of the envelope with an empty item array. */
	readonly rest: Uint8Array;
}

/** Offset of the first item in a page too large to decode at once; `undefined` for other bodies. */
export function bigEnvelopeItems(body: Uint8Array): number | undefined {
	const begin = beginOf(body);
	if (body.byteLength < bigBytes || body[begin] !== openObject) {
		return undefined;
	}
	for (const { name, value } of namesIn(body, begin + 1)) {
		if (name === itemsName && body[value] === openArray) {
			return value + 1;
		}
	}
	return undefined;
}

/**
 * Decodes the items in pieces and yields between them. Throws the same `Misread` as decoding at once. Returns
 * `undefined` for duplicate item arrays: the last one would count, so the caller must decode at once.
 */
export async function openEnvelope<T>(
	body: Uint8Array,
	from: number,
	decode: Decoder<T>,
): Promise<OpenedEnvelope<T> | undefined> {
	try {
		const { items, end } = await readArray(body, from, decode);
		for (const { name } of namesIn(body, end + 1)) {
			if (name === itemsName) {
				return undefined;
			}
		}
		return { items, rest: Buffer.concat([body.subarray(0, from), body.subarray(end)]) };
	} catch (error) {
		throw error instanceof Misread && error.at !== '' ? error.below('.results') : error;
	}
}

const itemsName = 'results';

/** Longest encoding of the name, with every character escaped. */
const longestName = itemsName.length * 6;

/** A member name of the envelope, and the offset of its value. */
interface NameInEnvelope {
	readonly name: string;
	readonly value: number;
}

/** Member names of the envelope from an offset on. Skips names that can't be the items. */
function* namesIn(body: Uint8Array, from: number): Generator<NameInEnvelope, void, undefined> {
	let depth = 1;
	for (let at = from; at < body.byteLength && depth > 0; at += 1) {
		const byte = body[at] ?? 0;
		if (byte === quote) {
			const end = endOfText(body, at);
			const sign = depth === 1 && end - at - 1 <= longestName ? afterBlanks(body, end + 1) : at;
			if (body[sign] === colon) {
				yield { name: textOf(body.subarray(at, end + 1)), value: afterBlanks(body, sign + 1) };
			}
			at = end;
		} else if (opening.has(byte)) {
			depth += 1;
		} else if (closing.has(byte)) {
			depth -= 1;
		}
	}
}

/** Empty for invalid JSON; decoding the rest reports it. */
function textOf(quoted: Uint8Array): string {
	try {
		return String(JSON.parse(new TextDecoder().decode(quoted)));
	} catch {
		return '';
	}
}
