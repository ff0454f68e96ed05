import assert from 'node:assert/strict';
import type { HttpAnswer } from '../../src/http/httpClient.ts';
import { line } from '../../src/rest/answers.ts';
import { Misread } from '../../src/answers/decoding.ts';

const id = 'a1b2c3d4e5'.repeat(4);

function answer(text: string, contentType: string): HttpAnswer {
	return {
		status: 200,
		contentType,
		location: undefined,
		retryAfterMs: undefined,
		body: new TextEncoder().encode(text),
	};
}

suite('text line over REST', () => {
	for (const type of ['text/plain; charset=utf-8', 'text/html; charset=utf-8', '']) {
		test(`accepts its format with type "${type}"`, () => {
			for (const text of [id, 'refs/heads/devel', 'refs/heads/a<b>/ü', 'ref: refs/heads/master']) {
				assert.equal(line.read(answer(text, type)), text);
				assert.equal(line.read(answer(`${text}\n`, type)), text);
			}
		});

		test(`rejects any other text with type "${type}"`, () => {
			for (const text of [
				'',
				'devel',
				'Please sign in',
				'<!doctype html><title>Sign in</title>',
				`<p>${id}</p>`,
				`${id}\n<p>Sign in</p>`,
				`refs/heads/master\n${id}`,
				'refs/heads/a b',
				'refs/heads/a\u0007b',
				id.slice(1),
				id.toUpperCase(),
			]) {
				assert.throws(() => line.read(answer(text, type)), Misread, JSON.stringify(text));
			}
		});
	}
});
