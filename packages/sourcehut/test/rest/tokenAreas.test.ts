import assert from 'node:assert/strict';
import { openNet } from '../../src/net.ts';
import { isForgeError } from '../../src/port/forgeError.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';

suite('the token of a request', () => {
	test('is asked for by the area that the request goes to, because areas refuse tokens by themselves', async () => {
		const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
		const asked: string[] = [];
		// Without a token nothing is sent.
		const tokenFor = ({ area }: { readonly area: string }): undefined => void asked.push(area);
		const forge = net.connectForge({ instance: sampleInstance, me: '~alice', tokenFor });
		const { signal } = new AbortController();
		const ref = { owner: '~alice', name: 'alpha' };
		for (const call of [
			() => forge.trackers.tracker(ref, signal),
			() => forge.lists.list(ref, signal),
			() => forge.repositories.repository(ref, signal),
		]) {
			await assert.rejects(call(), (error) => isForgeError(error) && error.problem.kind === 'notSignedIn');
		}
		await net.close();
		assert.deepEqual(asked, ['todo', 'lists', 'git']);
	});
});
