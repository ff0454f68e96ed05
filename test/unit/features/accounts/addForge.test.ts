import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { eventually } from '../../../support/eventually.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../support/vscodeValues.ts';
import {
	accountsWindow,
	boxShown,
	enter,
	entryFor,
	machine,
	type AccountsWindow,
	type Machine,
} from './accountsWindow.ts';
import { askedScopes, readingOn } from './fakeIdentity.ts';

const aborted = { name: 'AbortError' };
const token = 'personal-token-of-alice';
const [addIt, enterOthers] = ['Add This Forge', 'Enter Other URLs in the Settings'];
/** The first box of Sign In. */
async function firstBox(): Promise<StubbedBox> {
	await eventually(async () => stubbed.boxes[0]?.isShown, true);
	return stubbed.boxes[0]!;
}
const isItThere = 'Is the forge forge.test at these URLs?';

suite('adding a forge', () => {
	let on: Machine;
	let window: AccountsWindow;

	function open(...entries: readonly unknown[]): void {
		on = machine(...entries);
		on.identity.tokens.set(token, { account: '~alice' });
		window = accountsWindow(on);
	}

	setup(() => {
		resetStub();
		open(entryFor('pkce'));
	});

	teardown(() => window.dispose());

	const add = (): Promise<void> => window.run('forge.accounts.addForge');

	test('appends the host name to the user’s settings and starts the sign-in', async () => {
		stubbed.answers.push('forge.test', addIt);
		const adding = add();
		await enter(await boxShown(), token);
		await adding;
		assert.deepEqual(on.setting.value, [entryFor('pkce'), 'forge.test']);
		const session = await window.account();
		assert.deepEqual([session.instanceId, session.accountName], ['meta.forge.test', '~alice']);
		assert.deepEqual(session.origins, {
			meta: 'https://meta.forge.test',
			todo: 'https://todo.forge.test',
			git: 'https://git.forge.test',
			lists: 'https://lists.forge.test',
		});
	});

	test('a user signed in to the only forge can add another in Sign In', async () => {
		const first = window.signInWithToken();
		await enter(await boxShown(), token);
		await first;
		stubbed.answers.push('Another Forge…', 'forge.test', addIt);
		const adding = window.run('forge.accounts.signIn');
		await enter(await boxShown(2), token);
		await adding;
		assert.deepEqual(on.setting.value, [entryFor('pkce'), 'forge.test']);
		assert.equal((await window.sessions.all()).length, 2);
	});

	test('shows the URLs before it writes the setting or sends a request', async () => {
		stubbed.answers.push('forge.test', undefined);
		await assert.rejects(add(), aborted);
		assert.deepEqual(stubbed.asked, ['Add a forge', isItThere]);
		const [offer] = stubbed.offered;
		assert.equal(offer?.label, addIt);
		assert.deepEqual(offer.detail?.split(/\s+/), [
			'https://meta.forge.test',
			'https://todo.forge.test',
			'https://lists.forge.test',
			'https://git.forge.test',
		]);
		assert.equal(offer.description, 'Also checks https://hub.forge.test and https://forge.test for projects');
		assert.deepEqual([on.setting.value, on.identity.calls, stubbed.shown], [[entryFor('pkce')], [], []]);
	});

	test('finds the project hub at its own host or the forge’s host, and uses it only with consent', async () => {
		const question = 'Do you want to connect to the project hub of forge.test, too?';
		for (const [hub, answer] of [
			['https://forge.test', 'Connect'],
			['https://hub.forge.test', 'Connect'],
			['https://hub.forge.test', 'Continue Without Project Hub'],
		] as const) {
			window.dispose();
			resetStub();
			open();
			on.identity.hub = hub;
			stubbed.answers.push('forge.test', addIt, answer);
			const adding = add();
			await enter(await boxShown(), token);
			await adding;
			const isUsed = answer === 'Connect';
			assert.deepEqual(stubbed.asked, ['Add a forge', isItThere, question]);
			assert.deepEqual(on.setting.value, [isUsed ? { host: 'forge.test', hub } : 'forge.test']);
			assert.equal((await window.account()).hub, isUsed ? hub : undefined);
			const said = stubbed.offered.find(({ label }) => label === 'Connect')?.detail;
			assert.equal(
				said,
				`It links repositories with their trackers and lists. Found tickets (GraphQL), lists (GraphQL), repositories (GraphQL) and the hub ${hub}. Your token is sent there, too.`,
			);
		}
	});

	test('shows an error and writes nothing when no URL responds', async () => {
		on.identity.isNowhere = true;
		stubbed.answers.push('forge.test', addIt);
		await add();
		assert.deepEqual(on.setting.value, [entryFor('pkce')]);
		assert.deepEqual(stubbed.shown, [
			'None of the URLs of forge.test responds. Check the host name, or your connection.',
		]);
		assert.equal(stubbed.lines.length, 0);
	});

	test('writes the forge when it responds with an unknown protocol, so that the settings can name it', async () => {
		on.identity.isUnclear = true;
		stubbed.answers.push('forge.test', addIt);
		await assert.rejects(add(), (error) => isForgeError(error) && error.problem.kind === 'notUnderstood');
		assert.deepEqual(on.setting.value, [entryFor('pkce'), 'forge.test']);
		assert.deepEqual(stubbed.shown, []);
	});

	test('accepts the URL of any page of the forge', async () => {
		for (const pasted of [
			'https://todo.forge.test/~alice/lantern/7?search=x',
			' HTTPS://Meta.Forge.Test ',
			'Forge.TEST',
		]) {
			stubbed.asked.length = 0;
			stubbed.answers.push(pasted, undefined);
			await assert.rejects(add(), aborted);
			assert.deepEqual(stubbed.asked, ['Add a forge', isItThere], pasted);
		}
	});

	test('shows an error for an invalid host name and writes nothing', async () => {
		for (const typed of [
			'',
			'two words',
			'forge.test/path',
			'ftp://forge.test',
			'https://',
			'user@forge.test',
			'~alice',
		]) {
			stubbed.shown.length = 0;
			stubbed.answers.push(typed);
			await assert.rejects(add(), aborted);
			assert.equal(stubbed.shown.length, 1, typed);
			assert.match(stubbed.shown[0] ?? '', /^Enter a host name such as/, typed);
		}
		assert.deepEqual(on.setting.value, [entryFor('pkce')]);
		assert.ok(stubbed.asked.every((title) => title === 'Add a forge'));
	});

	test('does not write a known forge twice, and asks how to sign in to it', async () => {
		stubbed.answers.push('https://git.forge.example/~alice', 'With a token');
		const adding = add();
		await enter(await boxShown(), token);
		await adding;
		assert.deepEqual(on.setting.value, [entryFor('pkce')]);
		assert.deepEqual(stubbed.asked, ['Add a forge', 'How do you want to sign in to Example?']);
		assert.equal((await window.account()).instanceId, 'meta.forge.example');
	});

	test('a known forge offers the browser sign-in, for reading', async () => {
		stubbed.answers.push('forge.example', 'In the browser');
		const adding = add();
		await window.consent();
		await adding;
		assert.deepEqual(askedScopes(stubbed.opened[0] ?? ''), readingOn(window.instance()));
		assert.equal((await window.account()).accountName, '~alice');
	});

	test('closing the input for the host name changes nothing', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(add(), aborted);
		assert.deepEqual([on.setting.value, stubbed.shown, stubbed.executed], [[entryFor('pkce')], [], []]);
	});

	test('opens the forges setting when the user wants to enter other URLs', async () => {
		stubbed.answers.push('forge.test', enterOthers);
		await assert.rejects(add(), aborted);
		assert.deepEqual([stubbed.executed, stubbed.passed], [['workbench.action.openSettings'], ['forge.forges']]);
		assert.deepEqual([on.setting.value, stubbed.lines, stubbed.shown], [[entryFor('pkce')], [], []]);
	});

	test('an abandoned sign-in keeps the forge in the settings, with no account signed in', async () => {
		stubbed.answers.push('forge.test', addIt);
		const ended = assert.rejects(add(), aborted);
		(await boxShown()).hide();
		await ended;
		assert.deepEqual(on.setting.value, [entryFor('pkce'), 'forge.test']);
		assert.deepEqual([await window.sessions.all(), stubbed.shown], [[], []]);
	});

	test('keeps invalid entries as the user wrote them', async () => {
		window.dispose();
		const bad = { name: 'Half', areas: { meta: 'http://half.test' } };
		open(bad);
		stubbed.answers.push('forge.test', addIt);
		const adding = add();
		await enter(await boxShown(), token);
		await adding;
		assert.deepEqual(on.setting.value, [bad, 'forge.test']);
	});

	test('Sign In without any forge offers to add one', async () => {
		window.dispose();
		open();
		stubbed.answers.push('Another Forge…', 'forge.test', addIt);
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), token);
		await signingIn;
		assert.deepEqual(stubbed.asked.slice(0, 2), ['Which forge do you want to sign in to?', 'Add a forge']);
		assert.deepEqual(on.setting.value, ['forge.test']);
		assert.equal((await window.account()).instanceId, 'meta.forge.test');
	});
});

