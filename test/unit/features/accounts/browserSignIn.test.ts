import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readScopes } from 'sourcehut/port/scope.ts';
import { holds } from 'sourcehut/identity/scopeUnion.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import {
	accountsWindow,
	boxShown,
	cameBack,
	enter,
	entryFor,
	everythingShown,
	isDoorShut,
	machine,
	type AccountsWindow,
	type Machine,
} from './accountsWindow.ts';
import { askedScopes, flows, readingOn } from './fakeIdentity.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const aborted = { name: 'AbortError' };

for (const flow of flows) {
	suite(`${flow}: browser sign-in`, () => {
		let on: Machine;
		let window: AccountsWindow;
		/** Number of boxes before the one that waits for the browser. */
		const secretBoxes = flow === 'exchange' ? 1 : 0;

		setup(() => {
			resetStub();
			on = machine(entryFor(flow));
			window = accountsWindow(on);
		});

		teardown(() => window.dispose());

		/** Chooses the browser, and enters the client secret if the flow needs one. */
		function begin(): Promise<void> {
			stubbed.answers.push('In the browser');
			const signingIn = window.run('forge.accounts.signIn');
			if (flow === 'exchange') {
				void boxShown().then((box) => enter(box, on.identity.clientSecret));
			}
			return signingIn;
		}

		async function signIn(): Promise<void> {
			const signingIn = begin();
			await window.consent();
			await signingIn;
		}

		test('asks nothing and sends no request before the user starts to sign in', async () => {
			assert.deepEqual(await window.feature.provider.getSessions(undefined, {}), []);
			const before = [...stubbed.asked, ...stubbed.shown, ...stubbed.opened, ...on.identity.calls];
			await signIn();
			assert.deepEqual(before, []);
			assert.deepEqual(stubbed.asked.slice(1), ['How do you want to sign in to Example?']);
			assert.equal(stubbed.opened.length, 1);
			assert.equal(stubbed.lines.length, secretBoxes + 1);
		});

		test('the consent page requests only read permissions and leads back to an account', async () => {
			const signingIn = begin();
			const { status, page } = await window.consent();
			await signingIn;
			assert.equal(status, 200);
			assert.match(page, /go back to the editor/);
			assert.deepEqual(askedScopes(stubbed.opened[0] ?? ''), readingOn(window.instance()));
			const session = await window.account();
			assert.deepEqual(
				[session.accountName, session.token.reveal(), session.createdMs],
				['~alice', 'granted-token-1', window.clock.nowMs()],
			);
			assert.deepEqual(session.origins, window.instance().areas);
			assert.deepEqual(session.refusedBy, []);
			const protocol = restProtocol(window.instance());
			assert.ok(readScopes.every((scope) => holds(session.scopes, scope, protocol)));
			assert.equal(holds(session.scopes, 'tickets:write', protocol), false);
			assert.deepEqual(stubbed.shown, ['Signed in to Example as ~alice']);
			assert.ok(await isDoorShut());
			assert.ok(stubbed.lines.every(({ isShown }) => !isShown));
		});

		test('the Accounts menu shows the account, also in the next window', async () => {
			await signIn();
			const next = accountsWindow(on);
			for (const each of [window, next]) {
				const shown = await each.feature.provider.getSessions(undefined, {});
				assert.deepEqual(
					shown.map(({ account, accessToken }) => [account.label, accessToken]),
					[['~alice (Example)', 'granted-token-1']],
				);
			}
			next.dispose();
		});

		test('another open window learns of the account immediately', async () => {
			const other = accountsWindow(on);
			await other.sessions.all();
			const added: string[] = [];
			other.feature.provider.onDidChangeSessions(
				(change) => void added.push(...(change.added ?? []).map(({ account }) => account.label)),
			);
			await signIn();
			await other.sessions.refresh('alice.meta.forge.example');
			assert.deepEqual(added, ['~alice (Example)']);
			other.dispose();
		});

		test('never shows or logs tokens, codes and secrets, nor writes them to the settings', async () => {
			await signIn();
			const shown = everythingShown(window);
			for (const secret of ['granted-token', 'code-1', on.identity.clientSecret]) {
				assert.ok(!shown.includes(secret), secret);
			}
			assert.match(shown, /Signed in to Example as ~alice/);
		});

		test('rejects a callback with another state, and still accepts the right one', async () => {
			const signingIn = begin();
			const box = await boxShown(secretBoxes + 1);
			const right = on.identity.consent(stubbed.opened[0] ?? '', {});
			const wrong = new URLSearchParams(right);
			wrong.set('state', 'of-somebody-else');
			const { status, page } = await cameBack(wrong);
			assert.equal(status, 400);
			assert.match(page, /belongs to no sign-in/);
			assert.ok(box.isShown);
			assert.deepEqual((await window.sessions.all()).length, 0);
			assert.equal((await cameBack(right)).status, 200);
			await signingIn;
			assert.equal((await window.account()).accountName, '~alice');
		});

		test('shows an error for the URL of another sign-in until the user edits the text', async () => {
			const signingIn = begin();
			const box = await boxShown(secretBoxes + 1);
			const right = on.identity.consent(stubbed.opened[0] ?? '', {});
			const wrong = new URLSearchParams(right);
			wrong.set('state', 'of-somebody-else');
			await enter(box, `${stubbed.reached[0]}?${wrong.toString()}`);
			assert.match(box.validationMessage ?? '', /another sign-in/);
			box.type('not a code');
			assert.equal(box.validationMessage, undefined);
			box.accept();
			assert.match(box.validationMessage ?? '', /contains no code/);
			assert.ok(box.isShown);
			await enter(box, `${stubbed.reached[0]}?${right.toString()}`);
			await signingIn;
			assert.equal((await window.account()).accountName, '~alice');
			assert.ok(await isDoorShut());
		});

		test('handles a repeated callback once', async () => {
			const signingIn = begin();
			await boxShown(secretBoxes + 1);
			const right = on.identity.consent(stubbed.opened[0] ?? '', {});
			const answers = await Promise.allSettled([cameBack(right), cameBack(right)]);
			await signingIn;
			const taken = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 200);
			assert.equal(taken.length, 1);
			assert.equal(on.identity.calls.filter((call) => call.startsWith('POST')).length, 1);
		});

		for (const [step, giveUp] of [
			['the way', async () => undefined],
			['the browser', async () => (await boxShown(secretBoxes + 1)).hide()],
		] as const) {
			test(`closing the question for ${step} changes nothing`, async () => {
				const signingIn = step === 'the way' ? window.run('forge.accounts.signIn') : begin();
				const ended = assert.rejects(signingIn, aborted);
				await giveUp();
				await ended;
				assert.deepEqual([...on.secrets.values.keys()], []);
				assert.deepEqual([stubbed.shown, window.logged], [[], []]);
				assert.ok(stubbed.lines.every(({ isShown }) => !isShown));
				assert.equal(stubbed.opened.length, step === 'the way' ? 0 : 1);
				assert.ok(step === 'the way' || (await isDoorShut()));
			});
		}

		test('an aborted sign-in closes its box and its callback server', async () => {
			stubbed.answers.push('In the browser');
			const giveUp = new AbortController();
			const signingIn = window.run('forge.accounts.signIn', giveUp.signal);
			if (flow === 'exchange') {
				await enter(await boxShown(), on.identity.clientSecret);
			}
			const ended = assert.rejects(signingIn, aborted);
			const box = await boxShown(secretBoxes + 1);
			giveUp.abort();
			await ended;
			assert.equal(box.isShown, false);
			assert.ok(await isDoorShut());
			assert.deepEqual([stubbed.shown, [...on.secrets.values.keys()]], [[], []]);
		});

		test('a second sign-in cancels one that still waits', async () => {
			const first = assert.rejects(begin(), aborted);
			const box = await boxShown(secretBoxes + 1);
			stubbed.answers.push('With a token');
			on.identity.tokens.set('a-personal-token', { account: '~bob' });
			const second = window.run('forge.accounts.signIn');
			await first;
			assert.equal(box.isShown, false);
			assert.ok(await isDoorShut());
			await enter(await boxShown(secretBoxes + 2), 'a-personal-token');
			await second;
			assert.equal((await window.account()).accountName, '~bob');
		});

		test('a refusal on the consent page ends the sign-in without a message', async () => {
			const ended = assert.rejects(begin(), aborted);
			const { status, page } = await window.consent({ refuse: true });
			if (flow === 'exchange') {
				// The refusal has no state, so any page could have sent it. The sign-in waits until the user pastes it.
				assert.equal(status, 400);
				assert.match(page, /Copy the URL of this page into the editor/);
				const box = await boxShown(secretBoxes + 1);
				assert.match(box.prompt, /may have rejected.*Paste the URL/);
				await enter(box, `${stubbed.reached.at(-1)}?error=user_declined`);
			} else {
				assert.equal(status, 200);
			}
			await ended;
			assert.deepEqual([stubbed.shown, [...on.secrets.values.keys()]], [[], []]);
			assert.ok(await isDoorShut());
		});

		test('a sign-in without a callback times out with one message', async () => {
			const ended = assert.rejects(begin(), aborted);
			await boxShown(secretBoxes + 1);
			window.waitTooLong();
			await ended;
			assert.equal(stubbed.shown.length, 1);
			assert.match(stubbed.shown[0] ?? '', /within five minutes.*Example/);
			assert.ok(await isDoorShut());
			assert.deepEqual([...on.secrets.values.keys()], []);
		});

		test('shows the server’s error as plain text, with the forge’s name', async () => {
			const ended = assert.rejects(begin(), aborted);
			on.identity.redeemed = () => ({
				status: 400,
				contentType: 'application/json',
				text: JSON.stringify({ errors: [{ reason: 'Not today [run](command:evil)' }] }),
			});
			await window.consent();
			await ended;
			assert.match(stubbed.shown.join('\n'), /^Example rejected the sign-in: Not today/);
			assert.ok(!stubbed.shown.join('\n').includes(']('));
			assert.deepEqual([...on.secrets.values.keys()], []);
		});

		test('stores nothing and passes the error on when the forge is unreachable', async () => {
			on.identity.silent.add('todo').add('git').add('lists');
			const ended = assert.rejects(begin(), { name: 'ForgeError' });
			await window.consent();
			await ended;
			assert.deepEqual([await window.sessions.all(), stubbed.shown], [[], []]);
		});

		test('names the areas that reject the token', async () => {
			const signingIn = begin();
			await boxShown(secretBoxes + 1);
			const back = on.identity.consent(stubbed.opened[0] ?? '', {});
			on.identity.tokens.set('granted-token-1', { account: '~alice', refusedBy: ['lists', 'git'] });
			await cameBack(back);
			await signingIn;
			assert.match(stubbed.shown[0] ?? '', /~alice.*Example.*lists\.forge\.example.*git\.forge\.example/);
			assert.deepEqual((await window.account()).refusedBy, ['lists', 'git']);
		});

		test('adds another account beside the first one', async () => {
			await signIn();
			window.clock.advance(1000);
			stubbed.answers.push('Another account', 'In the browser');
			const signingIn = window.run('forge.accounts.signIn');
			await window.consent({ account: '~bob' }, 2);
			await signingIn;
			assert.equal(stubbed.asked.at(-2), 'Which account on Example do you want to sign in to?');
			const accounts = (await window.sessions.all()).map(({ accountName, token }) => [accountName, token.reveal()]);
			assert.deepEqual(accounts, [
				['~alice', 'granted-token-1'],
				['~bob', 'granted-token-2'],
			]);
		});

		test('renews an existing account with its own method and keeps its identity', async () => {
			await signIn();
			const { createdMs } = await window.account();
			window.clock.advance(1000);
			stubbed.answers.push('~alice');
			const signingIn = window.run('forge.accounts.signIn');
			await window.consent({}, 2);
			await signingIn;
			const session = await window.account();
			assert.deepEqual([session.token.reveal(), session.createdMs], ['granted-token-2', createdMs]);
			assert.equal(stubbed.asked.length, 4);
			// The box for the client secret appears only once.
			assert.equal(stubbed.lines.filter(({ placeholder }) => placeholder === 'Client secret').length, secretBoxes);
		});

		test('keeps the account and says so when the browser is signed in as another user', async () => {
			await signIn();
			stubbed.shown.length = 0;
			stubbed.answers.push('~alice');
			const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
			await window.consent({ account: '~bob' }, 2);
			await ended;
			assert.equal((await window.account()).token.reveal(), 'granted-token-1');
			assert.equal(stubbed.shown.length, 1);
			assert.match(stubbed.shown[0] ?? '', /Example as ~bob, but ~alice/);
		});

		test('uses the callback URL of a remote editor', async () => {
			stubbed.reachableAs.push('https://editor.example/proxy/callback');
			const signingIn = begin();
			const box = await boxShown(secretBoxes + 1);
			const comesBack = new URL(stubbed.opened[0] ?? '').searchParams.get('redirect_uri');
			assert.equal(comesBack, flow === 'pkce' ? 'https://editor.example/proxy/callback' : null);
			// The exchange flow has a fixed callback address, so the browser cannot find back.
			assert.equal(box.prompt.includes('If it does not return by itself'), flow === 'pkce');
			assert.ok(box.ignoreFocusOut);
			await window.consent();
			await signingIn;
			assert.equal((await window.account()).accountName, '~alice');
		});

		test('closing the window ends a sign-in from the Accounts menu', async () => {
			stubbed.answers.push('In the browser');
			const ended = assert.rejects(async () => window.signInThroughMenu([]), aborted);
			if (flow === 'exchange') {
				await enter(await boxShown(), on.identity.clientSecret);
			}
			const box = await boxShown(secretBoxes + 1);
			window.feature.dispose();
			await ended;
			assert.equal(box.isShown, false);
			assert.ok(await isDoorShut());
			assert.deepEqual(await window.sessions.all(), []);
		});

		test('the Accounts menu signs in with the scopes that the caller requests', async () => {
			stubbed.answers.push('In the browser');
			const signingIn = window.signInThroughMenu(['tickets:write', 'user:email']);
			if (flow === 'exchange') {
				await enter(await boxShown(), on.identity.clientSecret);
			}
			await window.consent();
			assert.equal((await signingIn).account.label, '~alice (Example)');
			const prefix = flow === 'exchange' ? 'todo.sr.ht/' : '';
			const reading = readingOn(window.instance()).filter((scope) => scope !== `${prefix}tickets:read`);
			assert.deepEqual(new Set(askedScopes(stubbed.opened[0] ?? '')), new Set([...reading, `${prefix}tickets:write`]));
		});
	});
}

