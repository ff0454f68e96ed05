import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import { accountsWindow, boxShown, enter, machine, type AccountsWindow, type Machine } from './accountsWindow.ts';

const token = 'personal-token-of-alice';
const hub = 'https://hub.forge.test';
const question = 'Do you want to connect to the project hub of forge.test, too?';

suite('project hub of a forge with only a host in the settings', () => {
	let on: Machine;
	let window: AccountsWindow;

	function open(...entries: readonly unknown[]): void {
		resetStub();
		on = machine(...entries);
		on.identity.hub = hub;
		on.identity.tokens.set(token, { account: '~alice' });
		window = accountsWindow(on);
	}

	teardown(() => window.dispose());

	async function signIn(...answers: readonly string[]): Promise<void> {
		stubbed.answers.push(...answers);
		const signingIn = window.signInWithToken();
		await Promise.race([signingIn, boxShown().then((box) => enter(box, token))]);
		await signingIn;
	}

	for (const [what, entry, written] of [
		['its name', 'forge.test', { host: 'forge.test', hub }],
		['a record', { host: 'forge.test', name: 'Mine' }, { host: 'forge.test', name: 'Mine', hub }],
	] as const) {
		test(`sign-in finds the hub and writes it beside ${what} in the settings after the user agrees`, async () => {
			open('first.test', entry, 'last.test');
			await signIn(what === 'its name' ? 'forge.test' : 'Mine', 'Connect');
			assert.deepEqual(stubbed.asked.slice(-1), [question]);
			assert.deepEqual(on.setting.value, ['first.test', written, 'last.test']);
			assert.equal((await window.account()).hub, hub);
		});
	}

	test('the next sign-in asks again after the user declined', async () => {
		open('forge.test');
		await signIn('Continue Without Project Hub');
		assert.deepEqual(on.setting.value, ['forge.test']);
		assert.equal((await window.account()).hub, undefined);
		resetStub();
		await signIn('~alice', 'Connect');
		assert.deepEqual(on.setting.value, [{ host: 'forge.test', hub }]);
		assert.equal((await window.account()).hub, hub);
	});

	test('writes the hub only after a completed sign-in', async () => {
		open('forge.test');
		stubbed.answers.push('Connect');
		const given = window.signInWithToken();
		const box = await boxShown();
		assert.deepEqual(on.setting.value, ['forge.test']);
		box.hide();
		await assert.rejects(given, { name: 'AbortError' });
		assert.deepEqual([on.setting.value, await window.sessions.all()], [['forge.test'], []]);
	});

	test('keeps the hub of the account and says so when the settings are read-only', async () => {
		open('forge.test');
		on.setting.isReadOnly = true;
		await signIn('Connect');
		assert.equal((await window.account()).hub, hub);
		assert.deepEqual([on.setting.value, stubbed.shown.length], [['forge.test'], 2]);
	});

	test('adding a known forge finds its hub, too', async () => {
		open('first.test', 'forge.test');
		stubbed.answers.push('forge.test', 'Connect');
		const adding = window.run('forge.accounts.addForge');
		await Promise.race([adding, boxShown().then((box) => enter(box, token))]);
		await adding;
		assert.deepEqual(stubbed.asked.slice(-1), [question]);
		assert.deepEqual(on.setting.value, ['first.test', { host: 'forge.test', hub }]);
		assert.equal((await window.account()).hub, hub);
	});

	test('does not search when the settings give the hub or all URLs', async () => {
		const areas = {
			meta: 'https://meta.forge.test',
			todo: 'https://todo.forge.test',
			git: 'https://git.forge.test',
			lists: 'https://lists.forge.test',
		};
		for (const entry of [{ host: 'forge.test', hub: 'https://projects.forge.test' }, { areas }]) {
			open(entry);
			await signIn();
			assert.deepEqual([stubbed.asked.slice(1), on.setting.value], [[], [entry]]);
			window.dispose();
		}
		open('forge.test');
	});
});
