/** A part of some JSON that was parsed elsewhere. */
export type JsonPiece =
	/**
	 * Comes first: the whole value. Where it is a list, or an object whose `results` are one, that list is empty and its
	 * items follow.
	 */
	| { readonly kind: 'around'; readonly value: unknown }
	/** The next items of that list, about as many as can be taken in without holding anybody up. */
	| { readonly kind: 'items'; readonly items: readonly unknown[] }
	| { readonly kind: 'noJson' }
	/** Reading it would take too much memory, or took too long. */
	| { readonly kind: 'tooMuch' };

/** Parses JSON where that holds up nobody. */
export interface FarJson {
	/** The pieces of JSON in UTF-8, in their order. Throws the signal's reason. */
	read(body: Uint8Array, signal: AbortSignal): AsyncGenerator<JsonPiece, void, undefined>;
}

/** What a thread that parses JSON is asked: to parse some, or for the next items of what it parsed. */
export type JsonQuestion = { readonly kind: 'parse'; readonly body: Uint8Array } | { readonly kind: 'next' };

/** `end`: there are no more items. */
export type JsonAnswer = JsonPiece | { readonly kind: 'end' };

/** How much of a list goes together: characters of its texts, and some for each value. */
const pieceSize = 128 * 1024;
const sizePerValue = 16;
/** Nothing that is read is nested more deeply than this, and only what is read has to be weighed. */
const deepestWeighed = 6;

/** Each list and object takes a hundred times the memory of its two brackets. Honest answers have some ten thousand. */
const mostBrackets = 2_000_000;
const [quote, backslash, openArray, openObject] = [0x22, 0x5c, 0x5b, 0x7b];

/** Answers the questions of one reader at a time. */
export function jsonAnswerer(): (question: JsonQuestion) => JsonAnswer {
	/** What follows; `undefined` while no answer is being read, as in a thread that took the place of a broken one. */
	let items: readonly unknown[] | undefined;
	let next = 0;

	function parse(body: Uint8Array): JsonAnswer {
		next = 0;
		items = undefined;
		let value: unknown;
		if (hasTooManyBrackets(body)) {
			return { kind: 'tooMuch' };
		}
		try {
			value = JSON.parse(new TextDecoder().decode(body));
		} catch {
			return { kind: 'noJson' };
		}
		items = [];
		if (Array.isArray(value)) {
			items = value;
			return { kind: 'around', value: [] };
		}
		const results: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'results') : undefined;
		if (typeof value === 'object' && Array.isArray(results)) {
			items = results;
			return { kind: 'around', value: { ...value, results: [] } };
		}
		return { kind: 'around', value };
	}

	function nextItems(): JsonAnswer {
		if (items === undefined) {
			return { kind: 'tooMuch' };
		}
		const start = next;
		for (let size = 0; next < items.length && size < pieceSize; next += 1) {
			size += weightOf(items[next], 0);
		}
		if (next > start) {
			return { kind: 'items', items: items.slice(start, next) };
		}
		items = undefined;
		return { kind: 'end' };
	}

	return (question) => (question.kind === 'parse' ? parse(question.body) : nextItems());
}

/** Brackets within texts are no brackets. */
function hasTooManyBrackets(body: Uint8Array): boolean {
	let brackets = 0;
	for (let at = 0; at < body.length && brackets <= mostBrackets; at += 1) {
		const byte = body[at];
		if (byte === quote) {
			at = endOfText(body, at);
		} else if (byte === openArray || byte === openObject) {
			brackets += 1;
		}
	}
	return brackets > mostBrackets;
}

/** Where the quote is that ends the text that begins at `from`; the end of all when there is none. */
function endOfText(body: Uint8Array, from: number): number {
	let at = from + 1;
	while (at < body.length && body[at] !== quote) {
		at += body[at] === backslash ? 2 : 1;
	}
	return at;
}

function weightOf(value: unknown, depth: number): number {
	if (typeof value === 'string') {
		return value.length + sizePerValue;
	}
	if (typeof value !== 'object' || value === null || depth === deepestWeighed) {
		return sizePerValue;
	}
	return Object.values(value).reduce<number>((sum, inner) => sum + weightOf(inner, depth + 1), sizePerValue);
}
