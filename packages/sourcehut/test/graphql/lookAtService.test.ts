import assert from 'node:assert/strict';
import { lookAtService } from '../../src/graphql/transport/findProtocol.ts';
import type { HttpAnswer, HttpClient } from '../../src/http/httpClient.ts';
import { fake } from '../../../../test/support/fake.ts';

suite('a look at a service', () => {
	async function said(body: string, contentType = 'application/json', status = 403): Promise<string> {
		const answer = fake<HttpAnswer>({
			status,
			contentType,
			body: Buffer.from(body),
			location: undefined,
			sentMs: undefined,
		});
		const http = fake<HttpClient>({ send: async () => answer });
		return (await lookAtService(http, 'https://git.test', new AbortController().signal)).said;
	}

	test('repeats the sentence of the server, from any form of an error, and no web page', async () => {
		const sentence = 'Your network is blocked.';
		const bodies: readonly unknown[] = [
			{ errors: [{ reason: sentence }] },
			{ errors: [{ message: sentence }, { message: 'more' }] },
			{ error: 'denied', error_description: sentence },
			{ error: sentence },
			{ message: sentence },
			sentence,
		];
		for (const body of bodies) {
			assert.equal(await said(JSON.stringify(body)), sentence);
		}
		assert.equal(await said(`  ${sentence}\n`, 'text/plain'), sentence);
		assert.equal(await said(`<p>${sentence}</p>`, 'text/html; charset=utf-8'), '');
		for (const body of ['', '{}', '[]', 'null', '7', '{"errors":[]}', '{"errors":[7]}', '{"reason":7}']) {
			assert.equal(await said(body), '', body);
		}
		assert.ok((await said('x'.repeat(100_000), 'text/plain')).length <= 500);
	});
});
