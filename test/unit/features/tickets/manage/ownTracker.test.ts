import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { ownTarget } = await import('../../../../../src/editor/owned/askOwned.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');

const never = new AbortController().signal;
const aborted = { name: 'AbortError' };

function account(...names: readonly string[]) {
	const { world, api } = fakeTrackers();
	world.trackers.push(
		...names.map((name, id) => makeTracker({ name, id })),
		makeTracker({ name: 'theirs', id: 99, owner: makeUser('bob') }),
	);
	return { world, connections: fakeConnections(fakeConnection(api)) };
}

const tracker = (owner: string, name: string) =>
	({ kind: 'tracker', connectionKey: 'sample-alice', ref: { owner, name } }) as const;

suite('own tracker of a command', () => {
	setup(() => resetStub());

	test('is the tracker of the row, without a question', async () => {
		const { connections, world } = account('alpha');
		assert.deepEqual(
			await ownTarget(trackerKind, connections, tracker('~alice', 'alpha'), never),
			tracker('~alice', 'alpha'),
		);
		assert.deepEqual([stubbed.asked, stubbed.shown, world.calls], [[], [], []]);
	});

	test('is never another user’s, and the message names the owner', async () => {
		const { connections } = account('alpha');
		await assert.rejects(ownTarget(trackerKind, connections, tracker('~bob', 'theirs'), never), aborted);
		assert.equal(stubbed.shown.length, 1);
		assert.match(stubbed.shown[0] ?? '', /~bob/);
	});

	test('is chosen in the palette among own trackers only', async () => {
		const { connections } = account('alpha', 'beta');
		stubbed.answers.push('beta');
		assert.deepEqual(await ownTarget(trackerKind, connections, undefined, never), tracker('~alice', 'beta'));
		assert.deepEqual(stubbed.offered.map(({ label }) => label).toSorted(), ['alpha', 'beta']);
	});

	test('shows a message instead of a question when the user has none', async () => {
		const { connections } = account();
		await assert.rejects(ownTarget(trackerKind, connections, undefined, never), aborted);
		assert.deepEqual([stubbed.asked, stubbed.shown.length], [[], 1]);
	});
});
