import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import {
	accountsWindow,
	boxShown,
	enter,
	entryFor,
	everythingShown,
	machine,
	type AccountsWindow,
	type Machine,
} from './accountsWindow.ts';
import { flows } from './fakeIdentity.ts';

const aborted = { name: 'AbortError' };
const [tokenOfAlice, tokenOfBob] = ['personal-token-of-alice', 'personal-token-of-bob'];

let on: Machine;
let window: AccountsWindow;

function open(): void {
	resetStub();
	on = machine(entryFor('tokenOnly'));
	on.identity.tokens.set(tokenOfAlice, { account: '~alice' }).set(tokenOfBob, { account: '~bob' });
	window = accountsWindow(on);
}

/** Signs in another account; `nth` counts the boxes. */
async function signIn(token: string, nth = 1): Promise<void> {
	if (nth > 1) {
		stubbed.answers.push('Another account');
	}
	const signingIn = window.signInWithToken();
	await enter(await boxShown(nth), token);
	await signingIn;
}

suite('sign-out', () => {
	setup(open);
	teardown(() => window.dispose());

	test('deletes the token first, then all stored data of the account', async () => {
		await signIn(tokenOfAlice);
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.deepEqual(await window.sessions.all(), []);
		assert.deepEqual([...on.secrets.values.keys()], []);
		assert.deepEqual(window.forgotten, ['alice.meta.forge.example signed out']);
		assert.equal(stubbed.shown.at(-1), 'Signed out ~alice');
		assert.deepEqual(await window.feature.provider.getSessions(undefined, {}), []);
		assert.ok(!everythingShown(window).includes(tokenOfAlice));
	});

	test('runs the work that needs the token first, and a cancellation keeps the account', async () => {
		await signIn(tokenOfAlice);
		assert.deepEqual(window.beforeGone, []);
		window.keepsToken = new DOMException('Cancelled', 'AbortError');
		stubbed.answers.push('~alice');
		await assert.rejects(window.run('forge.accounts.signOut'), aborted);
		assert.deepEqual([(await window.account()).accountName, window.forgotten], ['~alice', []]);
		assert.deepEqual(window.stayed, ['alice.meta.forge.example']);
		window.keepsToken = undefined;
		await window.feature.provider.removeSession((await window.account()).id);
		const before = `alice.meta.forge.example ${tokenOfAlice}`;
		assert.deepEqual([window.beforeGone, await window.sessions.all()], [[before, before], []]);
	});

	test('a failed sign-out undoes the preparation and keeps the account', async () => {
		await signIn(tokenOfAlice);
		const secrets = { ...on.secrets };
		on.secrets.delete = () => Promise.reject(new Error('The disk is full'));
		stubbed.answers.push('~alice');
		await assert.rejects(window.run('forge.accounts.signOut'));
		Object.assign(on.secrets, secrets);
		assert.deepEqual(
			[window.beforeGone.length, window.stayed, window.forgotten],
			[1, ['alice.meta.forge.example'], []],
		);
		assert.equal((await window.account()).accountName, '~alice');
		await signIn(tokenOfAlice, 2);
		assert.equal(window.stayed.length, 1);
	});

	test('replacing the token runs the work that needs the old one first, but not for the same token', async () => {
		await signIn(tokenOfAlice);
		on.identity.tokens.set('newer-token-of-alice', { account: '~alice' });
		await signIn(tokenOfAlice, 2);
		assert.deepEqual(window.beforeGone, []);
		await signIn('newer-token-of-alice', 3);
		assert.deepEqual(window.beforeGone, [`alice.meta.forge.example ${tokenOfAlice}`]);
		assert.equal((await window.account()).token.reveal(), 'newer-token-of-alice');
	});

	test('names each account with its forge, and removes only the chosen one', async () => {
		await signIn(tokenOfAlice);
		window.clock.advance(1000);
		await signIn(tokenOfBob, 2);
		stubbed.answers.push('~bob');
		await window.run('forge.accounts.signOut');
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['~alice', 'Example'],
				['~bob', 'Example'],
			],
		);
		assert.equal((await window.account()).token.reveal(), tokenOfAlice);
		assert.deepEqual(window.forgotten, ['bob.meta.forge.example signed out']);
		assert.deepEqual([...on.secrets.values.keys()], ['forge.session:alice.meta.forge.example']);
	});

	test('with items in the outbox, asks in the command and in the menu, and staying changes nothing', async () => {
		await signIn(tokenOfAlice);
		window.queued = 3;
		stubbed.answers.push('~alice', undefined);
		await assert.rejects(window.run('forge.accounts.signOut'), aborted);
		stubbed.answers.push(undefined);
		const { id } = await window.account();
		await assert.rejects(async () => window.feature.provider.removeSession(id), aborted);
		assert.deepEqual([window.beforeGone, window.forgotten], [[], []]);
		const asked = stubbed.shown.filter((text) => text.includes('in the outbox: 3'));
		assert.equal(asked.length, 2, stubbed.shown.join('\n'));
		stubbed.answers.push('Sign Out');
		await window.feature.provider.removeSession(id);
		assert.deepEqual(await window.sessions.all(), []);
	});

	test('closing the question changes nothing', async () => {
		await signIn(tokenOfAlice);
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.accounts.signOut'), aborted);
		assert.equal((await window.account()).token.reveal(), tokenOfAlice);
		assert.deepEqual(window.forgotten, []);
	});

	test('shows a message and asks nothing without an account', async () => {
		await window.run('forge.accounts.signOut');
		assert.deepEqual([stubbed.shown, stubbed.asked, window.forgotten], [['No account is signed in.'], [], []]);
	});

	test('the Accounts menu deletes the same data', async () => {
		await signIn(tokenOfAlice);
		const [shown] = await window.feature.provider.getSessions(undefined, {});
		await window.feature.provider.removeSession(shown?.id ?? '');
		assert.deepEqual([...on.secrets.values.keys()], []);
		assert.deepEqual(window.forgotten, ['alice.meta.forge.example signed out']);
	});

	test('still lists the account of a removed forge, by its host', async () => {
		await signIn(tokenOfAlice);
		on.setting.value = [];
		on.setting.changed.fire();
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description),
			['meta.forge.example'],
		);
		assert.deepEqual(window.forgotten, ['alice.meta.forge.example signed out']);
	});

	test('closes the box of a waiting sign-in', async () => {
		await signIn(tokenOfAlice);
		stubbed.answers.push('Another account');
		const ended = assert.rejects(window.signInWithToken(), aborted);
		const box = await boxShown(2);
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		await ended;
		assert.equal(box.isShown, false);
		assert.deepEqual(await window.sessions.all(), []);
	});

	test('another window drops the account, and its next sign-in offers no account', async () => {
		await signIn(tokenOfAlice);
		const other = accountsWindow(on);
		assert.equal((await other.account()).accountName, '~alice');
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		await eventually(async () => (await other.sessions.all()).length, 0);
		const before = stubbed.asked.length;
		const signingIn = other.signInWithToken();
		await enter(await boxShown(2), tokenOfAlice);
		await signingIn;
		assert.deepEqual(stubbed.asked.slice(before), ['Which forge do you want to sign in to?']);
		other.dispose();
	});
});

