import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { fakeLists, listConnection } from '../../support/fakeLists.ts';
import { patchText } from '../../support/makeSeries.ts';
import { makeList, makeMail } from '../../support/makeMail.ts';
import { fakeConnections } from '../../support/fakeConnection.ts';

const { patchUri } = await import('../../../src/editor/patchDocuments/patchUri.ts');
const { watchedSubject } = await import('../../../src/app/windowInbox.ts');

const never = new AbortController().signal;
const [tracker, list] = [
	{ owner: '~bob', name: 'beta' },
	{ owner: '~alice', name: 'devel' },
];

suite('watchable subject of a row or page in another view', () => {
	const { api, world } = fakeLists();
	const connection = listConnection(api);
	const connections = fakeConnections(connection);
	const connectionKey = connection.key;
	suiteSetup(async () => {
		const devel = makeList();
		world.lists.push(devel);
		world.posts.set('~alice/devel', [
			makeMail({ id: 5, list: devel }),
			makeMail({ id: 6, list: devel, threadId: 5 }),
			makeMail({ id: 7, list: devel, patchsetId: 2 }),
		]);
		await connection.lists.posts(list).first(never);
		const owner = { list: devel, isPatch: true, text: patchText('a.c') };
		world.mails.push(
			makeMail({ ...owner, id: 10, subject: '[PATCH] a', patchsetId: 3 }),
			makeMail({ ...owner, id: 11, subject: '[PATCH v2] a', threadId: 10, parentId: 10 }),
		);
		await connection.lists.thread(list, 10, never);
	});

	test('is the patchset of a diff', () => {
		const place = { connectionKey, list, patchsetId: 2, mailId: 7, view: { kind: 'after', fileIndex: 0 } } as const;
		assert.deepEqual(watchedSubject(connections, patchUri(place, 'src/fold.c')), {
			connectionKey,
			watched: { kind: 'patchset', ref: { list, id: 2 } },
		});
	});

	for (const [what, subject, watched] of [
		['a tracker', { kind: 'tracker', ref: tracker }, { kind: 'tracker', ref: tracker }],
		['a ticket', { kind: 'ticket', ref: { tracker, id: 3 } }, { kind: 'ticket', ref: { tracker, id: 3 } }],
		['a list', { kind: 'list', ref: list }, { kind: 'list', ref: list }],
		['a patchset', { kind: 'patchset', ref: { list, id: 2 } }, { kind: 'patchset', ref: { list, id: 2 } }],
		[
			'the patchset of a version sent as a reply',
			{ kind: 'patchset', ref: { list, id: formedPatchsetId(11) } },
			{ kind: 'patchset', ref: { list, id: 3 } },
		],
		['a conversation', { kind: 'mail', list, id: 5 }, { kind: 'thread', list, id: 5 }],
		['the conversation of a reply', { kind: 'mail', list, id: 6 }, { kind: 'thread', list, id: 5 }],
		['the patchset of a mail', { kind: 'mail', list, id: 7 }, { kind: 'patchset', ref: { list, id: 2 } }],
		['the conversation of an unknown mail', { kind: 'mail', list, id: 99 }, { kind: 'thread', list, id: 99 }],
		['a repository', { kind: 'repository', ref: tracker }, { kind: 'repository', ref: tracker }],
		[
			'the repository of a branch',
			{ kind: 'reference', ref: tracker, revision: 'main' },
			{ kind: 'repository', ref: tracker },
		],
	] as const) {
		test(`is ${what}`, () => {
			assert.deepEqual(watchedSubject(connections, { connectionKey, ...subject }), { connectionKey, watched });
		});
	}

	test('is undefined for other subjects, and for an account that is gone', () => {
		assert.equal(watchedSubject(connections, { kind: 'person', connectionKey }), undefined);
		assert.equal(watchedSubject(connections, { kind: 'list', connectionKey: 'gone', ref: list }), undefined);
		assert.equal(watchedSubject(connections, undefined), undefined);
	});
});
