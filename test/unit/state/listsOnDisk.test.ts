import assert from 'node:assert/strict';
import { ForgeError } from '../../../src/forge/forgeError.ts';
import { keptMails } from '../../../src/state/keptMails.ts';
import { ListStore } from '../../../src/state/listStore.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { fakeLists, type FakeListWorld } from '../../support/fakeLists.ts';
import { makeMail, makePatchset } from '../../support/makeMail.ts';
import { textsInMemory, type TextsInMemory } from '../../support/textsInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const ref = { list: devel, id: 1 };

/** A window of an account with a patchset, `[PATCH 0/2]` as mail 10, its patches as 11 and 12, and an answer as 13. */
function openWindow(disk: TextsInMemory): { readonly world: FakeListWorld; readonly store: ListStore } {
	const { world, api } = fakeLists();
	const cover = makeMail({ id: 10, subject: '[PATCH proj 0/2] Improve', patchsetId: 1 });
	const patches = [1, 2].map((index) =>
		makeMail({
			id: 10 + index,
			subject: `[PATCH proj ${index}/2] Part ${index}`,
			parentId: 10,
			threadId: 10,
			patchsetId: 1,
			patchset: { version: 1, status: 'proposed' },
			isPatch: true,
			text: '---\r\n 1 file changed, 2 insertions(+)\r\n\r\ndiff --git a/a b/a',
		}),
	);
	world.mails.push(cover, ...patches, makeMail({ id: 13, parentId: 12, threadId: 10 }));
	world.series.set(1, patches);
	world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
	return { world, store: new ListStore({ api, me: '~alice', followed: keptNames(), disk: keptMails(disk) }) };
}

suite('series on disk', () => {
	test('the mails of a patchset that was read in another window are not asked for again', async () => {
		const disk = textsInMemory();
		const before = await openWindow(disk).store.series(ref, never);
		const { world, store } = openWindow(disk);
		const { cover, patches } = await store.series(ref, never);
		assert.deepEqual(cover, before.cover);
		// What the server says of the patchset with its mails may be another word by now.
		assert.deepEqual(
			patches,
			before.patches.map(({ patchset: _status, ...patch }) => patch),
		);
		assert.equal((await store.mail(12, never)).messageId, '<m12@forge.test>');
		assert.deepEqual(world.calls, []);
	});

	test('a series whose cover letter may be read later is not kept without it', async () => {
		const disk = textsInMemory();
		const closed = openWindow(disk);
		closed.world.before = (call) =>
			call === 'email 10' ? Promise.reject(new ForgeError({ kind: 'notAllowed' })) : undefined;
		assert.equal((await closed.store.series(ref, never)).cover, undefined);
		assert.equal((await openWindow(disk).store.series(ref, never)).cover?.id, 10);
	});

	for (const [what, change] of [
		['without a patch', (text: string) => text.replace('"patches":[', '"patches":[null,')],
		['with half a number', (text: string) => text.replace('"insertions":2', '"insertions":2.5')],
		['of another patchset', (text: string) => text.replace('"name":"series ', '"name":"series x')],
		['of another version', (text: string) => text.replace('"version":1', '"version":9')],
		['that is empty', () => ''],
	] as const) {
		test(`a file ${what} is removed and the series asked for`, async () => {
			const disk = textsInMemory();
			await openWindow(disk).store.series(ref, never);
			const name = [...disk.texts.keys()].find((each) => each.startsWith('series ')) ?? '';
			const changed = change(disk.texts.get(name) ?? '');
			assert.notEqual(changed, disk.texts.get(name));
			disk.texts.set(name, changed);
			const { world, store } = openWindow(disk);
			assert.equal((await store.series(ref, never)).patches.length, 2);
			assert.deepEqual(world.calls, ['patches 1 0']);
		});
	}
});
