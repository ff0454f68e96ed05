import assert from 'node:assert/strict';
import { openNet } from '../../src/net.ts';
import { isForgeError } from '../../src/port/forgeError.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';

suite('token lookup', () => {
	test('passes the area of the request, because areas reject tokens independently', async () => {
		const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
		const asked: string[] = [];
		// A missing token stops the request.
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
