import type { RawPage } from '../answers/pagingWay.ts';
import { forgeErrorOf } from '../answers/failures.ts';
import type { HttpAnswer } from '../http/httpClient.ts';
import { asJson, bareListPage, farPage, jsonOf, limits, rawPage, type AnswerReader } from './answers.ts';
import { isBigBareList } from './bareList.ts';
import { farPieces, type FarWays } from '../answers/farAnswers.ts';
import { decodeItems, isObject, Misread, type Decoder } from '../answers/decoding.ts';

export interface Numbered {
	readonly id: number;
}

/** An unparsed page. */
export interface SealedPage<T> {
	/** Probable start of the next page, guessed from the raw bytes. Parsing confirms it. */
	readonly guess: string | undefined;
	/** Parses the page. Throws `ForgeError`. */
	readonly open: () => UnreadPage<T>;
}

/** A page with undecoded items: enough to find the start of the next page. */
export interface UnreadPage<T> {
	readonly raw: RawPage<Numbered>;
	/** Decodes all items in order. Throws `ForgeError`. */
	readonly read: () => readonly T[];
}

/** A list of numbered items with unparsed pages, so the next request can go first. */
export function sealedListBy<T extends Numbered>(decode: Decoder<T>): AnswerReader<SealedPage<T>> {
	return {
		accept: asJson,
		limitBytes: limits.list,
		read: (answer) => ({
			guess: guessNext(answer.body),
			open: () => asForgeErrors(() => unreadPage(jsonOf(answer), decode)),
		}),
		readLong: (answer, ways) => (isBigBareList(answer.body) ? openedPage(answer, decode, ways) : undefined),
	};
}

/** Decodes a whole list immediately: no further page has to go first. */
async function openedPage<T extends Numbered>(
	answer: HttpAnswer,
	decode: Decoder<T>,
	ways: FarWays,
): Promise<SealedPage<T>> {
	const pieces = farPieces(answer.body, ways);
	const raw = await (pieces ? farPage(answer, decode, pieces) : bareListPage(answer, decode));
	return { guess: undefined, open: () => ({ raw, read: () => raw.items }) };
}

function unreadPage<T>(json: unknown, decode: Decoder<T>): UnreadPage<T> {
	const raw = rawPage(json, numbered);
	return {
		raw,
		read: () =>
			asForgeErrors(() => {
				try {
					return decodeItems(raw.items, decode);
				} catch (error) {
					throw raw.isEnvelope && error instanceof Misread ? error.below('.results') : error;
				}
			}),
	};
}

function asForgeErrors<T>(run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

function numbered(value: unknown): Numbered {
	if (!isNumbered(value)) {
		throw new Misread('.id', 'expected a number');
	}
	return value;
}

function isNumbered(value: unknown): value is Numbered {
	return isObject(value) && Number.isSafeInteger(value['id']);
}

/** Maximum length of a reference: two names and a number. */
const longestRef = 600;

/**
 * The number below the last reference of the page (`"ref": "~alice/alpha#7"`). Quotes inside JSON strings are escaped,
 * so a match is a member name, or a string without a reference behind it.
 */
function guessNext(body: Uint8Array): string | undefined {
	const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	const ref = bytes.lastIndexOf('"ref"');
	const next = bytes.indexOf('"next"');
	if (ref === -1 || next === -1 || /^"next"\s*:\s*null/.test(bytes.toString('latin1', next, next + 40))) {
		return undefined;
	}
	const [, id] = /^"ref"\s*:\s*"[^"]*#(\d{1,15})"/.exec(bytes.toString('latin1', ref, ref + longestRef)) ?? [];
	return id === undefined || Number(id) <= 1 ? undefined : String(Number(id) - 1);
}
