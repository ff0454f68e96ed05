/*
 * Servers repeat what they were sent, in their own spelling. The text is decoded in every way at once, and each decoded
 * character knows its place in the text. The cost is linear in the text.
 */

/** A decoded text. `from` and `to`: for each of its UTF-16 units, the place in the text. */
interface Decoded {
	readonly text: string;
	readonly from: readonly number[];
	readonly to: readonly number[];
}

/** A decoding, and the character or bytes that it makes of a match. */
type Decoder = readonly [pattern: string, decode: (match: string) => string];

/** No other run of secrets is removed: ordinary texts share short ones. */
const longestLeft = 7;
/** Also before a mark where the text was cut. */
const shortestSecret = 4;
const shownInstead = '[secret]';
/** As normalized: three dots. */
const cutMark = '...';
/** An encoding inside an encoding inside an encoding. */
const mostRounds = 4;

const bytesOf = (hex: string): string =>
	Array.from(hex.matchAll(/[0-9a-f]{2}/gi), ([pair]) => String.fromCharCode(Number.parseInt(pair, 16))).join('');

/** UTF-8, or the characters of the bytes. */
function textOfBytes(bytes: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
	} catch {
		return bytes;
	}
}

const fromCode = (code: number): string => (code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');
const nothing = (): string => '';

/** Names of entities, each before its sign. */
const named: ReadonlyMap<string, string> = new Map(
	String.raw`amp& lt< gt> quot" apos' sol/ plus+ equals= percnt% colon: commat@ lowbar_ bsol\ hyphen- dash- num# dollar$ excl! period. quest? ast* semi; comma, lpar( rpar) lsqb[ rsqb] lcub{ rcub} verbar| Hat^ szligß`
		.split(' ')
		.map((each) => [each.slice(0, -1), each.slice(-1)]),
);

function entity(match: string): string {
	const name = match.slice(1).replace(/;$/, '');
	if (name.startsWith('#')) {
		return fromCode(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10));
	}
	const [, letter] = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|ring|cedil|caron|slash)$/.exec(name) ?? [];
	return named.get(name) ?? letter ?? '';
}

function backslashed(match: string): string {
	const [, hex, octal] = /^\\u\{?([0-9a-f]+)\}?$|^\\([0-7]{3})$/i.exec(match) ?? [];
	return hex !== undefined
		? fromCode(Number.parseInt(hex, 16))
		: octal !== undefined
			? fromCode(Number.parseInt(octal, 8))
			: '/"\'\\'.includes(match.slice(1))
				? match.slice(1)
				: '';
}

const escapes: readonly Decoder[] = [
	['(?:%[0-9a-f]{2}){1,400}', (match) => textOfBytes(bytesOf(match))],
	['%u[0-9a-f]{4}', (match) => fromCode(Number.parseInt(match.slice(2), 16))],
	['&#x[0-9a-f]{1,6};?', entity],
	['&#[0-9]{1,7};?', entity],
	['&[a-z]{2,8};', entity],
	[String.raw`\\u\{[0-9a-f]{1,6}\}`, backslashed],
	[String.raw`\\u[0-9a-f]{4}`, backslashed],
	[String.raw`(?:\\x[0-9a-f]{2}){1,400}`, (match) => textOfBytes(bytesOf(match.replaceAll('\\x', '')))],
	[String.raw`\\[0-7]{3}`, backslashed],
	[String.raw`\\[nrtbfv/"'\\]`, backslashed],
	// Colours of a terminal.
	[String.raw`\u001B\[[0-9;]{0,20}[a-z]`, nothing],
];
const quotedPrintable: readonly Decoder[] = [
	['(?:=[0-9a-f]{2}){1,400}', (match) => textOfBytes(bytesOf(match))],
	[String.raw`=[ \t]{0,4}\r?\n`, nothing],
	[String.raw`\?=\s{1,8}=\?[^?\s]{1,40}\?[bq]\?`, nothing],
];
const tags: readonly Decoder[] = [['<[^<>]{1,200}>', nothing]];

/** Decoders whose matches may also be letters of a secret make a reading of their own. */
const readings: readonly (readonly Decoder[])[] = [
	[],
	escapes,
	[...escapes, ...quotedPrintable],
	[...escapes, ...tags],
];

function plain(text: string): Decoded {
	const from = Array.from({ length: text.length }, (_, at) => at);
	return { text, from, to: from.map((at) => at + 1) };
}

