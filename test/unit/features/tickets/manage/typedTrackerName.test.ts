import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { deleteOwned } = await import('../../../../../src/editor/owned/askOwned.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');

suite('name that confirms a tracker deletion', () => {
	setup(resetStub);

	test('must be the full reference in its exact spelling', async () => {
		const { api, world } = fakeTrackers();
		world.trackers.push(makeTracker());
		const removed: unknown[] = [];
		Object.assign(api, { remove: async (ref: unknown) => void removed.push(ref) });
		const ref = { owner: '~alice', name: 'alpha' };
		const { signal } = new AbortController();
		for (const typed of ['alpha', '~alice', '~Alice/alpha', '~alice/alph', '']) {
			stubbed.answers.push('Continue…', typed);
			await assert.rejects(deleteOwned(trackerKind, fakeConnection(api), ref, signal), isAbort, typed);
		}
		assert.deepEqual(removed, []);
		stubbed.answers.push('Continue…', ' ~alice/alpha ');
		await deleteOwned(trackerKind, fakeConnection(api), ref, signal);
		assert.deepEqual(removed, [ref]);
	});
});
