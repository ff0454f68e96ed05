import assert from 'node:assert/strict';
import { caller } from '../../src/rest/caller.ts';
import { trackerEndpoints } from '../../src/rest/endpoints.ts';
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
});