/** One round of decoders, from left to right. */
function once(decoders: readonly Decoder[], { text, from, to }: Decoded): Decoded {
	const parts: string[] = [];
	const starts: number[] = [];
	const ends: number[] = [];
	let done = 0;
	const keep = (end: number): void => {
		parts.push(text.slice(done, end));
		for (; done < end; done += 1) {
			starts.push(from[done] ?? 0);
			ends.push(to[done] ?? 0);
		}
	};
	const pattern = new RegExp(decoders.map(([each]) => `(${each})`).join('|'), 'gi');
	for (const match of text.matchAll(pattern)) {
		const which = decoders.findIndex((_, at) => match[at + 1] !== undefined);
		const made = decoders[which]?.[1](match[0]) ?? '';
		keep(match.index);
		done = match.index + match[0].length;
		parts.push(made);
		for (let unit = 0; unit < made.length; unit += 1) {
			starts.push(from[match.index] ?? 0);
			ends.push(to[done - 1] ?? 0);
		}
	}
	keep(text.length);
	return { text: parts.join(''), from: starts, to: ends };
}

function decoded(decoders: readonly Decoder[], given: Decoded): Decoded {
	let now = given;
	for (let round = 0; round < mostRounds && decoders.length > 0; round += 1) {
		const next = once(decoders, now);
		if (next.text === now.text) {
			break;
		}
		now = next;
	}
	return now;
}

/** Keeps what `letter` makes of each character. */
function mapped({ text, from, to }: Decoded, letter: (character: string) => string): Decoded {
	const parts: string[] = [];
	const starts: number[] = [];
	const ends: number[] = [];
	let at = 0;
	for (const character of text) {
		const made = letter(character);
		const last = at + character.length - 1;
		parts.push(made);
		for (let unit = 0; unit < made.length; unit += 1) {
			starts.push(from[at] ?? 0);
			ends.push(to[last] ?? 0);
		}
		at = last + 1;
	}
	return { text: parts.join(''), from: starts, to: ends };
}

const isAscii = /^[\x21-\x7E]$/;
/** Blanks, hidden characters, marks, fillers, and the plus sign, which forms write for a blank. */
const unseen = /[\p{Z}\p{C}\p{M}\u115F\u1160\u3164\uFFA0\u2800+]/gu;

const visible = (character: string): string =>
	isAscii.test(character)
		? character === '+'
			? ''
			: character.toLowerCase()
		: character.normalize('NFKD').replaceAll(unseen, '').toLowerCase();
const lettersOnly = (character: string): string => visible(character).replaceAll(/[^\p{L}\p{N}]/gu, '');

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sixBits: ReadonlyMap<string, number> = new Map([
	...Array.from(base64, (letter, at) => [letter, at] as const),
	['-', 62],
	['_', 63],
]);

/** The bytes of groups of digits, from a digit on. */
function bytesIn(
	digits: Decoded,
	{ first, bits, value }: { readonly first: number; readonly bits: 4 | 6; readonly value: (digit: string) => number },
): Decoded {
	const codes: string[] = [];
	const starts: number[] = [];
	const ends: number[] = [];
	let [held, length] = [0, 0];
	for (let at = first; at < digits.text.length; at += 1) {
		held = ((held << bits) | value(digits.text[at] ?? '')) & 0x3f_ff;
		length += bits;
		if (length >= 8) {
			length -= 8;
			codes.push(String.fromCharCode((held >> length) & 0xff));
			// The digit before may belong to another word.
			starts.push(digits.from[digits.to[at - 1] === digits.from[at] ? at - 1 : at] ?? 0);
			ends.push(digits.to[at] ?? 0);
		}
	}
	return { text: codes.join(''), from: starts, to: ends };
}

/** UTF-8 in bytes, and UTF-16: its zeros are unseen. */
function* packed(given: Decoded): Generator<Decoded, void, void> {
	const digits64 = mapped(given, (character) => (sixBits.has(character) ? character : ''));
	for (const first of [0, 1, 2, 3]) {
		yield bytesIn(digits64, { first, bits: 6, value: (digit) => sixBits.get(digit) ?? 0 });
	}
	const hex = once(
		[
			['0x(?=[0-9a-f]{2})', nothing],
			['[^0-9a-f]{1,400}', nothing],
		],
		given,
	);
	for (const first of [0, 1]) {
		yield bytesIn(hex, { first, bits: 4, value: (digit) => Number.parseInt(digit, 16) });
	}
	yield once(
		[
			['[0-9]{2,3}', (code) => fromCode(Number(code))],
			['[^0-9]{1,400}', nothing],
		],
		given,
	);
}

/** Parts of secrets that may not stay. */
class Grams {
	/** By length. False: not across a blank, because ordinary words next to each other have these letters. */
	readonly #known = new Map<number, Map<string, boolean>>();
	readonly #starts = new Uint8Array(1 << 16);

