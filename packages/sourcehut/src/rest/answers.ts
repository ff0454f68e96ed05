import type { GenericSchema } from 'valibot';
import { decodeItems, decoder, isObject, Misread, nameOf, type Decoder } from '../answers/decoding.ts';
import {
	workerPieces,
	readWorkerList,
	readWorkerValue,
	type WorkerPieces,
	type WorkerWays,
} from '../answers/workerJson.ts';
import type { RawPage } from '../answers/pages.ts';
import type { Blob } from '../port/repository.ts';
import type { HttpAnswer } from '../http/httpClient.ts';

/** Decoder of a success response, with its size limit. `read` throws `Misread`. */
export interface AnswerReader<Answer> {
	readonly accept: string;
	readonly limitBytes: number;
	readonly read: (answer: HttpAnswer) => Answer;
	/** Of an answer with the content type of a web page, which otherwise is one. */
	readonly isData?: (answer: HttpAnswer) => boolean;
	/**
	 * Decodes a large response in a worker, to keep the process responsive. `undefined` if `read` is fast
	 * enough.
	 */
	readonly readLong?: (answer: HttpAnswer, ways: WorkerWays) => Promise<Answer> | undefined;
}

const mebibyte = 1024 * 1024;
/** Size limits by kind of response. Bare arrays hold whole lists, so they may be large. */
const limits = {
	one: 4 * mebibyte,
	list: 16 * mebibyte,
	mail: 25 * mebibyte,
	blob: 20 * mebibyte,
	small: 64 * 1024,
};

const utf8 = new TextDecoder();
const asJson = 'application/json';

export function one<T>(schema: GenericSchema<unknown, T>, limit: 'one' | 'list' | 'mail' = 'one'): AnswerReader<T> {
	const decode = decoder(schema);
	return {
		accept: asJson,
		limitBytes: limits[limit],
		read: (answer) => decode(jsonOf(answer)),
		readLong: (answer, ways) => {
			const pieces = workerPieces(answer.body, ways);
			return pieces && readWorkerValue(pieces).then(decode);
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
			const pieces = workerPieces(answer.body, ways);
			return pieces && workerPage(decode, pieces);
		},
	};
}

/** The content of a file. */
export const blob: AnswerReader<Blob> = {
	accept: '*/*',
	limitBytes: limits.blob,
	read: (answer) => ({ bytes: answer.body, isBinary: /octet-stream/i.test(answer.contentType) }),
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
	isData: (answer) => idOrReference.test(utf8.decode(answer.body).trim()),
	read(answer) {
		const text = utf8.decode(answer.body).trim();
		if (!idOrReference.test(text)) {
			throw new Misread('', 'it is neither the id of an object nor the name of a reference');
		}
		return text;
	},
};

/** Any response to a removal. */
export const nothing: AnswerReader<void> = { accept: asJson, limitBytes: limits.one, read: () => undefined };

/** Throws `Misread`. */
function jsonOf(answer: HttpAnswer): unknown {
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

/** A page parsed in a worker. */
async function workerPage<T>(decode: Decoder<T>, pieces: WorkerPieces): Promise<RawPage<T>> {
	const { items, around } = await readWorkerList(pieces, decode);
	return { ...rawPage(around, decode), items };
}

/** A page from parsed JSON: a bare array or an envelope. */
function rawPage<T>(json: unknown, decode: Decoder<T>): RawPage<T> {
	if (Array.isArray(json)) {
		return { items: decodeItems(json, decode), next: undefined, total: undefined, isEnvelope: false };
	}
	const results = isObject(json) ? json['results'] : undefined;
	if (!isObject(json) || !Array.isArray(results)) {
		throw new Misread(isObject(json) ? '.results' : '', `expected Array, found ${nameOf(results ?? json)}`);
	}
	const { next, total } = json;
	try {
		return {
			items: decodeItems(results, decode),
			// A number on faulty servers. Use it only as a query value, never as a URL.
			next: typeof next === 'number' ? String(next) : typeof next === 'string' && next !== '' ? next : undefined,
			// Logs send -1 for an unknown total.
			total: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined,
			isEnvelope: true,
		};
	} catch (error) {
		throw error instanceof Misread ? error.below('.results') : error;
	}
}

function isEmpty({ body }: HttpAnswer): boolean {
	return body.byteLength === 0;
}