suite('notice about a rejected token', () => {
	setup(open);
	teardown(() => window.dispose());

	test('shows one notice with account and forge, and renews the account with its own method', async () => {
		await signIn(tokenOfAlice);
		stubbed.shown.length = 0;
		stubbed.answers.push('Sign In Again');
		window.feature.tokenRejected(await window.account());
		const box = await boxShown(2);
		assert.equal(stubbed.shown.length, 1);
		assert.match(stubbed.shown[0] ?? '', /Example no longer accepts the token of ~alice/);
		on.identity.tokens.set('newer-token-of-alice', { account: '~alice' });
		await enter(box, 'newer-token-of-alice');
		await eventually(async () => (await window.account()).token.reveal(), 'newer-token-of-alice');
		assert.equal(stubbed.shown.length, 1);
	});

	test('the command to sign in renews the account that it is given, and asks for no forge', async () => {
		await signIn(tokenOfAlice);
		const before = stubbed.asked.length;
		const { id } = await window.account();
		const handler = window.feature.commands['forge.accounts.signIn'];
		const renewing = handler?.({ sessionId: id }, new AbortController().signal, []);
		on.identity.tokens.set('newer-token-of-alice', { account: '~alice' });
		await enter(await boxShown(2), 'newer-token-of-alice');
		await renewing;
		assert.equal((await window.account()).token.reveal(), 'newer-token-of-alice');
		assert.equal(stubbed.asked.length, before);
	});

	test('asks nothing after the user closes the notice', async () => {
		await signIn(tokenOfAlice);
		stubbed.answers.push(undefined);
		window.feature.tokenRejected(await window.account());
		await eventually(async () => stubbed.answers.length, 0);
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.deepEqual([stubbed.lines.length, stubbed.opened], [1, []]);
	});

	test('rejects a token of another account as the replacement', async () => {
		await signIn(tokenOfAlice);
		stubbed.answers.push('Sign In Again');
		window.feature.tokenRejected(await window.account());
		const box = await boxShown(2);
		await enter(box, tokenOfBob);
		assert.match(box.validationMessage ?? '', /~bob.*~alice/);
		box.hide();
		assert.equal((await window.account()).token.reveal(), tokenOfAlice);
	});

	test('shows only the notice when the settings no longer contain the forge', async () => {
		await signIn(tokenOfAlice);
		const session = await window.account();
		on.setting.value = [];
		on.setting.changed.fire();
		stubbed.shown.length = 0;
		stubbed.answers.push('Sign In Again', '~alice');
		window.feature.tokenRejected(session);
		await eventually(async () => stubbed.shown.length, 1);
		await window.run('forge.accounts.signOut');
		assert.match(stubbed.shown[0] ?? '', /meta\.forge\.example.*~alice/);
		assert.equal(stubbed.lines.length, 1);
	});

	for (const flow of flows) {
		test(`${flow}: renews a browser sign-in with all granted permissions`, async () => {
			on.setting.value = [entryFor(flow)];
			on.setting.changed.fire();
			stubbed.answers.push('In the browser');
			const signingIn = window.signInThroughMenu(['tickets:write']);
			if (flow === 'exchange') {
				await enter(await boxShown(), on.identity.clientSecret);
			}
			await window.consent();
			await signingIn;
			stubbed.answers.push('Sign In Again');
			window.feature.tokenRejected(await window.account());
			await window.consent({}, 2);
			await eventually(async () => (await window.account()).token.reveal(), 'granted-token-2');
			const [first = '', second = ''] = stubbed.opened.map((address) => {
				const query = new URL(address).searchParams;
				return query.get('scopes') ?? query.get('scope') ?? '';
			});
			assert.match(first, /tickets:write/);
			assert.equal(second, first);
		});

		test(`${flow}: shows an error when the renewal fails`, async () => {
			on.setting.value = [entryFor(flow)];
			on.setting.changed.fire();
			stubbed.answers.push('In the browser');
			const signingIn = window.run('forge.accounts.signIn');
			if (flow === 'exchange') {
				await enter(await boxShown(), on.identity.clientSecret);
			}
			await window.consent();
			await signingIn;
			on.identity.silent.add('todo').add('git').add('lists');
			stubbed.shown.length = 0;
			stubbed.answers.push('Sign In Again');
			window.feature.tokenRejected(await window.account());
			await window.consent({}, 2);
			await eventually(async () => stubbed.shown.length, 2);
			assert.match(stubbed.shown[1] ?? '', /forge\.example/);
			assert.equal((await window.account()).token.reveal(), 'granted-token-1');
		});
	}
});
