import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, type Problem } from '../../../../../src/forge/forgeError.ts';
import type { NewTracker } from '../../../../../src/forge/tracker.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { createTracker } = await import('../../../../../src/features/tickets/manage/createTracker.ts');
const { deleteOwned } = await import('../../../../../src/editor/owned/deleteOwned.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');

const never = new AbortController().signal;
const lost: Problem = { kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' };
const tracker = { owner: '~alice', name: 'my_tool' };

/** Servers take `_` in a name for any letter when they look it up (docs/protocol.md#tracker-look-up). */
function world(...names: readonly string[]): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(...names.map((name) => makeTracker({ name })));
	Object.assign(fake.api, {
		tracker: async ({ name }: { readonly name: string }) => {
			const pattern = new RegExp(`^${name.replaceAll('_', '.')}$`, 'i');
			const found = fake.world.trackers.find((each) => pattern.test(each.name));
			if (!found) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return found;
		},
	});
	return fake;
}

suite('managing trackers', () => {
	setup(resetStub);

	test('a tracker whose answer was lost counts as made only when it is there under its very name', async () => {
		const { api } = world('my-tool');
		Object.assign(api, { create: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('my_tool', '');
		await assert.rejects(createTracker(fakeConnection(api), never), { name: 'ForgeError' });
		const there = world();
		Object.assign(there.api, {
			create: async ({ name }: NewTracker) => {
				there.world.trackers.push(makeTracker({ name }));
				throw new ForgeError(lost);
			},
		});
		stubbed.answers.push('my_tool', '');
		await createTracker(fakeConnection(there.api), never);
		assert.equal(stubbed.shown.at(-1), 'Created ~alice/my_tool');
	});

	test('who can see a tracker is asked only where the forge wants to know, and sent with the same name', async () => {
		const { api } = world();
		const sent: unknown[] = [];
		Object.assign(api, {
			create: async (wanted: NewTracker) => {
				sent.push(wanted);
				if (wanted.visibility === undefined) {
					throw new ForgeError({ kind: 'invalid', errors: [{ field: 'visibility', reason: 'Required' }] });
				}
				return makeTracker({ name: wanted.name });
			},
		});
		stubbed.answers.push('tool', '', 'Unlisted');
		await createTracker(fakeConnection(api), never);
		assert.deepEqual(sent, [{ name: 'tool' }, { name: 'tool', visibility: 'unlisted' }]);
		assert.equal(stubbed.asked.at(-1), 'Who can see the tracker?');
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['Public', undefined],
				['Unlisted', undefined],
				['Private', undefined],
			],
		);
	});

	test('a tracker is gone when only one with a similar name is there', async () => {
		const { api } = world('my-tool');
		Object.assign(api, { remove: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('Continue…', '~alice/my_tool');
		await deleteOwned(trackerKind, fakeConnection(api), tracker, never);
		assert.equal(stubbed.shown.at(-1), 'Deleted ~alice/my_tool');
		const there = world('my_tool');
		Object.assign(there.api, { remove: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('Continue…', '~alice/my_tool');
		await assert.rejects(deleteOwned(trackerKind, fakeConnection(there.api), tracker, never), { name: 'ForgeError' });
	});
});
