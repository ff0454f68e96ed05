import type { GenericSchema } from 'valibot';
import { decodeItems, decoder, isObject, Misread, nameOf, type Decoder } from '../answers/decoding.ts';
import { farPieces, readFarList, readFarValue, type FarPieces, type FarWays } from '../answers/farAnswers.ts';
import type { RawPage } from '../answers/pagingWay.ts';
import { isWebPage } from '../answers/webPage.ts';
import type { Blob } from '../port/repository.ts';
import type { HttpAnswer } from '../../machine/http/httpClient.ts';
import { isBigBareList, readBareList, afterBlanks, beginOf, bigBytes, endOfText, readArray } from './bareList.ts';

const [quote, colon, openArray, openObject] = [0x22, 0x3a, 0x5b, 0x7b];

const opening = new Set([openArray, openObject]);

const closing = new Set([0x5d, 0x7d]);

const itemsName = 'results';

/** Longest encoding of the name, with every character escaped. */
const longestName = itemsName.length * 6;

/** Decoder of a success response, with its size limit. `read` throws `Misread`. */
export interface AnswerReader<Answer> {
	readonly accept: string;
	readonly limitBytes: number;
	readonly read: (answer: HttpAnswer) => Answer;
	/**
	 * Decodes a large response in a worker or in pieces, to keep the process responsive. `undefined` if `read` is fast
	 * enough.
	 */
	readonly readLong?: (answer: HttpAnswer, ways: FarWays) => Promise<Answer> | undefined;
}

const mebibyte = 1024 * 1024;
/** Size limits by kind of response. Bare arrays hold whole lists, so they may be large. */
export const limits = {
	one: 4 * mebibyte,
	list: 16 * mebibyte,
	mail: 25 * mebibyte,
	blob: 20 * mebibyte,
	small: 64 * 1024,
};

const utf8 = new TextDecoder();
export const asJson = 'application/json';

export function one<T>(schema: GenericSchema<unknown, T>, limit: 'one' | 'list' | 'mail' = 'one'): AnswerReader<T> {
	const decode = decoder(schema);
	return {
		accept: asJson,
		limitBytes: limits[limit],
		read: (answer) => decode(jsonOf(answer)),
		readLong: (answer, ways) => {
			const pieces = farPieces(answer.body, ways);
			return pieces && farOne(answer, decode, pieces);
		},
	};
}

/** A resource that some servers omit from their response. */
export function oneOrNothing<T>(schema: GenericSchema<unknown, T>): AnswerReader<T | undefined> {
	const { accept, limitBytes, read } = one(schema);
	return { accept, limitBytes, read: (answer) => (isEmpty(answer) ? undefined : read(answer)) };
}

/** A list: a bare array, or a page in its envelope. */
export function listOf<T>(
	schema: GenericSchema<unknown, T>,
	limit: 'list' | 'mail' = 'list',
): AnswerReader<RawPage<T>> {
	return listBy(decoder(schema), limit);
}

/** A list with a custom item decoder. */
export function listBy<T>(decode: Decoder<T>, limit: 'list' | 'mail'): AnswerReader<RawPage<T>> {
	return {
		accept: asJson,
		limitBytes: limits[limit],
		read: (answer) => rawPage(jsonOf(answer), decode),
		readLong: (answer, ways) => {
			const pieces = farPieces(answer.body, ways);
			return pieces ? farPage(answer, decode, pieces) : longPage(answer, decode);
		},
	};
}

/** The content of a file. */
export const blob: AnswerReader<Blob> = {
	accept: '*/*',
	limitBytes: limits.blob,
	read(answer) {
		refuseWebPage(answer);
		return { bytes: answer.body, isBinary: /octet-stream/i.test(answer.contentType) };
	},
};

/** No web page starts like this. */
const idOrReference = /^(?:[0-9a-f]{40,64}|(?:ref: )?refs\/[^\s\p{Cc}]+)$/u;

/**
 * One bare line: an object id, or a full reference name. Only the format counts, because servers send it with the
 * content type of a web page (docs/protocol.md#bare-lines).
 */