	/** Each run of eight characters, without those that `letter` drops. */
	add(secret: string, letter: (character: string) => string, least: number, crosses: boolean): void {
		const characters = Array.from(secret);
		for (let at = 0; at === 0 || at + longestLeft < characters.length; at += 1) {
			const gram = characters
				.slice(at, at + longestLeft + 1)
				.map(letter)
				.join('');
			if (gram.length >= least) {
				const all = this.#known.get(gram.length) ?? new Map<string, boolean>();
				this.#known.set(gram.length, all);
				all.set(gram, crosses || all.get(gram) === true);
				this.#starts[hashAt(gram, 0)] = 1;
			}
		}
	}

	/** Calls `found` for each part in a text. */
	search(text: string, found: (from: number, to: number, crossesBlanks: boolean) => void): void {
		for (let at = 0; at < text.length; at += 1) {
			if (this.#starts[hashAt(text, at)] === 1) {
				for (const [length, all] of this.#known) {
					const crosses = all.get(text.slice(at, at + length));
					if (crosses !== undefined) {
						found(at, at + length, crosses);
					}
				}
			}
		}
	}
}

function hashAt(text: string, at: number): number {
	return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xff_ff;
}

/** Signs of encoded words. The rest of such a word may be a part of the secret, too. */
const wordSign = /[\p{L}\p{N}%&#\\=+_~-]/u;
const packedSign = /[\p{L}\p{N}%&#\\=+_~/-]/u;

/**
 * Removes secrets and the home folder from a text of a server, in any spelling: escaped, encoded, folded, cut, with
 * hidden characters. A secret below eight letters goes as a whole only.
 */
export function withoutSecrets(text: string, secrets: readonly string[], home: string): string {
	const known = secrets.filter((each) => each.length >= shortestSecret);
	// A second look changes nothing, whatever the secret is.
	const parts = known.length === 0 ? [text] : text.split(shownInstead).map((part) => withoutRuns(part, known));
	const bare = parts.join(shownInstead);
	return home.length > 1 ? bare.replaceAll(home, '~') : bare;
}

/** Parts of secrets, and the beginnings before a cut mark. */
function gramsOf(secrets: readonly string[]) {
	const [seen, letters] = [new Grams(), new Grams()];
	const beginnings = new Set<string>();
	for (const secret of secrets) {
		// Packed texts are bytes.
		const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('');
		for (const read of [bytes, ...readings.map((reading) => decoded(reading, plain(secret)).text)]) {
			const crosses = secret.length > longestLeft || /\s/.test(secret);
			seen.add(read, visible, shortestSecret, crosses);
			letters.add(mapped(plain(read), lettersOnly).text, lettersOnly, longestLeft, crosses);
			const shown = mapped(plain(read), visible).text;
			for (let length = shortestSecret; length <= longestLeft; length += 1) {
				beginnings.add(shown.slice(0, length));
			}
		}
	}
	return { seen, letters, beginnings };
}

function withoutRuns(text: string, secrets: readonly string[]): string {
	const { seen, letters, beginnings } = gramsOf(secrets);
	const marked = new Uint8Array(text.length);
	function mark(from: number, to: number, sign: RegExp): void {
		let [first, end] = [from, to];
		while (first > 0 && marked[first - 1] === 0 && sign.test(text[first - 1] ?? '')) {
			first -= 1;
		}
		while (end < text.length && marked[end] === 0 && sign.test(text[end] ?? '')) {
			end += 1;
		}
		marked.fill(1, first, end);
	}
	function look(given: Decoded, sign: RegExp): void {
		for (const [grams, letter] of [
			[seen, visible],
			[letters, lettersOnly],
		] as const) {
			const { text: stream, from, to } = mapped(given, letter);
			grams.search(stream, (at, end, crossesBlanks) => {
				const [first = 0, last = 0] = [from[at], to[end - 1]];
				if (crossesBlanks || !/\s/.test(text.slice(first, last))) {
					mark(first, last, sign);
				}
			});
		}
	}
	for (const reading of readings) {
		const read = decoded(reading, plain(text));
		look(read, wordSign);
		const { text: stream, from, to } = mapped(read, visible);
		for (let at = stream.indexOf(cutMark); at !== -1; at = stream.indexOf(cutMark, at + 1)) {
			for (let length = longestLeft; length >= shortestSecret; length -= 1) {
				if (at >= length && beginnings.has(stream.slice(at - length, at))) {
					mark(from[at - length] ?? 0, to[at - 1] ?? 0, wordSign);
				}
			}
		}
		for (const each of packed(read)) {
			look(decoded(escapes, each), packedSign);
		}
	}
	const parts: string[] = [];
	for (let at = 0; at < text.length;) {
		const end = marked.indexOf(1 - (marked[at] ?? 0), at);
		const next = end === -1 ? text.length : end;
		parts.push(marked[at] === 1 ? shownInstead : text.slice(at, next));
		at = next;
	}
	return parts.join('');
}
