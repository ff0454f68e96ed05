import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isBigBareList, readBareList } from '../../../../src/forge/rest/bareList.ts';
import { Misread } from '../../../../src/forge/answers/decoding.ts';
import { counts, seed } from '../../../support/counts.ts';
import { turnsDuring } from '../../../support/turnsDuring.ts';

const asIs = (value: unknown): unknown => value;

function bytes(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

/** A list of about a megabyte, each item with everything in it that could be taken for an end. */
function big(extra: readonly unknown[] = []): readonly unknown[] {
	const wordy = Array.from({ length: 4000 }, (_, id) => ({
		id,
		text: `],[ "quoted" \\ }{ , äöü \u2028 ${'x'.repeat(200)}\\`,
		inner: { list: [1, [2, ','], {}], none: null },
	}));
	return [...wordy.slice(0, 3999), ...extra, ...wordy.slice(3999)];
}

suite('long bare lists', function () {
	this.timeout(600_000);
	test('are read in pieces as they would be at once, whatever stands in them', async () => {
		const text = JSON.stringify(big());
		assert.ok(isBigBareList(bytes(text)));
		assert.deepEqual(await readBareList(bytes(`${text}\n `), asIs), JSON.parse(text));
		await fc.assert(
			fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), fc.boolean(), async (extra, isPretty) => {
				const written = JSON.stringify(big(extra), null, isPretty ? 1 : 0);
				assert.deepEqual(await readBareList(bytes(written), asIs), JSON.parse(written));
			}),
			{ numRuns: counts({ small: 8, full: 100 }), seed: seed() },
		);
	});

	test('are read in pieces behind blanks and a byte order mark, too, and as they would be at once', async () => {
		const text = JSON.stringify(big());
		for (const before of ['\n ', '\uFEFF', '\uFEFF\t']) {
			assert.ok(isBigBareList(bytes(before + text)));
			assert.deepEqual(await readBareList(bytes(before + text), asIs), JSON.parse(text));
		}
		assert.ok(!isBigBareList(bytes(` \uFEFF${text}`)));
		await assert.rejects(readBareList(bytes(text.replace('[', '[\uFEFF')), asIs), Misread);
	});

	test('let others run between the pieces', async () => {
		const turns = await turnsDuring(() => readBareList(bytes(JSON.stringify(big())), asIs));
		assert.ok(turns >= 8, `${turns} turns`);
	});

	test('a wrong item is told by its place in the whole list', async () => {
		const decode = (value: unknown): unknown => {
			if (value === 'wrong') {
				throw new Misread('.id', 'expected a number');
			}
			return value;
		};
		await assert.rejects(readBareList(bytes(JSON.stringify(big(['wrong']))), decode), { at: '[3999].id' });
	});

	for (const [what, damage] of [
		['that ends too early', (text: string) => text.slice(0, -40)],
		['whose last text has no end', (text: string) => text.slice(0, text.lastIndexOf('"'))],
		['with something behind it', (text: string) => `${text} x`],
		['with a bracket of another kind', (text: string) => `${text.slice(0, -1)}}`],
		['with a comma too many', (text: string) => `${text.slice(0, -1)},]`],
		['with a word that is none', (text: string) => text.replace('"id":1000', '"id":nope')],
	] as const) {
		test(`one ${what} is not understood, and nothing of it is quoted`, async () => {
			const text = damage(JSON.stringify(big()));
			assert.throws(() => JSON.parse(text));
			await assert.rejects(readBareList(bytes(text), asIs), {
				name: 'Misread',
				why: 'the answer is no JSON or ends too early',
			});
		});
	}

	test('pages and envelopes are read at once', () => {
		assert.deepEqual(
			['[]', '[{"id":1}]', `{"results":[${'1,'.repeat(300_000)}1]}`].map((text) => isBigBareList(bytes(text))),
			[false, false, false],
		);
	});
});