suite('client secret of the exchange flow', () => {
	let on: Machine;
	let window: AccountsWindow;

	setup(() => {
		resetStub();
		on = machine(entryFor('exchange'));
		window = accountsWindow(on);
		stubbed.answers.push('In the browser');
	});

	teardown(() => window.dispose());

	test('uses a masked box, which rejects an invalid secret', async () => {
		const signingIn = window.run('forge.accounts.signIn');
		const box = await boxShown();
		assert.deepEqual([box.password, box.ignoreFocusOut, box.placeholder], [true, true, 'Client secret']);
		assert.match(box.title, /Example/);
		await enter(box, 'two words');
		assert.match(box.validationMessage ?? '', /^The text contains spaces\./);
		assert.deepEqual([stubbed.opened, on.identity.calls], [[], []]);
		await enter(box, on.identity.clientSecret);
		await window.consent();
		await signingIn;
		assert.equal((await window.account()).accountName, '~alice');
	});

	test('closing its box ends the sign-in before the browser opens', async () => {
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		(await boxShown()).hide();
		await ended;
		assert.deepEqual([stubbed.opened, stubbed.shown, [...on.secrets.values.keys()]], [[], [], []]);
	});

	test('is stored only after the forge accepts it, and requested again after a rejection', async () => {
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		await enter(await boxShown(), 'a-wrong-client-secret');
		await window.consent();
		await ended;
		assert.match(stubbed.shown.join('\n'), /Example rejected the client secret/);
		assert.deepEqual([...on.secrets.values.keys()], []);
		stubbed.answers.push('In the browser');
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(3), on.identity.clientSecret);
		await window.consent({}, 2);
		await signingIn;
		assert.ok([...on.secrets.values.values()].some((value) => value.includes(on.identity.clientSecret)));
	});

	test('the window keeps the secret after a refusal on the consent page', async () => {
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		await enter(await boxShown(), on.identity.clientSecret);
		await window.consent({ refuse: true });
		await enter(await boxShown(2), `${stubbed.reached.at(-1)}?error=user_declined`);
		await ended;
		assert.deepEqual([...on.secrets.values.keys()], []);
		const asked = stubbed.lines.length;
		stubbed.answers.push('In the browser');
		const signingIn = window.run('forge.accounts.signIn');
		await window.consent({}, 2);
		await signingIn;
		assert.equal((await window.account()).accountName, '~alice');
		assert.deepEqual(
			stubbed.lines.slice(asked).filter(({ placeholder }) => placeholder === 'Client secret'),
			[],
		);
	});

	test('deletes a stored secret that the forge rejects', async () => {
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), on.identity.clientSecret);
		await window.consent();
		await signingIn;
		on.identity.clientSecret = 'another-secret-since-today';
		stubbed.answers.push('~alice');
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		await window.consent({}, 2);
		await ended;
		assert.ok(![...on.secrets.values.keys()].some((key) => key.startsWith('forge.client:')));
		assert.equal((await window.account()).token.reveal(), 'granted-token-1');
	});

	test('asks for the callback URL when another program uses the port', async () => {
		const blocker = createServer().listen(0, '127.0.0.1');
		await once(blocker, 'listening');
		const address = blocker.address();
		const port = typeof address === 'object' && address !== null ? address.port : 0;
		const signIn = { kind: 'exchange', clientId: 'bbbb000000000001', redirectPort: port };
		const busy = accountsWindow(machine({ name: 'Example', host: 'forge.example', signIn }));
		try {
			const signingIn = busy.run('forge.accounts.signIn');
			await enter(await boxShown(), busy.identity.clientSecret);
			const box = await boxShown(2);
			assert.ok(!box.prompt.includes('return by itself'));
			assert.deepEqual(stubbed.reached, []);
			const back = busy.identity.consent(stubbed.opened[0] ?? '', {});
			await enter(box, `http://127.0.0.1:${port}/callback?${back.toString()}`);
			await signingIn;
			assert.equal((await busy.account()).accountName, '~alice');
		} finally {
			blocker.close();
			busy.dispose();
		}
	});
});
