import assert from 'node:assert/strict';
import { once } from 'node:events';
import { scopes } from 'sourcehut/port/scope.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
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

const aborted = { name: 'AbortError' };
const token = 'personal-token-of-alice';

const forgeQuestion = 'Which forge do you want to sign in to?';
const wayQuestion = 'How do you want to sign in to Example?';

suite('token sign-in', () => {
	let on: Machine;
	let window: AccountsWindow;

	setup(() => {
		resetStub();
		on = machine(entryFor('exchange'));
		on.identity.tokens.set(token, { account: '~alice' });
		window = accountsWindow(on);
	});

	teardown(() => window.dispose());

	const signIn = (): Promise<void> => window.signInWithToken();
	const kept = (): readonly string[] => [...on.secrets.values.keys()];

	test('asks in a masked box that stays open when the window loses focus', async () => {
		const ended = assert.rejects(signIn(), aborted);
		const box = await boxShown();
		assert.deepEqual([box.password, box.ignoreFocusOut, box.placeholder], [true, true, 'Token']);
		assert.match(box.title, /Example/);
		assert.deepEqual([stubbed.asked, stubbed.opened, on.identity.calls], [[forgeQuestion, wayQuestion], [], []]);
		box.hide();
		await ended;
	});

	test('tries a valid token in every area, and assumes all permissions', async () => {
		const signingIn = signIn();
		const box = await boxShown();
		await enter(box, token);
		await signingIn;
		const session = await window.account();
		assert.deepEqual(
			[session.id, session.accountName, session.token.reveal(), session.scopes, session.expiresMs],
			['alice.meta.forge.example', '~alice', token, 'all', undefined],
		);
		assert.deepEqual(session.origins, window.instance().areas);
		assert.deepEqual(on.identity.calls.toSorted(), ['git whoami', 'lists whoami', 'todo first read', 'todo whoami']);
		assert.deepEqual(stubbed.shown, ['Signed in to Example as ~alice']);
		assert.deepEqual([box.isShown, kept()], [false, ['forge.session:alice.meta.forge.example']]);
	});

	test('shows a rejected token in the box, which stays open for another one', async () => {
		const signingIn = signIn();
		const box = await boxShown();
		await enter(box, 'a-token-of-nobody');
		assert.match(box.validationMessage ?? '', /Example rejected this token/);
		assert.deepEqual([box.isShown, box.busy, box.enabled], [true, false, true]);
		assert.deepEqual([kept(), stubbed.shown], [[], []]);
		box.type('p');
		assert.equal(box.validationMessage, undefined);
		await enter(box, token);
		await signingIn;
		assert.equal((await window.account()).accountName, '~alice');
	});

	test('rejects an impossible token without a request', async () => {
		const signingIn = signIn();
		const box = await boxShown();
		await enter(box, ' ');
		assert.equal(box.validationMessage, undefined);
		for (const [text, reason] of [
			['abcdef', 'The text is too short. Copy it again in full.'],
			['x'.repeat(5000), 'The text is too long. Copy it again, without the text around it.'],
			['two words that are long', 'The text contains spaces. Copy it again, without the text around it.'],
			['ünlesbar-ünlesbar', 'The text contains characters other than letters, digits and signs. Copy it again.'],
		] as const) {
			await enter(box, text);
			assert.equal(box.validationMessage, reason);
		}
		assert.deepEqual(on.identity.calls, []);
		// Forgive a copied `Bearer` before the token.
		await enter(box, ` Bearer ${token} `);
		await signingIn;
		assert.equal((await window.account()).token.reveal(), token);
	});

	test('the box is busy and disabled during the check', async () => {
		const answers = Promise.withResolvers<void>();
		on.identity.before = () => answers.promise;
		const signingIn = signIn();
		const box = await boxShown();
		box.type(token);
		box.accept();
		assert.deepEqual([box.busy, box.enabled, box.isShown], [true, false, true]);
		answers.resolve();
		await signingIn;
		assert.deepEqual([box.busy, box.enabled, box.isShown], [false, true, false]);
	});

	test('closing the box aborts the check', async () => {
		const ended = assert.rejects(signIn(), aborted);
		const box = await boxShown();
		let tried: AbortSignal | undefined;
		on.identity.before = async (signal) => {
			tried = signal;
			await once(signal, 'abort');
		};
		box.type(token);
		box.accept();
		assert.equal(tried?.aborted, false);
		box.hide();
		await ended;
		assert.equal(tried.aborted, true);
		assert.deepEqual([await window.sessions.all(), kept(), stubbed.shown], [[], [], []]);
	});

	test('closing the empty box changes nothing', async () => {
		const ended = assert.rejects(signIn(), aborted);
		(await boxShown()).hide();
		await ended;
		assert.deepEqual([kept(), stubbed.shown, on.identity.calls, window.logged], [[], [], [], []]);
	});

	test('an aborted sign-in closes its box', async () => {
		const giveUp = new AbortController();
		const ended = assert.rejects(window.signInWithToken(giveUp.signal), aborted);
		const box = await boxShown();
		giveUp.abort();
		await ended;
		assert.deepEqual([box.isShown, kept()], [false, []]);
	});

	test('the prompt links to the token page, with an escaped URL', async () => {
		on.identity.describe = (instance) => ({
			...restProtocol(instance),
			tokenPage: () => `${instance.areas.meta}/oauth2/personal-token?grants=a b)`,
		});
		const ended = assert.rejects(signIn(), aborted);
		const box = await boxShown();
		assert.equal(
			box.prompt,
			'[Create a token on Example ↗](https://meta.forge.example/oauth2/personal-token?grants=a%20b%29) (permissions filled in). Then paste the token here.',
		);
		box.hide();
		await ended;
	});

	test('a button opens the token page, and the box stays open', async () => {
		const signingIn = signIn();
		const box = await boxShown();
		box.press('Create a token on Example');
		assert.deepEqual(stubbed.opened, ['https://meta.forge.example/oauth/personal-token']);
		assert.ok(box.isShown);
		await enter(box, token);
		await signingIn;
	});

	test('writes tokens only to the secret storage, and never shows or logs them', async () => {
		const signingIn = signIn();
		const box = await boxShown();
		await enter(box, 'a-token-of-nobody');
		await enter(box, token);
		await signingIn;
		const shown = everythingShown(window);
		assert.ok(!shown.includes(token));
		assert.ok(!shown.includes('a-token-of-nobody'));
		assert.match(shown, /Signed in to Example as ~alice/);
		const stored = [...on.secrets.values].filter(([, value]) => value.includes(token)).map(([key]) => key);
		assert.deepEqual(stored, ['forge.session:alice.meta.forge.example']);
		assert.ok(![...on.secrets.values.values()].some((value) => value.includes('a-token-of-nobody')));
	});

	test('shows in the box that the forge is unreachable, and accepts the same token again', async () => {
		on.identity.silent.add('todo').add('git').add('lists');
		const signingIn = signIn();
		const box = await boxShown();
		await enter(box, token);
		assert.match(box.validationMessage ?? '', /forge\.example/);
		assert.ok(box.isShown);
		on.identity.silent.clear();
		await enter(box, token);
		await signingIn;
		assert.equal((await window.account()).accountName, '~alice');
	});

	for (const [refusedBy, told] of [
		[
			['git'],
			'You are signed in as ~alice, but one area of Example rejects this token: repositories (git.forge.example). Sign in with another token to use it.',
		],
		[
			['lists', 'git'],
			'You are signed in as ~alice, but these areas of Example reject this token: mailing lists (lists.forge.example) and repositories (git.forge.example). Sign in with another token to use them.',
		],
	] as const) {
		test(`signs in with a token that some areas reject, and names them: ${refusedBy.join(' and ')}`, async () => {
			on.identity.tokens.set(token, { account: '~alice', refusedBy });
			const signingIn = signIn();
			await enter(await boxShown(), token);
			await signingIn;
			assert.deepEqual((await window.account()).refusedBy, refusedBy);
			assert.deepEqual(
				stubbed.shown.filter((text) => text.includes('this token')),
				[told],
			);
		});
	}

	test('signs in an account without any rights, and shows the forge’s reason', async () => {
		on.identity.tokens.set(token, { account: '~alice', barred: 'Confirm your address first' });
		const signingIn = signIn();
		await enter(await boxShown(), token);
		await signingIn;
		assert.equal((await window.account()).accountName, '~alice');
		assert.ok(
			stubbed.shown.includes(
				'You are signed in as ~alice, but Example rejects all requests of this account: Confirm your address first',
			),
			stubbed.shown.join(),
		);
	});

	test('does not report an unreachable area as rejecting', async () => {
		on.identity.silent.add('lists');
		const signingIn = signIn();
		await enter(await boxShown(), token);
		await signingIn;
		assert.deepEqual([(await window.account()).refusedBy, stubbed.shown], [[], ['Signed in to Example as ~alice']]);
	});

	test('renews a token account only with a token of the same account', async () => {
		const first = signIn();
		await enter(await boxShown(), token);
		await first;
		on.identity.tokens.set('newer-token-of-alice', { account: '~alice' }).set('token-of-bob', { account: '~bob' });
		stubbed.answers.push('~alice');
		const renewing = window.run('forge.accounts.signIn');
		const box = await boxShown(2);
		await enter(box, 'token-of-bob');
		assert.match(box.validationMessage ?? '', /~bob.*~alice/);
		assert.equal((await window.account()).token.reveal(), token);
		await enter(box, 'newer-token-of-alice');
		await renewing;
		assert.equal((await window.account()).token.reveal(), 'newer-token-of-alice');
		assert.deepEqual(stubbed.asked, [
			forgeQuestion,
			wayQuestion,
			forgeQuestion,
			'Which account on Example do you want to sign in to?',
		]);
	});

	test('an account from a browser sign-in can switch to a token', async () => {
		stubbed.answers.push('In the browser');
		const first = window.run('forge.accounts.signIn');
		await enter(await boxShown(), on.identity.clientSecret);
		await window.consent();
		await first;
		stubbed.answers.push('Another account');
		const signingIn = signIn();
		const box = await boxShown(3);
		assert.equal(box.placeholder, 'Token');
		await enter(box, token);
		await signingIn;
		const session = await window.account();
		assert.deepEqual([session.token.reveal(), session.scopes, stubbed.opened.length], [token, 'all', 1]);
	});

	test('escapes the forge’s name in the box', async () => {
		const odd = accountsWindow(machine(entryFor('tokenOnly', 'forge.example', '$(alert) [x](command:y)')));
		const ended = assert.rejects(odd.signInWithToken(), aborted);
		const box = await boxShown();
		await enter(box, 'a-token-of-nobody');
		const page = '](https://meta.forge.example/oauth/personal-token)';
		assert.ok(box.prompt.includes(page));
		for (const text of [box.prompt.replace(page, ''), box.validationMessage ?? '']) {
			assert.ok(!text.includes('$(') && !text.includes(']('), text);
		}
		assert.match(box.validationMessage ?? '', /alert.*command:y/);
		box.hide();
		await ended;
		odd.dispose();
	});

	test('a token-only forge shows no question about the method', async () => {
		const only = machine(entryFor('tokenOnly'));
		only.identity.tokens.set(token, { account: '~alice' });
		const there = accountsWindow(only);
		const signingIn = there.run('forge.accounts.signIn');
		await enter(await boxShown(), token);
		await signingIn;
		assert.deepEqual([stubbed.asked, (await there.account()).accountName], [[forgeQuestion], '~alice']);
		there.dispose();
	});

	test('a protocol without a browser sign-in uses its own token page and areas', async () => {
		on.identity.describe = (instance) => ({
			...restProtocol(instance),
			areas: ['lists', 'git'],
			signIn: { kind: 'tokenOnly' },
			tokenPage: (scopes) => `${instance.areas.meta}/tokens/new?for=${scopes.length}`,
		});
		const signingIn = window.run('forge.accounts.signIn');
		const box = await boxShown();
		box.press('Create a token on Example');
		assert.deepEqual(stubbed.opened, [`https://meta.forge.example/tokens/new?for=${scopes.length}`]);
		await enter(box, token);
		await signingIn;
		assert.deepEqual(on.identity.calls.toSorted(), ['git whoami', 'lists first read', 'lists whoami']);
		assert.deepEqual([stubbed.asked, (await window.account()).accountName], [[forgeQuestion], '~alice']);
	});
});