export const line: AnswerReader<string> = {
	accept: 'text/plain',
	limitBytes: limits.small,
	read(answer) {
		const text = utf8.decode(answer.body).trim();
		if (!idOrReference.test(text)) {
			refuseWebPage(answer);
			throw new Misread('', 'it is neither the id of an object nor the name of a reference');
		}
		return text;
	},
};

/** Any response to a removal except a web page: that is a login page, and the removal failed. */
export const nothing: AnswerReader<void> = { accept: asJson, limitBytes: limits.one, read: refuseWebPage };

/** Throws `Misread`. */
export function jsonOf(answer: HttpAnswer): unknown {
	refuseWebPage(answer);
	if (isEmpty(answer)) {
		throw new Misread('', 'the answer is empty');
	}
	try {
		return JSON.parse(utf8.decode(answer.body));
	} catch {
		// The parser's own message would quote the response.
		throw new Misread('', 'the answer is no JSON or ends too early');
	}
}

/** A whole list in one response, decoded in pieces. */
export async function bareListPage<T>(answer: HttpAnswer, decode: Decoder<T>): Promise<RawPage<T>> {
	refuseWebPage(answer);
	return { items: await readBareList(answer.body, decode), next: undefined, total: undefined, isEnvelope: false };
}

async function farOne<T>(answer: HttpAnswer, decode: Decoder<T>, pieces: FarPieces): Promise<T> {
	refuseWebPage(answer);
	return decode(await readFarValue(pieces));
}

/** A page parsed in a worker. */
export async function farPage<T>(answer: HttpAnswer, decode: Decoder<T>, pieces: FarPieces): Promise<RawPage<T>> {
	refuseWebPage(answer);
	const { items, around } = await readFarList(pieces, decode);
	return { ...rawPage(around, decode), items };
}

function longPage<T>(answer: HttpAnswer, decode: Decoder<T>): Promise<RawPage<T>> | undefined {
	if (isBigBareList(answer.body)) {
		return bareListPage(answer, decode);
	}
	const from = bigEnvelopeItems(answer.body);
	return from === undefined ? undefined : envelopePage(answer, from, decode);
}

async function envelopePage<T>(answer: HttpAnswer, from: number, decode: Decoder<T>): Promise<RawPage<T>> {
	refuseWebPage(answer);
	const opened = await openEnvelope(answer.body, from, decode);
	return opened
		? { ...rawPage(jsonOf({ ...answer, body: opened.rest }), decode), items: opened.items }
		: rawPage(jsonOf(answer), decode);
}

/** A page from parsed JSON: a bare array or an envelope. */
export function rawPage<T>(json: unknown, decode: Decoder<T>): RawPage<T> {
	if (Array.isArray(json)) {
		return { items: decodeItems(json, decode), next: undefined, total: undefined, isEnvelope: false };
	}
	const results = isObject(json) ? json['results'] : undefined;
	if (!isObject(json) || !Array.isArray(results)) {
		throw new Misread(isObject(json) ? '.results' : '', `expected Array, found ${nameOf(results ?? json)}`);
	}
	try {
		return {
			items: decodeItems(results, decode),
			next: cursorOf(json['next']),
			total: countOf(json['total']),
			isEnvelope: true,
		};
	} catch (error) {
		throw error instanceof Misread ? error.below('.results') : error;
	}
}

/** A cursor is a string, or a number on faulty servers. Use it only as a query value, never as a URL. */
function cursorOf(next: unknown): string | undefined {
	if (typeof next === 'number') {
		return String(next);
	}
	return typeof next === 'string' && next !== '' ? next : undefined;
}

/** Logs send -1 for an unknown total. */
function countOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function refuseWebPage(answer: HttpAnswer): void {
	if (isWebPage(answer)) {
		throw new Misread('', 'the server sent a web page where data was due, as sign-in pages do');
	}
}

function isEmpty({ body }: HttpAnswer): boolean {
	return body.byteLength === 0;
}

/** An envelope with decoded items. */
interface OpenedEnvelope<T> {
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
async function openEnvelope<T>(
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
