import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { patchsetNamed, patchsetName } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { listConnection } from '../../../support/fakeLists.ts';
import { patchsetWorld, replyMail } from '../../../support/patchsetWorld.ts';

const { getPatchset } = await import('../../../../src/features/lists/models/listTools.ts');
const { tabTitle } = await import('../../../../src/features/review/patchset/headView.ts');
const { patchsetOfMail } = await import('../../../../src/features/lists/subjects/mailPlaces.ts');
const { reviewOfUri, reviewUri } = await import('../../../../src/features/lists/subjects/reviewUri.ts');
const { draftOfUri, draftUri } = await import('../../../../src/features/tickets/drafts/draftUri.ts');
const { watchedTitle } = await import('../../../../src/features/inbox/inboxWords.ts');
const { ToolInputError } = await import('../../../../src/editor/models/toolInput.ts');

const never = new AbortController().signal;
const fifth = formedPatchsetId(31);
const named = '~alice/devel/<m31@forge.test>';

suite('ids of formed patchsets', () => {
	test('are hidden from language models, with the first message instead', async () => {
		const { api, ref } = patchsetWorld('~alice', { laterInThread: true });
		const connection = listConnection(api);
		const connections = fakeConnections(connection);
		await assert.rejects(getPatchset(connections, { patchset: named }, never, fakeClock()), ToolInputError);
		const base = await getPatchset(connections, { patchset: '~alice/devel/patches/2' }, never, fakeClock());
		assert.match(base, /version 5: ~alice\/devel\/<m31@forge\.test>, proposed/);
		assert.match(base, /superseded, by ~alice\/devel\/patches\/3 \(version 3\)/, 'version 5 lacks a patch');
		const later = await getPatchset(connections, { patchset: named }, never, fakeClock());
		assert.match(later, /\| ~alice\/devel\/<m31@forge\.test>: fold: find in a tree at last/);
		for (const text of [base, later]) {
			assert.ok(!text.includes(String(fifth)), text);
		}
		assert.equal(connection.lists.knownMailNamed('<m31@forge.test>', ref.list)?.mail.patchsetId, fifth);
	});

	test('are hidden in titles and URIs', () => {
		const ref = { owner: '~alice', name: 'devel' };
		const of = { connectionKey: 'sample-alice', ref: { list: ref, id: fifth } };
		const review = reviewUri(of);
		assert.deepEqual(reviewOfUri(review), of);
		const about = { kind: 'review', ...of, part: { kind: 'mail', messageId: '<m31@forge.test>' } } as const;
		const draft = draftUri(about);
		assert.deepEqual(draftOfUri(draft), about);
		const shown = [
			review.path,
			draft.path,
			tabTitle({ list: ref, id: fifth }, undefined),
			watchedTitle({ kind: 'patchset', ref: { list: ref, id: fifth } }),
			patchsetName(fifth),
		];
		shown.forEach((text) => assert.ok(!text.includes(String(fifth)), text));
	});

	test('are parsed from patchset names', () => {
		for (const id of [1, 7, fifth]) {
			assert.equal(patchsetNamed(patchsetName(id)), id);
		}
		['', '0', 'mail-', 'mail-0', '-1', 'x', '1e3'].forEach((name) => assert.equal(patchsetNamed(name), undefined));
	});

	test('don’t apply to a reply of the server’s patchset in the same thread', async () => {
		const { api, ref, world } = patchsetWorld('~alice', { laterInThread: true });
		world.mails.push(replyMail(40, 21, 'Nice.'));
		const connection = listConnection(api);
		await connection.reviews.read(ref, never);
		await connection.reviews.read({ ...ref, id: fifth }, never);
		const { list } = ref;
		assert.equal(patchsetOfMail(connection, { list, id: 40 }), 2);
		assert.equal(patchsetOfMail(connection, { list, id: 31 }), fifth);
	});
});
