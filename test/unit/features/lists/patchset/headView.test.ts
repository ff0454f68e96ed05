import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PatchsetHeadView } from '../../../../../src/protocol/patchsetView.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';

const { headView } = await import('../../../../../src/features/lists/patchset/headView.ts');

const { signal: never } = new AbortController();

/** The head of a patchset whose cover letter has this header `From`. */
async function headOf(from: string, submitter: string): Promise<PatchsetHeadView> {
	const { api, ref, world } = patchsetWorld();
	for (const mails of [world.mails, world.series.get(ref.id) ?? []]) {
		const at = mails.findIndex(({ id }) => id === 20);
		const cover = mails[at];
		assert.ok(cover);
		mails.splice(at, 1, { ...cover, envelope: cover.envelope.replace(/^From: .*$/m, `From: ${from}`) });
	}
	const connection = listConnection(api);
	const standing = await connection.reviews.read(ref, never);
	const patchset = { ...(await connection.lists.patchset(ref, never)), submitter };
	return headView({ ref, patchset, standing, seen: [], me: '~alice', check: undefined, canApply: true });
}

suite('the head of a patchset page', () => {
	test('names whoever the mail is from, by name and address', async () => {
		const { submitter } = await headOf('Bob <bob@forge.test>', 'Bob <bob@forge.test>');
		assert.deepEqual(submitter, { name: 'Bob', address: 'bob@forge.test' });
	});

	test('takes no one of several for the sender, and shows what the forge says as it is written', async () => {
		const both = 'Bob <bob@forge.test>, Mallory <mallory@elsewhere.test>';
		const { submitter } = await headOf(both, both);
		assert.deepEqual(submitter, { name: both, address: '' });
	});
});
