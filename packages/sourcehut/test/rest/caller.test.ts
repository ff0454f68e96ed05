import assert from 'node:assert/strict';
import { caller } from '../../src/rest/caller.ts';
import { observedEndpoints, trackerEndpoints } from '../../src/rest/endpoints.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../src/http/httpClient.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { standFor } from '../../../../test/support/standFor.ts';

suite('REST caller', () => {
	test('sends a request in the same turn when the token is known', () => {
		const sent: (string | undefined)[] = [];
		const http = standFor<HttpClient>({
			send({ authorization }: HttpRequest): Promise<HttpAnswer> {
				sent.push(authorization);
				return new Promise(() => undefined);
			},
		});
		const { call } = caller({
			instance: sampleInstance,
			me: '~alice',
			tokenFor: () => 'secret',
			http,
			clock: fakeClock(),
		});
		void call(trackerEndpoints.tracker, { params: { 'tracker-name': 'lantern' }, signal: wanted() });
		assert.deepEqual(sent, ['Bearer secret']);
	});

	test('a web page in place of an answer is no answer of the service, unless it holds the line', async () => {
		const answers: Pick<HttpAnswer, 'contentType' | 'body'>[] = [
			{ contentType: 'text/html; charset=utf-8', body: new TextEncoder().encode('{"name":"lantern"}') },
			{ contentType: 'text/html', body: new TextEncoder().encode('<h1>Sign in</h1>') },
			{ contentType: 'text/html', body: new TextEncoder().encode(`${'a'.repeat(40)}\n`) },
		];
		const http = standFor<HttpClient>({
			send: () => Promise.resolve(standFor<HttpAnswer>({ status: 200, ...answers.shift() })),
		});
		const { call } = caller({
			instance: sampleInstance,
			me: '~alice',
			tokenFor: () => 'secret',
			http,
			clock: fakeClock(),
		});
		const page = (area: 'todo' | 'git') => ({
			problem: { kind: 'unreachable', reason: 'webPage', host: new URL(sampleInstance.areas[area]).host },
		});
		await assert.rejects(
			call(trackerEndpoints.tracker, { params: { 'tracker-name': 'lantern' }, signal: wanted() }),
			page('todo'),
		);
		const line = { params: { name: 'lantern', rev: 'master' }, owner: '~alice', signal: wanted() } as const;
		await assert.rejects(call(observedEndpoints.lookup, line), page('git'));
		assert.equal(await call(observedEndpoints.lookup, line), 'a'.repeat(40));
	});
});
