import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { createRandom, type Random } from '../support/random.ts';
import { counts, seed } from '../support/counts.ts';
import type { TextParser } from '../support/textParsers.ts';
import { growthOf, isSlowEachTime, mostGrowth } from '../support/cpuTime.ts';
import { chosenPart, testInBoth } from '../support/parts.ts';

const { textParsers } = await import('../support/textParsers.ts');

/** A text of any length: a beginning, a repeated part, and an end. */
interface GrowingText {
	readonly begin: string;
	readonly again: string;
	readonly end: string;
}

/** Characters; the longest text has four times as many. */
const usualSize = 10_000;
/**
 * A text below this time at four times the size is harmless and unlikely to be quadratic: there are 800 million
 * pairs.
 */
const quickMs = 10;
const mostMs = 250;
/** Inputs per parser besides its tokens alone; in full counts fewer for a slow parser. */
const inputsEach = ({ slowness = 1 }: TextParser): number =>
	counts({ least: 5, small: 8, full: Math.ceil(240 / slowness) });

/** Found by full counts, by the names of parsers. */
const onceSlow: Readonly<Record<string, readonly GrowingText[]>> = {
	'status of gpg': [{ begin: '[GNUPG:] ', again: '0123456789abcdef0123456789abcdef01234567', end: '\r\u0001' }],
	'patterns of paths': [{ begin: '', again: '}:{', end: '[\u0001' }],
	'text of a marker': [
		{ begin: '<!--', again: 'TODO`=', end: '\n\u0001' },
		{ begin: 'TODO a', again: ' ', end: 'b' },
	],
};

function made({ begin, again, end }: GrowingText, length: number): string {
	return begin + again.repeat(Math.ceil(length / again.length)) + end;
}

function madeOf(tokens: readonly string[], random: Random): GrowingText {
	const some = (most: number, least = 0): string =>
		Array.from(
			{ length: least + random.below(most + 1 - least) },
			() => tokens[random.below(tokens.length)] ?? '',
		).join('');
	// No grammar has this character, so it ends any open construct.
	return { begin: some(1), again: some(3, 1), end: some(1) + (random.chance(50) ? '\u0001' : '') };
}

/** A complaint about a text's parsing time; `undefined` if it grows at most linearly. */
function complaint({ read, slowness = 1 }: TextParser, text: GrowingText): string | undefined {
	const size = usualSize / counts({ least: slowness, small: slowness, full: 1 });
	for (const length of [size / 10, size]) {
		const short = made(text, length);
		if (isSlowEachTime(() => read(short), { limitMs: mostMs, repeats: 3 })) {
			return `${length} characters take more than ${mostMs} ms`;
		}
	}
	const long = made(text, 4 * size);
	if (!isSlowEachTime(() => read(long), { limitMs: quickMs, repeats: 3 })) {
		return undefined;
	}
	const growth = growthOf(read, (length) => made(text, length), size);
	return growth <= mostGrowth ? undefined : `twice as much takes ${growth} times as long`;
}

suite('parsing foreign and typed texts', () => {
	let tried = 0;
	suiteTeardown(() => console.log(`      ${tried} inputs for ${textParsers.length} parsers`));

	for (const parser of textParsers) {
		const { name, tokens } = parser;
		testInBoth(`${name}: time grows at most linearly with the text`, function () {
			this.timeout(counts({ least: 60_000, small: 60_000, full: 1_800_000 }));
			const random = createRandom(seed());
			const texts = [
				...(onceSlow[name] ?? []),
				...tokens.map((again): GrowingText => ({ begin: '', again, end: '\u0001' })),
				...Array.from({ length: inputsEach(parser) }, () => madeOf(tokens, random)),
			];
			const chosen = chosenPart() === 'first' ? texts.filter((_, at) => at % 6 === 0) : texts;
			for (const text of chosen) {
				const wrong = complaint(parser, text);
				assert.equal(wrong, undefined, `${JSON.stringify(text)}: ${wrong}`);
				tried += 1;
			}
		});
	}
});
