import assert from 'node:assert/strict';
import { jsonAnswerer, type JsonAnswer, type JsonQuestion } from '../src/workerJson.ts';

const next: JsonQuestion = { kind: 'next' };

function parse(text: string): JsonQuestion {
	return { kind: 'parse', body: new TextEncoder().encode(text) };
}

suite('JSON worker', () => {
	test('sends the surrounding object first, then the list items, then the end', () => {
		const answer = jsonAnswerer();
		const given: readonly JsonAnswer[] = [answer(parse('{"results":[1,2],"total":2}')), answer(next), answer(next)];
		assert.deepEqual(given, [
			{ kind: 'around', value: { results: [], total: 2 } },
			{ kind: 'items', items: [1, 2] },
			{ kind: 'end' },
		]);
	});

	test('refuses the next batch when it holds no list', () => {
		assert.deepEqual(jsonAnswerer()(next), { kind: 'tooMuch' });
		const answer = jsonAnswerer();
		answer(parse('[1]'));
		answer(parse('{'));
		assert.deepEqual(answer(next), { kind: 'tooMuch' });
	});
});
