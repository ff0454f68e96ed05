import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonAnswerer, type WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { HttpAnswer } from '../../src/http/httpClient.ts';
import { listBy, one, oneOrNothing } from '../../src/rest/answers.ts';
import { Misread } from '../../src/answers/decoding.ts';
import * as v from 'valibot';
import { counts, seed } from '../../../../test/support/counts.ts';

const { signal } = new AbortController();
let parsed = 0;

/** Parses on this thread with the same copies as a worker. */
const workerJson: WorkerJson = {
	async *read(body) {
		parsed += 1;
		const answer = jsonAnswerer();
		for (let piece = answer({ kind: 'parse', body }); piece.kind !== 'end'; piece = answer({ kind: 'next' })) {
			yield structuredClone(piece);
			if (piece.kind === 'noJson' || piece.kind === 'tooMuch') {
				return;
			}
			await new Promise(setImmediate);
		}
	},
};
const far = { workerJson, signal };
const tooMuch: WorkerJson = {
	// oxlint-disable-next-line require-yield -- as the interface has it
	async *read() {
		yield await Promise.resolve({ kind: 'tooMuch' } as const);
	},
};

function answerOf(text: string, contentType = 'application/json'): HttpAnswer {
	const body = new TextEncoder().encode(text);
	return { status: 200, contentType, location: undefined, retryAfterMs: undefined, body };
}

function decode(value: unknown): unknown {
	if (value === 'wrong') {
		throw new Misread('.id', 'expected a number');
	}
	return value;
}

const filling = 'x'.repeat(1_100_000);
const list = listBy(decode, 'mail');
const single = one(v.unknown(), 'mail');

/** Each body has more than a million characters. */
const numRuns = counts({ small: 5, full: 60 });

suite('large responses', () => {
	test('a worker decodes a list, with or without envelope, like this thread', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), async (items, more) => {
				const all = [...items, filling, { __proto__x: 1 }];
				for (const value of [all, { ...more, results: all, next: '~12', total: 5 }]) {
					const answer = answerOf(JSON.stringify(value));
					assert.deepEqual(await list.readLong?.(answer, far), list.read(answer));
				}
			}),
			{ numRuns, seed: seed() },
		);
		assert.ok(parsed >= numRuns * 2);
	}).timeout(60_000);

	test('a worker decodes a single object like this thread', async () => {
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async (value) => {
				for (const whole of [{ envelope: filling, value }, { results: [value], filling }, [value, filling], filling]) {
					const answer = answerOf(JSON.stringify(whole));
					assert.deepEqual(await single.readLong?.(answer, far), single.read(answer));
				}
			}),
			{ numRuns, seed: seed() },
		);
	}).timeout(60_000);

	test('names such as __proto__ stay field names', async () => {
		const answer = answerOf(`{"__proto__":{"a":1},"constructor":2,"filling":"${filling}","results":[{"__proto__":3}]}`);
		assert.deepEqual(await single.readLong?.(answer, far), single.read(answer));
		assert.deepEqual(await list.readLong?.(answer, far), list.read(answer));
	});

	test('this thread parses small responses, and all without a worker', async () => {
		const large = answerOf(JSON.stringify({ envelope: filling }));
		assert.equal(single.readLong?.(answerOf('{}'), far), undefined);
		assert.equal(single.readLong?.(large, { workerJson: undefined, signal }), undefined);
		assert.equal(list.readLong?.(answerOf('[]'), far), undefined);
	});

	test('a decoding error is the same as on this thread', async () => {
		const many = Array.from({ length: 400 }, () => 'x'.repeat(3000));
		const wrong: readonly (readonly [text: string, reader: typeof list | typeof single])[] = [
			[JSON.stringify([...many, 'wrong']), list],
			[JSON.stringify({ results: [...many, 'wrong'] }), list],
			[JSON.stringify({ results: 7, many }), list],
			[JSON.stringify({ many }), list],
			[JSON.stringify(filling), list],
			[JSON.stringify(many).slice(0, -1), list],
			[`${JSON.stringify({ many })} x`, single],
		];
		for (const [text, reader] of wrong) {
			const answer = answerOf(text);
			const here = errorOf(() => reader.read(answer));
			await assert.rejects(async () => await reader.readLong?.(answer, far), {
				name: 'Misread',
				at: here.at,
				why: here.why,
			});
		}
	});

	test('a response that is too large for the worker is rejected, not parsed on this thread', async () => {
		const answer = answerOf(JSON.stringify([filling]));
		await assert.rejects(async () => await list.readLong?.(answer, { workerJson: tooMuch, signal }), {
			name: 'Misread',
			why: 'the answer is more than can be read',
		});
	});

	test('this thread parses an optional object', () => {
		assert.equal(oneOrNothing(v.object({})).readLong, undefined);
	});
});

function errorOf(run: () => unknown): Misread {
	try {
		run();
	} catch (error) {
		assert.ok(error instanceof Misread);
		return error;
	}
	return assert.fail('it was read');
}
