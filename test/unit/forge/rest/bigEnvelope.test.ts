import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { listBy, bigEnvelopeItems } from '../../../../src/forge/rest/answers.ts';
import { Misread } from '../../../../src/forge/answers/decoding.ts';
import { turnsDuring } from '../../../support/turnsDuring.ts';

const reader = listBy(decode, 'list');
const here = { farJson: undefined, signal: new AbortController().signal };

function decode(value: unknown): unknown {
	if (value === 'wrong') {
		throw new Misread('.id', 'expected a number');
	}
	return value;
}

function answerOf(text: string): Parameters<typeof reader.read>[0] {
	const body = new TextEncoder().encode(text);
	return { status: 200, contentType: 'application/json', location: undefined, retryAfterMs: undefined, body };
}

/** About a megabyte, with everything in it that could be taken for an end or a beginning. */
function wordy(extra: readonly unknown[] = []): readonly unknown[] {
	const items = Array.from({ length: 3000 }, (_, id) => ({
		id,
		text: `"results":[ ],[ "quoted" \\ }{ , äöü ${'x'.repeat(200)}\\`,
		results: [1, [2, ','], {}],
	}));
	return [...items.slice(0, 2999), ...extra, ...items.slice(2999)];
}

suite('long pages in an envelope', () => {
	test('are read in pieces as they would be at once, whatever stands in and around them', async () => {
		const around = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
		const decoys = { first: 'results', second: { results: [0] }, results: undefined };
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue(), { maxLength: 9 }),
				around,
				fc.boolean(),
				async (extra, more, isPretty) => {
					const { results: _, ...rest } = more;
					const envelope = {
						...decoys,
						...rest,
						results: wordy(extra),
						next: '~12',
						total: 3000,
						last: ['results', []],
					};
					const answer = answerOf(JSON.stringify(envelope, null, isPretty ? 1 : 0));
					assert.deepEqual(await reader.readLong?.(answer, here), reader.read(answer));
				},
			),
			inRounds({ small: 20, full: 400 }),
		);
	});

	test('blanks and a byte order mark before them change nothing', async () => {
		const text = JSON.stringify({ results: wordy(), next: '~12' });
		const whole = reader.read(answerOf(text));
		for (const before of [' ', '\r\n\t ', '\uFEFF', '\uFEFF\n']) {
			const answer = answerOf(before + text);
			assert.deepEqual(await reader.readLong?.(answer, here), whole);
			assert.deepEqual(reader.read(answer), whole);
		}
		for (const before of ['\u00A0', ' \uFEFF', '\uFEFF\uFEFF', '\v']) {
			const answer = answerOf(before + text);
			assert.equal(reader.readLong?.(answer, here), undefined);
			assert.throws(() => reader.read(answer), Misread);
		}
	});

	test('of items that are named twice the last count, as everywhere', async () => {
		const items = JSON.stringify(wordy());
		for (const again of [
			'"results":[]',
			'"results" : [1,2]',
			'"\\u0072esults":[3]',
			'"a":{"results":7},"results":[4]',
		]) {
			const answer = answerOf(`{"results":${items},"next":"~12",${again}}`);
			assert.deepEqual(await reader.readLong?.(answer, here), reader.read(answer), again);
			assert.ok(reader.read(answer).items.length < 3);
		}
		const none = answerOf(`{"results":${items},"results":null}`);
		await assert.rejects(async () => await reader.readLong?.(none, here), { at: '.results' });
		const before = answerOf(`{"results":[1],"results":${items}}`);
		assert.equal((await reader.readLong?.(before, here))?.items.length, 3000);
	});

	test('let others run between the pieces', async () => {
		const answer = answerOf(JSON.stringify({ next: null, results: wordy() }));
		const turns = await turnsDuring(async () => {
			assert.equal((await reader.readLong?.(answer, here))?.items.length, 3000);
		});
		assert.ok(turns >= 8, `${turns} turns`);
	});

	test('a wrong item is told by its place in the whole page', async () => {
		const answer = answerOf(JSON.stringify({ results: wordy(['wrong']), next: null }));
		await assert.rejects(async () => await reader.readLong?.(answer, here), { at: '.results[2999].id' });
	});

	test('one that ends too early is told as any that is no JSON', async () => {
		const whole = JSON.stringify({ results: wordy(), next: null });
		for (const text of [whole.slice(0, -200_000), whole.slice(0, -1), `${whole}]`]) {
			await assert.rejects(async () => await reader.readLong?.(answerOf(text), here), {
				at: '',
				why: 'the answer is no JSON or ends too early',
			});
		}
	});

	test('shorter pages and what is no page are read at once', () => {
		assert.equal(bigEnvelopeItems(answerOf(JSON.stringify({ results: [1, 2], next: null })).body), undefined);
		const big = answerOf(JSON.stringify({ result: wordy(), about: { results: [] } }));
		assert.equal(reader.readLong?.(big, here), undefined);
		assert.throws(() => reader.read(big), { at: '.results' });
	});
});
