import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { AppliedPatchset, ApplyContext } from '../../../../../src/features/patches/apply/savedApplied.ts';
import type { Prerequisite } from '../../../../../src/store/lists/patchsets/prerequisites.ts';
import type { PatchsetSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { applyInOrder } = await import('../../../../../src/features/patches/apply/applyInOrder.ts');
const never = new AbortController().signal;

/** Applies patchset 7 of a world where each patchset needs these others. `failing`: patchsets that git stops at. */
function rig(
	needs: Readonly<Record<number, readonly number[]>>,
	failing: readonly number[] = [],
	done: readonly number[] = [],
) {
	const { api, ref } = patchsetWorld('~alice');
	const connection = listConnection(api);
	const records: AppliedPatchset[] = [];
	const applied: number[] = [];
	const prerequisites = async ({ id }: { readonly id: number }): Promise<readonly Prerequisite[]> =>
		[...(needs[id] ?? []), ...(id === 7 ? [undefined] : [])].map((other) => ({
			dependency: { kind: 'patch', patchId: '0'.repeat(40) },
			patchset:
				other === undefined
					? undefined
					: makePatchset({
							id: other,
							subject: `Number ${other}`,
							createdMs: other,
							status: done.includes(other) ? 'applied' : 'proposed',
						}),
		}));
	const parts = {
		...listsParts(fakeConnections({ ...connection, reviews: { ...connection.reviews, prerequisites } })),
		applied: fake<ApplyContext['applied']>({ all: () => records }),
		changed: async () => undefined,
		during: <T>(work: () => Promise<T>) => work(),
	};
	const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref: { ...ref, id: 7 } };
	const apply = async (_: unknown, of: PatchsetSubject): Promise<void> => {
		applied.push(of.ref.id);
		const after = failing.includes(of.ref.id) ? undefined : 'a'.repeat(40);
		records.push(fake<AppliedPatchset>({ subject: of, folder: `/${of.ref.id}`, after }));
	};
	return { applied, run: () => applyInOrder(parts, subject, apply, never) };
}

suite('patchsets that a patchset needs', () => {
	setup(() => resetStub());

	test('are applied first and in order, each after a question', async () => {
		const { applied, run } = rig({ 7: [5, 4], 4: [3], 3: [7] });
		stubbed.answers.push('Apply First', 'Apply First');
		await run();
		assert.deepEqual(applied, [3, 4, 5, 7]);
	});

	test('are left out if the user wants that, or if the forge has them as applied', async () => {
		const without = rig({ 7: [5] });
		stubbed.answers.push('Apply Without');
		await without.run();
		assert.deepEqual(without.applied, [7]);
		const done = rig({ 7: [5] }, [], [5]);
		resetStub();
		await done.run();
		assert.deepEqual([done.applied, stubbed.shown], [[7], []]);
	});

	test('stop the others if one stops or the user closes the question', async () => {
		const stopped = rig({ 7: [4, 5] }, [4]);
		stubbed.answers.push('Apply First');
		await assert.rejects(stopped.run(), isAbort);
		assert.deepEqual(stopped.applied, [4]);
		const closed = rig({ 7: [5] });
		await assert.rejects(closed.run(), isAbort);
		assert.deepEqual(closed.applied, []);
	});
});
