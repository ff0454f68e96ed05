import { afterBlanks, beginOf, bigBytes, endOfText, readArray } from './bareList.ts';
import { Misread, type Decoder } from '../answers/decoding.ts';

const [quote, colon, openArray, openObject] = [0x22, 0x3a, 0x5b, 0x7b];
const opening = new Set([openArray, openObject]);
const closing = new Set([0x5d, 0x7d]);

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
 * Reads the items piece by piece and lets everything else run between. Throws `Misread` as reading it at once does.
 * `undefined` when items are named a second time, because those would count then: such a page has to be read at once.
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

/** A longer name, however each of its characters is written, is another one. */
const longestName = itemsName.length * 6;

/** A name in the envelope itself, and where its value begins. */
interface NameInEnvelope {
	readonly name: string;
	readonly value: number;
}

/** The names from somewhere between two of them on, as far as they may be that of the items. */
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

/** Empty for what is no JSON, which reading the rest finds out. */
function textOf(quoted: Uint8Array): string {
	try {
		return String(JSON.parse(new TextDecoder().decode(quoted)));
	} catch {
		return '';
	}
}