suite('forge picker', () => {
	setup(resetStub);

	test('shows several forges by name and host, and signs in to the chosen one', async () => {
		const on = machine(entryFor('tokenOnly'), entryFor('tokenOnly', 'other.test', 'Other'));
		on.identity.tokens.set(token, { account: '~alice' });
		const window = accountsWindow(on);
		stubbed.answers.push('Other');
		const signingIn = window.run('forge.accounts.signIn');
		const box = await boxShown();
		assert.deepEqual(
			stubbed.boxes[0]?.items.map(({ label, description }) => [label, description]),
			[
				['Example', 'meta.forge.example'],
				['Other', 'meta.other.test'],
				['SourceHut (sr.ht)', undefined],
				['Another Forge…', 'A self-hosted instance, by host name'],
				['Try the Sample Forge', 'Runs on this computer, needs no account'],
			],
		);
		assert.match(box.title, /Other/);
		await enter(box, token);
		await signingIn;
		assert.equal((await window.account()).instanceId, 'meta.other.test');
		window.dispose();
	});

	test('closing the list changes nothing', async () => {
		const on = machine();
		const window = accountsWindow(on);
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		(await firstBox()).hide();
		await ended;
		assert.deepEqual([on.setting.value, stubbed.shown, stubbed.lines], [undefined, [], []]);
		window.dispose();
	});

	test('closing the list from the Accounts menu signs no account in', async () => {
		const window = accountsWindow(machine());
		const ended = assert.rejects(async () => window.feature.provider.createSession([], {}), aborted);
		(await firstBox()).hide();
		await ended;
		assert.deepEqual(await window.feature.provider.getSessions(undefined, {}), []);
		window.dispose();
	});

	for (const typed of ['forge.test', ' https://todo.forge.test/~alice/lantern/7 ', 'localhost:5000']) {
		test(`typing ${typed.trim()} into the first box adds that forge`, async () => {
			const on = machine();
			on.identity.tokens.set(token, { account: '~alice' });
			const window = accountsWindow(on);
			const signingIn = window.run('forge.accounts.signIn');
			const box = await firstBox();
			box.type(typed);
			const host = typed.includes('localhost') ? 'localhost:5000' : 'forge.test';
			assert.deepEqual([box.items[0]?.label, box.items[0]?.alwaysShow], [`Add Forge ${host}`, true]);
			stubbed.answers.push(addIt);
			box.accept();
			await enter(await boxShown(), token);
			await signingIn;
			assert.deepEqual(stubbed.asked, [`Is the forge ${host} at these URLs?`]);
			assert.deepEqual(on.setting.value, [host]);
			window.dispose();
		});
	}

	test('the URL of a known forge selects that forge, and a part of a name adds no row', async () => {
		const on = machine(entryFor('tokenOnly'), entryFor('tokenOnly', 'other.test', 'Other'));
		on.identity.tokens.set(token, { account: '~alice' });
		const window = accountsWindow(on);
		const signingIn = window.run('forge.accounts.signIn');
		const box = await firstBox();
		const usual = ['Example', 'Other', 'SourceHut (sr.ht)', 'Another Forge…', 'Try the Sample Forge'];
		box.type('oth');
		assert.deepEqual(
			box.items.map(({ label }) => label),
			usual,
		);
		box.type('https://git.other.test/~alice/quill');
		assert.deepEqual(
			box.items.map(({ label }) => label),
			['Other', 'Example', 'SourceHut (sr.ht)', 'Another Forge…', 'Try the Sample Forge'],
		);
		assert.equal(box.items[0]?.alwaysShow, true);
		box.accept();
		await enter(await boxShown(), token);
		await signingIn;
		assert.equal((await window.account()).instanceId, 'meta.other.test');
		assert.deepEqual(on.setting.value, [entryFor('tokenOnly'), entryFor('tokenOnly', 'other.test', 'Other')]);
		window.dispose();
	});

	test('explains an invalid host in the first box, and keeps the text for editing', async () => {
		const on = machine();
		const window = accountsWindow(on);
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		const box = await firstBox();
		box.type('https://192.168.1.5/~alice');
		assert.match(box.prompt, /^192\.168\.1\.5 is one service, /);
		box.type('user@forge.test');
		assert.match(box.prompt, /^Enter a host name such as forge\.example/);
		box.accept('nothing that is there');
		assert.deepEqual([box.isShown, box.value, stubbed.asked], [true, 'user@forge.test', []]);
		box.type('https://forge.test/~alice');
		assert.equal(box.prompt, '');
		box.hide();
		await ended;
		assert.equal(on.setting.value, undefined);
		window.dispose();
	});

	for (const [typed, host] of [
		['https://intranet', 'intranet'],
		['http://todo.intranet/~alice', 'intranet'],
		['intranet:443', 'intranet:443'],
	] as const) {
		test(`accepts the dotless host in ${typed}`, async () => {
			const window = accountsWindow(machine());
			const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
			const box = await firstBox();
			box.type(typed);
			assert.deepEqual([box.items[0]?.label, box.prompt], [`Add Forge ${host}`, '']);
			box.hide();
			await ended;
			window.dispose();
		});
	}

	for (const typed of ['127.0.0.1:43035', 'http://127.0.0.1:43035/~alice', '[::1]:43035', 'localhost:43035']) {
		test(`typing ${typed} says that a forge has several URLs, and leads to the settings`, async () => {
			const window = accountsWindow(machine());
			const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
			const box = await firstBox();
			box.type(typed);
			const host = typed.replace(/^http:\/\/|\/~alice$/g, '');
			assert.equal(
				box.prompt,
				`${host} is one service, and the others of its forge have other URLs. Enter all of them in the settings.`,
			);
			const row = box.items.find(({ label }) => label === 'Enter Other URLs in the Settings');
			assert.equal(row?.alwaysShow, true);
			assert.equal(box.items.indexOf(row), typed === 'localhost:43035' ? 1 : 0);
			box.accept('Enter Other URLs in the Settings');
			await ended;
			assert.deepEqual([stubbed.executed, stubbed.passed], [['workbench.action.openSettings'], ['forge.forges']]);
			assert.deepEqual([stubbed.shown, stubbed.asked], [[], []]);
			window.dispose();
		});
	}

	test('the port of one service selects the forge of the settings that has it', async () => {
		const url = (port: number): string => `http://127.0.0.1:${port}`;
		const areas = { meta: url(43_031), todo: url(43_032), lists: url(43_033), git: url(43_034) };
		const window = accountsWindow(machine(entryFor('tokenOnly'), { name: 'Mine', areas }));
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		const box = await firstBox();
		box.type('127.0.0.1:43034');
		assert.deepEqual([box.items[0]?.label, box.prompt], ['Mine', '']);
		box.hide();
		await ended;
		window.dispose();
	});

	test('explains how to enter a word as a dotless host', async () => {
		const window = accountsWindow(machine(entryFor('tokenOnly'), entryFor('tokenOnly', 'other.test', 'Other')));
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		const box = await firstBox();
		box.type(' Intranet ');
		assert.equal(box.prompt, 'No forge matches. If intranet is a host name, enter https://intranet.');
		box.type('oth');
		assert.equal(box.prompt, '');
		box.hide();
		await ended;
		window.dispose();
	});

	test('escapes names of forges', async () => {
		const window = accountsWindow(machine(entryFor('pkce', 'forge.example', '$(alert) [x](command:y)'), 'other.test'));
		stubbed.answers.push('$\u2060(alert) [x](command:y)', undefined);
		await assert.rejects(window.run('forge.accounts.signIn'), aborted);
		assert.equal(stubbed.asked.length, 2);
		window.dispose();
	});

	for (const [fault, entry, says] of [
		['a wrong host name', 'not a host', /not a host.*host name/],
		['no record at all', 7, /number 1.*neither/],
		['a wrong part', { host: 'x.test', signIn: { kind: 'pkce' } }, /x\.test.*signIn/],
		['an address with a path', withTodo('https://todo.x.test/path'), /Bad.*areas\.todo/],
		['an unencrypted address', withTodo('http://todo.x.test'), /Bad.*unencrypted.*areas\.todo/],
		['the same forge twice', 'forge.example', /forge\.example.*twice/],
	] as const) {
		test(`shows the location of ${fault} in the settings at sign-in, and uses the other entries`, async () => {
			const on = machine(
				...(fault === 'the same forge twice' ? [entryFor('tokenOnly'), entry] : [entry, entryFor('tokenOnly')]),
			);
			on.identity.tokens.set(token, { account: '~alice' });
			const window = accountsWindow(on);
			// The warning takes the first answer.
			stubbed.answers.push(undefined, 'Example');
			const signingIn = window.run('forge.accounts.signIn');
			await enter(await boxShown(), token);
			await signingIn;
			const told = stubbed.shown.filter((text) => text.includes('forge.forges'));
			assert.equal(told.length, 1);
			assert.match(told[0] ?? '', says);
			assert.equal((await window.account()).instanceId, 'meta.forge.example');
			window.dispose();
		});
	}
});

function withTodo(todo: string): unknown {
	const areas = { meta: 'https://meta.x.test', git: 'https://git.x.test', lists: 'https://lists.x.test' };
	return { name: 'Bad', areas: { ...areas, todo } };
}
