/** A part of a JSON value parsed in another thread. */
export type JsonPiece =
	/** First piece: the whole value, with its list (the value or its `results`) emptied. */
	| { readonly kind: 'around'; readonly value: unknown }
	/** The next items of that list, sized for processing within a slice. */
	| { readonly kind: 'items'; readonly items: readonly unknown[] }
	| { readonly kind: 'noJson' }
	/** Memory or time limit exceeded. */
	| { readonly kind: 'tooMuch' };

/** Parses JSON off the main thread. */
export interface WorkerJson {
	/** Parses UTF-8 JSON and yields its pieces in order. Rejects with the signal's reason. */
	read(body: Uint8Array, signal: AbortSignal): AsyncGenerator<JsonPiece, void, undefined>;
}

/** A message to the parser thread: parse a body, or return the next items. */
export type JsonQuestion = { readonly kind: 'parse'; readonly body: Uint8Array } | { readonly kind: 'next' };

/** `end`: no more items. */
export type JsonAnswer = JsonPiece | { readonly kind: 'end' };

/** Piece size: characters of texts plus an amount per value. */
const pieceSize = 128 * 1024;
const sizePerValue = 16;
/** Decoders read nothing deeper, so only this depth counts toward the size. */
const deepestWeighed = 6;

/** Each list or object takes a hundred times the memory of its brackets. Honest responses have some ten thousand. */
const mostBrackets = 2_000_000;
const [quote, backslash, openArray, openObject] = [0x22, 0x5c, 0x5b, 0x7b];

/** Serves one reader at a time. */
export function jsonAnswerer(): (question: JsonQuestion) => JsonAnswer {
	/** Remaining items; `undefined` without a current body, for example in the replacement of a crashed thread. */
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

/** Ignores brackets inside strings. */
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

/** Position of the closing quote; the end of the body without one. */
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
