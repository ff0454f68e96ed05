import type { RawPage } from '../answers/pagingWay.ts';
import { forgeErrorOf } from '../answers/failures.ts';
import type { HttpAnswer } from '../http/httpClient.ts';
import { asJson, bareListPage, farPage, jsonOf, limits, rawPage, type AnswerReader } from './answers.ts';
import { isBigBareList } from './bareList.ts';
import { farPieces, type FarWays } from '../answers/farAnswers.ts';
import { decodeItems, isObject, Misread, type Decoder } from '../answers/decoding.ts';

/** Something that is told by its number. */
export interface Numbered {
	readonly id: number;
}

/** A page of a list as it came, not even parsed yet. */
export interface SealedPage<T> {
	/** Where the next page most likely starts, told by a glimpse. Only the opened page tells for certain. */
	readonly guess: string | undefined;
	/** Parses the page. Throws `ForgeError`. */
	readonly open: () => UnreadPage<T>;
}

/** A page whose items are not decoded yet: enough to know where the next one starts. */
export interface UnreadPage<T> {
	readonly raw: RawPage<Numbered>;
	/** Decodes all items, in their order. Throws `ForgeError`. */
	readonly read: () => readonly T[];
}

/** A list of numbered things whose answers are handed on unopened, so that other work can go before. */
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

/** A whole list is read before it is handed on: no other page comes after it that could wait. */
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

/** The longest that a reference may be: two names and a number. */
const longestRef = 600;

/**
 * The number below the last reference of the page (`"ref": "~alice/alpha#7"`). Quotes inside JSON strings are escaped,
 * so these words are a field's name or a text of its own, and then no reference follows.
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
