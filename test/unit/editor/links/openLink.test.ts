import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/store/connection.ts';
import { fakeConnections, sampleInstance } from '../../../support/fakeConnection.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { openLink } = await import('../../../../src/editor/links/openLink.ts');

const { signal: never } = new AbortController();
const { todo, lists, git } = sampleInstance.areas;
const base = `${todo}/~alice/alpha/12`;
const alpha = { owner: '~alice', name: 'alpha' };

function account(key: string, areas = sampleInstance.areas): Connection {
	const mail = makeMail({ id: 5, list: { name: 'alpha', owner: makeUser('alice') } });
	return standFor<Connection>({
		key,
		instance: { ...sampleInstance, id: key, areas },
		lists: standFor<Connection['lists']>({
			knownMailNamed: () => undefined,
			mails: standFor<Connection['lists']['mails']>({ hereNamed: () => Promise.resolve(mail) }),
		}),
	});
}

async function follow(href: string, ...others: readonly Connection[]): Promise<readonly unknown[]> {
	resetStub();
	await openLink(fakeConnections(account('one'), ...others), { connectionKey: 'one', href, base }, never);
	return [...stubbed.executed, ...stubbed.passed, ...stubbed.opened];
}

suite('link in a text', () => {
	for (const [href, command, subject] of [
		[
			`${todo}/~alice/alpha/7#event-3`,
			'forge.tickets.open',
			{ kind: 'ticket', ref: { tracker: alpha, id: 7 }, event: 3 },
		],
		['7', 'forge.tickets.open', { kind: 'ticket', ref: { tracker: alpha, id: 7 } }],
		[`${lists}/~alice/alpha/patches/3`, 'forge.patchsets.open', { kind: 'patchset', ref: { list: alpha, id: 3 } }],
		[
			`${lists}/~alice/alpha/%3Cm1@forge.test%3E`,
			'forge.lists.openThread',
			{ kind: 'mail', list: alpha, id: 5, messageId: '<m1@forge.test>' },
		],
		[`${todo}/~bob`, 'forge.people.open', { kind: 'person', name: '~bob' }],
		[`${git}/~alice/alpha`, 'forge.repositories.open', { kind: 'repository', ref: alpha }],
		[
			`${git}/~alice/alpha/commit/4f2a91c`,
			'forge.repositories.openCommit',
			{ kind: 'commit', ref: alpha, id: '4f2a91c' },
		],
	] as const) {
		test(`${href} opens with ${command}`, async () => {
			assert.deepEqual(await follow(href), [command, { connectionKey: 'one', ...subject }]);
		});
	}

	for (const href of [
		`${todo}/~alice/alpha`,
		`${lists}/~alice/alpha`,
		`${todo}/~alice/alpha/7/edit`,
		'https://elsewhere.example/~alice/alpha/7',
		'https://elsewhere.example/search?q=C%2B%2B&next=%2Fa%26b',
		'mailto:bob@forge.test',
	]) {
		test(`${href} opens outside`, async () => {
			assert.deepEqual(await follow(href), [href]);
		});
	}

	for (const href of [
		'javascript:alert(1)',
		'command:forge.signOut',
		'//evil.example',
		'https://a@evil.example',
		'file:///etc/passwd',
		'',
	]) {
		test(`${JSON.stringify(href)} opens nothing`, async () => {
			assert.deepEqual(await follow(href), []);
		});
	}

	test('the address of a list opens the list, and its commands open a mail', async () => {
		const host = new URL(lists).hostname;
		for (const address of [`~alice/alpha@${host}`, `%7Ealice%2Falpha@${host}`, `u.alice.alpha@${host}`]) {
			assert.deepEqual(await follow(`mailto:${address}`), [
				'forge.lists.show',
				{ kind: 'list', connectionKey: 'one', ref: alpha },
			]);
		}
		for (const href of [`mailto:~alice/alpha+subscribe@${host}`, `mailto:~alice/alpha@evil-${host}`]) {
			assert.deepEqual(await follow(href), [href]);
		}
	});

	test('an object of another forge opens through the account there', async () => {
		const areas = { ...sampleInstance.areas, todo: 'https://todo.other.test' };
		assert.deepEqual(await follow('https://todo.other.test/~alice/alpha/7', account('two', areas)), [
			'forge.tickets.open',
			{ kind: 'ticket', connectionKey: 'two', ref: { tracker: alpha, id: 7 } },
		]);
	});
});
