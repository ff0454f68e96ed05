import assert from 'node:assert/strict';
import { graphqlProtocol } from 'sourcehut/graphql/graphqlProtocol.ts';
import { eventually } from '../../../support/eventually.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import { accountsWindow, boxShown, enter, entryFor, machine, type AccountsWindow } from './accountsWindow.ts';

const row = 'SourceHut (sr.ht)';
const token = 'personal-token-of-alice';
const standIn = {
	name: 'sr.ht',
	areas: {
		meta: 'http://127.0.0.1:5000',
		todo: 'http://127.0.0.1:5001',
		git: 'http://127.0.0.1:5002',
		lists: 'http://127.0.0.1:5003',
	},
};

suite('sign-in to sr.ht', () => {
	let window: AccountsWindow;

	function open(...entries: readonly unknown[]): void {
		resetStub();
		window = accountsWindow(machine(...entries));
		window.identity.describe = graphqlProtocol;
		window.identity.tokens.set(token, { account: '~alice' });
	}

	teardown(() => window.dispose());

	async function signIn(): Promise<void> {
		stubbed.answers.push(row);
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), token);
		await signingIn;
	}

	async function rows(): Promise<readonly (string | undefined)[][]> {
		const ended = assert.rejects(async () => window.feature.provider.createSession([], {}), { name: 'AbortError' });
		await eventually(async () => stubbed.boxes.at(-1)?.isShown, true);
		const box = stubbed.boxes.at(-1);
		const found = box?.items.map(({ label, description }) => [label, description]) ?? [];
		box?.hide();
		await ended;
		return found;
	}

	test('takes two steps, binds the token to the URLs of sr.ht, and opens Tickets', async () => {
		open();
		window.identity.hub = 'https://hub.sr.ht';
		await signIn();
		assert.deepEqual(stubbed.asked, ['Which forge do you want to sign in to?']);
		assert.equal(stubbed.lines.length, 1);
		const { instanceId, origins, hub } = await window.account();
		assert.deepEqual(
			[instanceId, origins, hub],
			[
				'meta.sr.ht',
				{
					meta: 'https://meta.sr.ht',
					todo: 'https://todo.sr.ht',
					git: 'https://git.sr.ht',
					lists: 'https://lists.sr.ht',
				},
				'https://sr.ht',
			],
		);
		assert.equal(window.setting.value, undefined);
		assert.deepEqual(stubbed.executed, ['forge.tickets.focus']);
	});

	test('links to the token page with the permissions filled in', async () => {
		open();
		stubbed.answers.push(row);
		const ended = assert.rejects(window.run('forge.accounts.signIn'), { name: 'AbortError' });
		const box = await boxShown();
		assert.match(box.title, /sr\.ht/);
		assert.match(
			box.prompt,
			/^\[Create a token on sr\.ht ↗\]\(https:\/\/meta\.sr\.ht\/oauth2\/personal-token\?grants=[^ ()]*TICKETS[^ ()]*\) \(permissions filled in\)/,
		);
		box.hide();
		await ended;
		assert.deepEqual(stubbed.executed, []);
	});

	test('is the first row, unless the settings have a forge', async () => {
		open();
		assert.deepEqual((await rows())[0], [row, undefined]);
		window.dispose();
		open(entryFor('tokenOnly'));
		assert.deepEqual((await rows()).slice(0, 2), [
			['Example', 'meta.forge.example'],
			[row, undefined],
		]);
	});

	for (const [by, entry, host] of [
		['its host', { host: 'sr.ht', name: 'Mine' }, undefined],
		['its name', standIn, '127.0.0.1:5000'],
	] as const) {
		test(`shows one row when an entry of the settings replaces sr.ht by ${by}`, async () => {
			open(entryFor('tokenOnly'), entry);
			assert.deepEqual((await rows()).slice(0, 2), [
				['Example', 'meta.forge.example'],
				[row, host],
			]);
		});
	}

	test('sets the project hub without a question when the settings contain only the host', async () => {
		open('sr.ht');
		await signIn();
		assert.deepEqual(stubbed.asked, ['Which forge do you want to sign in to?']);
		assert.equal((await window.account()).hub, 'https://sr.ht');
		assert.deepEqual(window.setting.value, [{ host: 'sr.ht', hub: 'https://sr.ht' }]);
	});

	test('sends the token to an entry named sr.ht, not to sr.ht itself', async () => {
		open(standIn);
		await signIn();
		const { origins, hub } = await window.account();
		assert.deepEqual([origins, hub], [standIn.areas, undefined]);
	});

	test('accepts the URL of any page, and writes no setting', async () => {
		open();
		stubbed.answers.push('https://todo.sr.ht/~alice/lantern/7');
		const adding = window.run('forge.accounts.addForge');
		await enter(await boxShown(), token);
		await adding;
		assert.deepEqual([(await window.account()).instanceId, window.setting.value], ['meta.sr.ht', undefined]);
		assert.deepEqual(stubbed.asked, ['Add a forge']);
	});
});
