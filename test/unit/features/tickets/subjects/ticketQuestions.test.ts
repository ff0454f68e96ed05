import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askTracker } = await import('../../../../../src/features/tickets/subjects/ticketQuestions.ts');

const never = new AbortController().signal;

suite('asking for a tracker', () => {
	setup(resetStub);

	test('offers all of one’s own, however many pages they take', async () => {
		const { world, api } = fakeTrackers();
		world.pageSize = 3;
		world.trackers.push(...Array.from({ length: 7 }, (_, at) => makeTracker({ id: at + 1, name: `tool${at}` })));
		stubbed.answers.push('~alice/tool6');
		const chosen = await askTracker(fakeConnections(fakeConnection(api)), never);
		assert.equal(chosen.ref.name, 'tool6');
		assert.equal(stubbed.offered.length, 7);
	});

	test('an account that cannot be asked does not hide those of the others', async () => {
		const [down, up] = [fakeTrackers('~bob'), fakeTrackers()];
		down.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'x' });
		};
		up.world.trackers.push(makeTracker(), makeTracker({ id: 2, name: 'beta' }));
		const connections = fakeConnections(fakeConnection(down.api, '~bob'), fakeConnection(up.api));
		stubbed.answers.push('~alice/beta');
		assert.equal((await askTracker(connections, never)).ref.name, 'beta');
		const nobody = fakeConnections(fakeConnection(down.api, '~bob'));
		await assert.rejects(askTracker(nobody, never), { name: 'ForgeError' });
	});
});
