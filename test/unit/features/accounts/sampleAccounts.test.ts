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

suite('the sample forge', () => {
	let on: Machine;
	let window: AccountsWindow;

	setup(() => {
		resetStub();
		on = machine(entryFor('tokenOnly'));
		window = accountsWindow(on);
	});

	teardown(() => window.dispose());

	test('is tried without any question, and shows what was asked for', async () => {
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

	test('looks for news of the colleagues soon after its first start', async () => {
		await window.run('forge.sample.start');
		await window.run('forge.sample.start');
		window.clock.advance(25_000);
		const looks = (): number => stubbed.executed.filter((each) => each === 'forge.inbox.refresh').length;
		assert.equal(looks(), 2);
		window.sample.end();
		window.clock.advance(95_000);
		assert.equal(looks(), 2);
	});

	test('does not look for news where a real account would be read, too', async () => {
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

	test('is started once, and its tokens go with it, while other accounts stay', async () => {
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

	test('is chosen where somebody signs in, too, and signed out of like any other', async () => {
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

	test('that runs is offered as a forge, for another of its accounts, and not to be tried once more', async () => {
		await window.run('forge.sample.start');
		stubbed.answers.push('Sample Forge', 'Another account', 'In the browser');
		const signingIn = window.run('forge.accounts.signIn');
		// Its client's secret is known, so the browser comes at once.
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
			['SourceHut (sr.ht)', 'Example', 'Sample Forge', 'Another Forge…'],
		);
	});

	test('is entered by the next window, too, until somebody signs out of it', async () => {
		await window.run('forge.sample.start');
		assert.equal(window.sample.user, 'alice');
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.equal(window.sample.user, undefined);
		assert.equal(window.sample.isDeleted, false);
	});

	test('ends for good after a question, with its account', async () => {
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

	test('that started anew because its data was unreadable says so', async () => {
		window.sample.setAside = '/data/damaged';
		await window.run('forge.sample.start');
		assert.deepEqual(
			stubbed.shown.filter((text) => text.includes('/data/damaged')),
			[
				'The data of the sample forge was unreadable, so it started again from the beginning. The old files are in /data/damaged.',
			],
		);
	});

	test('signs in one of its users for whoever started the window', async () => {
		const never = new AbortController().signal;
		await window.feature.signInToSample('alice', never);
		assert.equal((await window.account()).accountName, '~alice');
		// Nobody asked for it, so nobody is told.
		assert.deepEqual(stubbed.shown, []);
		await assert.rejects(window.feature.signInToSample('mallory', never), { name: 'SignInError' });
	});
});
