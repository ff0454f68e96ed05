import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { nameOfSender } from '../../../../../src/engine/text/visible.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { pastedList } from 'sourcehut/web/readAddress.ts';

const { listsSubject } = await import('../../../../../src/features/lists/subjects/subjects.ts');
const { quotedMessageId, webLink } = await import('../../../../../src/features/lists/subjects/webLink.ts');
const { patchsetReference } = await import('../../../../../src/features/review/patchset/headView.ts');

const connectionKey = 'sample-alice';
const list = { owner: '~alice', name: 'devel' };
const origin = 'https://lists.forge.test';

suite('list links', () => {
	const connections = fakeConnections(listConnection(fakeLists().api));

	test('exist for lists, patchsets and messages', () => {
		assert.equal(webLink(connections, { kind: 'list', connectionKey, ref: list }), `${origin}/~alice/devel`);
		assert.equal(
			webLink(connections, { kind: 'patchset', connectionKey, ref: { list, id: 7 } }),
			`${origin}/~alice/devel/patches/7`,
		);
		assert.equal(
			webLink(connections, { kind: 'mail', connectionKey, list, id: 7, messageId: '<a/b@x>' }),
			`${origin}/~alice/devel/%3Ca%2Fb%40x%3E`,
		);
	});

	test('point to the first message for a formed patchset', async () => {
		const { api, ref } = patchsetWorld('~alice', { laterInThread: true });
		const connection = listConnection(api);
		const fifth = { ...ref, id: formedPatchsetId(31) };
		const subject = { kind: 'patchset', connectionKey, ref: fifth };
		assert.equal(webLink(fakeConnections(connection), subject), `${origin}/~alice/devel`);
		await connection.reviews.read(ref, new AbortController().signal);
		assert.equal(webLink(fakeConnections(connection), subject), `${origin}/~alice/devel/%3Cm31%40forge.test%3E`);
		assert.equal(patchsetReference(fifth, quotedMessageId(connection, fifth)), '~alice/devel/<m31@forge.test>');
	});

	test('quote the cover letter, else the first patch, although servers name the last one', async () => {
		const { api, ref } = patchsetWorld('~alice');
		const connection = listConnection(api);
		await connection.reviews.read(ref, new AbortController().signal);
		const { cover, patches = [] } = connection.reviews.known(ref)?.series ?? {};
		const first = (cover ?? patches[0]?.mail)?.messageId;
		assert.notEqual(first, undefined);
		assert.equal(quotedMessageId(connection, ref), first);
		assert.ok(patches.length > 1 && first !== patches.at(-1)?.mail.messageId);
	});

	test('use the thing of a row, and the message of a document', async () => {
		const { world, api } = fakeLists();
		world.mails.push(makeMail({ id: 7 }));
		const connection = listConnection(api);
		await connection.lists.mails.mail(7, new AbortController().signal);
		const uri = { scheme: 'forge-mail', authority: connectionKey, path: '/~alice/devel/7/Welcome ' };
		assert.equal(webLink(fakeConnections(connection), uri), `${origin}/~alice/devel/%3Cm7%40forge.test%3E`);
		const row = { item: {}, subject: { kind: 'list', connectionKey, ref: list } };
		assert.equal(webLink(connections, row), `${origin}/~alice/devel`);
	});

	test('know the document of a message with the large number of an archive', () => {
		const at = (id: string) => ({
			scheme: 'forge-mail',
			authority: connectionKey,
			path: `/lore.example/git/${id}/Hello `,
		});
		const number = Number.MAX_SAFE_INTEGER;
		assert.deepEqual(listsSubject(at(String(number))), {
			kind: 'mail',
			connectionKey,
			list: { owner: 'lore.example', name: 'git' },
			id: number,
			messageId: undefined,
		});
		assert.equal(listsSubject(at(String(2 ** 53))), undefined);
	});

	test('point to the message of a patch file, else to its patchset', async () => {
		const { world, api } = fakeLists();
		world.mails.push(makeMail({ id: 7 }));
		const connection = listConnection(api);
		const file = { kind: 'patchFile', connectionKey, list, patchsetId: 3, mailId: 7, fileIndex: 0 };
		assert.equal(webLink(fakeConnections(connection), file), `${origin}/~alice/devel/patches/3`);
		await connection.lists.mails.mail(7, new AbortController().signal);
		assert.equal(webLink(fakeConnections(connection), file), `${origin}/~alice/devel/%3Cm7%40forge.test%3E`);
	});

	for (const subject of [
		undefined,
		null,
		'list',
		{ kind: 'list', connectionKey, ref: { owner: 1, name: 'x' } },
		{ kind: 'list', connectionKey: 'gone', ref: list },
		{ kind: 'patchset', connectionKey, ref: { list, id: -1 } },
		{ kind: 'mail', connectionKey, list, id: 7 },
		{ kind: 'ticket', connectionKey, ref: list },
		{ scheme: 'forge-mail', authority: connectionKey, path: '/~alice/devel/x/y' },
		{ scheme: 'file', authority: connectionKey, path: '/~alice/devel/7/y' },
	]) {
		test(`don’t exist for ${JSON.stringify(subject) ?? 'nothing'}`, () => {
			assert.equal(webLink(connections, subject), undefined);
		});
	}

	test('a reference or any URL inside a list names the list', () => {
		for (const text of [
			'~alice/devel',
			' ~alice/devel/ ',
			`${origin}/~alice/devel`,
			`${origin}/~alice/devel/patches/7`,
			`${origin}/%7Ealice/devel/%3Cm7%40forge.test%3E`,
		]) {
			assert.deepEqual(pastedList(text, origin), list, text);
		}
		assert.deepEqual(pastedList('bob@forge.test/devel', origin), { owner: 'bob@forge.test', name: 'devel' });
		for (const text of [
			'',
			'alice/devel',
			'~alice',
			'https://evil.test/~alice/devel',
			`${origin}/%`,
			'~a/b/c',
			'~/devel',
		]) {
			assert.equal(pastedList(text, origin), undefined, text);
		}
	});

	test('a sender header yields the sender’s name', () => {
		assert.equal(nameOfSender('Bob Builder <bob@forge.test>'), 'Bob Builder');
		assert.equal(nameOfSender('"Builder, \\"Bob\\"" <bob@forge.test>'), 'Builder, "Bob"');
		assert.equal(nameOfSender('<bob@forge.test>'), 'bob@forge.test');
		assert.equal(nameOfSender('bob@forge.test'), 'bob@forge.test');
	});
});
