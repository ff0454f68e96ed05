import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import {
	accountsWindow,
	boxShown,
	enter,
	entryFor,
	machine,
	type AccountsWindow,
	type Machine,
} from './accountsWindow.ts';

const aborted = { name: 'AbortError' };

suite('sample forge', () => {
	let on: Machine;
	let window: AccountsWindow;

	setup(() => {
		resetStub();
		on = machine(entryFor('tokenOnly'));
		window = accountsWindow(on);
	});

	teardown(() => window.dispose());

	test('starts without a question, signs in and opens Tickets', async () => {
		await window.run('forge.sample.start');
		const session = await window.account();
		assert.deepEqual(
			[session.instanceId, session.accountName, session.scopes, session.inMemoryOnly],
			['sample', '~alice', 'all', true],
		);
		assert.deepEqual([stubbed.asked, stubbed.lines, stubbed.opened], [[], [], []]);
		assert.deepEqual(stubbed.shown, ['Signed in to Sample Forge as ~alice']);
		assert.deepEqual(stubbed.executed, ['forge.tickets.focus']);
	});

	test('refreshes the Inbox soon after its first start', async () => {
		await window.run('forge.sample.start');
		await window.run('forge.sample.start');
		window.clock.advance(25_000);
		const looks = (): number => stubbed.executed.filter((each) => each === 'forge.inbox.refresh').length;
		assert.equal(looks(), 2);
		window.sample.end();
		window.clock.advance(95_000);
		assert.equal(looks(), 2);
	});

	test('does not refresh the Inbox beside a real account', async () => {
		on.identity.tokens.set('personal-token-of-bob', { account: '~bob' });
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), 'personal-token-of-bob');
		await signingIn;
		await window.run('forge.sample.start');
		window.clock.advance(95_000);
		assert.ok(!stubbed.executed.includes('forge.inbox.refresh'));
	});

	test('leaves nothing in the secret storage', async () => {
		await window.run('forge.sample.start');
		assert.deepEqual([...on.secrets.values.keys()], []);
		const next = accountsWindow(on);
		assert.deepEqual(await next.sessions.all(), []);
		next.dispose();
	});

	test('starts once, and its end removes its accounts but no others', async () => {
		on.identity.tokens.set('personal-token-of-bob', { account: '~bob' });
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), 'personal-token-of-bob');
		await signingIn;
		await window.run('forge.sample.start');
		await window.run('forge.sample.start');
		assert.equal(window.sample.starts, 1);
		assert.equal((await window.sessions.all()).length, 2);
		window.sample.end();
		await eventually(async () => (await window.sessions.all()).length, 1);
		assert.equal((await window.account()).instanceId, 'meta.forge.example');
		assert.deepEqual(window.forgotten, []);
	});

	test('the forge picker offers it, and its account signs out like any other', async () => {
		on.setting.value = undefined;
		on.setting.changed.fire();
		stubbed.answers.push('Try the Sample Forge');
		await window.run('forge.accounts.signIn');
		assert.equal((await window.account()).instanceId, 'sample');
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.deepEqual(await window.sessions.all(), []);
		assert.deepEqual(window.forgotten, ['alice.sample signed out']);
	});

	test('its sign-out asks when the outbox, which is in memory, has items', async () => {
		await window.run('forge.sample.start');
		window.queued = 2;
		stubbed.answers.push('~alice', undefined);
		await assert.rejects(window.run('forge.accounts.signOut'), aborted);
		assert.match(stubbed.details.at(-1) ?? '', /^They are deleted with/);
	});

	test('the forge picker lists a running one as a forge, without the row to try it', async () => {
		await window.run('forge.sample.start');
		stubbed.answers.push('Sample Forge', 'Another account', 'In the browser');
		const signingIn = window.run('forge.accounts.signIn');
		// The client secret is known, so the browser opens without a question.
		await window.consent({ account: '~bob' });
		await signingIn;
		assert.deepEqual(
			stubbed.lines.map(({ placeholder }) => placeholder),
			['Code or URL'],
		);
		assert.deepEqual(
			(await window.sessions.all()).map(({ accountName, inMemoryOnly }) => [accountName, inMemoryOnly]),
			[
				['~alice', true],
				['~bob', true],
			],
		);
		assert.deepEqual([...on.secrets.values.keys()], []);
		stubbed.answers.push('Sample Forge', undefined);
		await assert.rejects(window.run('forge.accounts.signIn'), aborted);
		assert.deepEqual(
			stubbed.boxes[1]?.items.map(({ label }) => label),
			['Example', 'SourceHut (sr.ht)', 'Sample Forge', 'Another Forge…'],
		);
	});

	test('keeps its user for the next window until the user signs out', async () => {
		await window.run('forge.sample.start');
		assert.equal(window.sample.user, 'alice');
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.equal(window.sample.user, undefined);
		assert.equal(window.sample.isDeleted, false);
	});

	test('ends only after a confirmation, and signs its account out', async () => {
		await window.run('forge.sample.start');
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.sample.end'), aborted);
		assert.deepEqual([window.sample.isDeleted, (await window.sessions.all()).length], [false, 1]);
		stubbed.answers.push('End');
		await window.run('forge.sample.end');
		assert.deepEqual([window.sample.isDeleted, await window.sessions.all()], [true, []]);
		assert.deepEqual(window.forgotten, ['alice.sample signed out']);
		assert.equal(stubbed.shown.at(-1), 'The sample forge has ended.');
	});

	test('reports when unreadable data forced a fresh start', async () => {
		window.sample.setAside = '/data/damaged';
		await window.run('forge.sample.start');
		assert.deepEqual(
			stubbed.shown.filter((text) => text.includes('/data/damaged')),
			[
				'The data of the sample forge was unreadable, so it started again from the beginning. The old files are in /data/damaged.',
			],
		);
	});

	test('signs in a given user of a new window without a message', async () => {
		const never = new AbortController().signal;
		await window.feature.signInToSample('alice', never);
		assert.equal((await window.account()).accountName, '~alice');
		// No user started this sign-in, so it shows no message.
		assert.deepEqual(stubbed.shown, []);
		await assert.rejects(window.feature.signInToSample('mallory', never), { name: 'SignInError' });
	});
});
