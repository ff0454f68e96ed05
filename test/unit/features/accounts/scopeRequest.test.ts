import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { readScopes, scopes, type Scope } from 'sourcehut/port/scope.ts';
import { accountKey, type Session } from '../../../../src/editor/accounts/session.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import {
	accountsWindow,
	boxShown,
	enter,
	entryFor,
	isDoorShut,
	machine,
	type AccountsWindow,
	type Machine,
} from './accountsWindow.ts';
import { askedScopes, flows } from './fakeIdentity.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const never = new AbortController().signal;
const aborted = { name: 'AbortError' };
const goOn = 'Grant in the Browser';

for (const flow of flows) {
	suite(`${flow}: permission request`, () => {
		let on: Machine;
		let window: AccountsWindow;

		setup(async () => {
			resetStub();
			on = machine(entryFor(flow));
			window = accountsWindow(on);
			await signedIn(readScopes);
		});

		teardown(() => window.dispose());

		/** Signs an account in with these permissions, and stores the client secret. */
		async function signedIn(held: Session['scopes'], account = '~alice'): Promise<string> {
			const instance = window.instance();
			const id = accountKey(instance.id, account);
			await window.sessions.put({
				id,
				instanceId: instance.id,
				accountName: account,
				token: new Token(`first-token-of-${account}`),
				scopes: held,
				createdMs: 1,
				expiresMs: undefined,
				origins: instance.areas,
				refusedBy: [],
				inMemoryOnly: false,
			});
			await on.secrets.store(
				`forge.client:${instance.id}`,
				JSON.stringify({
					origin: instance.areas.meta,
					clientId: 'bbbb000000000001',
					secret: on.identity.clientSecret,
				}),
			);
			return id;
		}

		const key = 'alice.meta.forge.example';
		const ensure = (scope: Scope, signal = never): Promise<void> => window.feature.ensureScope(key, scope, signal);
		const written = (scope: Scope): string => restProtocol(window.instance()).grantsOf(scope).join();

		test('never asks for a granted permission', async () => {
			for (const scope of readScopes) {
				await ensure(scope);
			}
			await signedIn(['tickets:write']);
			await ensure('tickets:write');
			// Permission to write includes permission to read.
			await ensure('tickets:read');
			await signedIn('all');
			for (const scope of scopes) {
				await ensure(scope);
			}
			assert.deepEqual([stubbed.shown, stubbed.opened, on.identity.calls], [[], [], []]);
		});

		test('asks once for a missing permission, and requests the earlier ones again', async () => {
			await signedIn([...readScopes, 'lists:write']);
			stubbed.answers.push(goOn);
			const granting = ensure('tickets:write');
			await window.consent();
			await granting;
			const asked = askedScopes(stubbed.opened[0] ?? '');
			// Permission to write includes permission to read, so the request leaves the latter out.
			const reading = readScopes.filter((scope) => scope !== 'lists:read' && scope !== 'tickets:read');
			const wanted = new Set([...reading, 'lists:write' as const, 'tickets:write' as const].map(written));
			assert.deepEqual(new Set(asked), wanted);
			assert.equal(asked.length, wanted.size);
			const session = await window.account();
			assert.equal(session.token.reveal(), 'granted-token-1');
			for (const scope of [...readScopes, 'lists:write', 'tickets:write'] as const) {
				await ensure(scope);
			}
			assert.equal(stubbed.shown.length, 1);
			assert.match(stubbed.shown[0] ?? '', /tickets and comments.*Example/);
			assert.match(stubbed.details[0] ?? '', /browser/);
			assert.equal(stubbed.opened.length, 1);
		});

		test('keeps both of two permissions granted one after the other', async () => {
			for (const [nth, scope] of (['tickets:write', 'trackers:write'] as const).entries()) {
				stubbed.answers.push(goOn);
				const granting = ensure(scope);
				await window.consent({}, nth + 1);
				await granting;
			}
			await ensure('tickets:write');
			await ensure('trackers:write');
			assert.equal(stubbed.opened.length, 2);
		});

		test('asks once for two simultaneous writes that need the same permission', async () => {
			stubbed.answers.push(goOn);
			const both = Promise.all([ensure('tickets:write'), ensure('tickets:write')]);
			await window.consent();
			await both;
			assert.deepEqual([stubbed.shown.length, stubbed.opened.length], [1, 1]);
		});

		test('a write cancelled in the queue asks nothing', async () => {
			stubbed.answers.push(goOn);
			const giveUp = new AbortController();
			const first = ensure('tickets:write');
			const second = assert.rejects(ensure('lists:write', giveUp.signal), aborted);
			giveUp.abort();
			await second;
			await window.consent();
			await first;
			assert.equal(stubbed.shown.length, 1);
		});

		test('a declined question opens no browser, and the next write asks again', async () => {
			for (const nth of [1, 2]) {
				stubbed.answers.push(undefined);
				await assert.rejects(ensure('tickets:write'), aborted);
				assert.equal(stubbed.shown.length, nth);
			}
			assert.deepEqual([stubbed.opened, (await window.account()).token.reveal()], [[], 'first-token-of-~alice']);
		});

		test('closing the box that waits for the browser keeps the old token', async () => {
			stubbed.answers.push(goOn);
			const ended = assert.rejects(ensure('tickets:write'), aborted);
			(await boxShown()).hide();
			await ended;
			assert.ok(await isDoorShut());
			assert.equal((await window.account()).token.reveal(), 'first-token-of-~alice');
		});

		test('reports an unchecked permission as missing, with the forge’s name for it', async () => {
			stubbed.answers.push(goOn);
			const granting = ensure('tickets:write');
			const ended = assert.rejects(granting, (error: unknown) => {
				assert.ok(isForgeError(error));
				assert.deepEqual(error.problem, {
					kind: 'missingScope',
					scope: 'tickets:write',
					asWritten: written('tickets:write'),
				});
				return true;
			});
			await window.consent({ without: [written('tickets:write')] });
			await ended;
			// The new token counts, since the old one no longer works.
			assert.equal((await window.account()).token.reveal(), 'granted-token-1');
		});

		test('grants nothing and keeps the account when the browser is signed in as another user', async () => {
			stubbed.answers.push(goOn);
			const ended = assert.rejects(ensure('tickets:write'), aborted);
			await window.consent({ account: '~bob' });
			await ended;
			assert.match(stubbed.shown.at(-1) ?? '', /~bob.*~alice/);
			assert.equal((await window.account()).token.reveal(), 'first-token-of-~alice');
		});

		test('the question names the content to write', async () => {
			const questions = new Map<Scope, string>();
			for (const scope of scopes.filter((each) => each.endsWith(':write') && each !== 'patches:write')) {
				stubbed.answers.push(undefined);
				await assert.rejects(ensure(scope), aborted);
				questions.set(scope, stubbed.shown.at(-1) ?? '');
			}
			assert.equal(new Set(questions.values()).size, questions.size);
			assert.ok([...questions.values()].every((question) => question.includes('Example')));
			assert.match(questions.get('lists:write') ?? '', /mailing lists/);
			assert.match(questions.get('info:write') ?? '', /repositories/);
		});

		test('marking patchsets needs no permission on a forge that has none for it', async () => {
			stubbed.answers.push(goOn);
			const granting = ensure('patches:write');
			if (flow === 'exchange') {
				await window.consent();
				assert.ok(askedScopes(stubbed.opened[0] ?? '').includes('lists.sr.ht/patches:write'));
			}
			await granting;
			assert.equal(stubbed.shown.length, flow === 'exchange' ? 1 : 0);
		});

		test('asks only for the account that lacks the permission', async () => {
			const bob = await signedIn('all', '~bob');
			await window.feature.ensureScope(bob, 'tickets:write', never);
			assert.deepEqual(stubbed.shown, []);
			stubbed.answers.push(goOn);
			const granting = ensure('tickets:write');
			await window.consent();
			await granting;
			assert.equal(window.sessions.byId(bob)?.token.reveal(), 'first-token-of-~bob');
		});

		test('reports a signed-out account or a removed forge as not signed in', async () => {
			const notSignedIn = (error: unknown): boolean => isForgeError(error) && error.problem.kind === 'notSignedIn';
			await assert.rejects(
				window.feature.ensureScope('nobody.meta.forge.example', 'tickets:write', never),
				notSignedIn,
			);
			on.setting.value = [];
			on.setting.changed.fire();
			await assert.rejects(ensure('tickets:read'), notSignedIn);
			assert.deepEqual(stubbed.shown, []);
		});

		test('a write asks nothing when its account signs out in the meantime', async () => {
			stubbed.answers.push('Another account');
			const signingIn = assert.rejects(window.signInWithToken(), aborted);
			const box = await boxShown();
			const granting = ensure('tickets:write');
			await window.sessions.remove(key);
			box.hide();
			await signingIn;
			await granting;
			assert.deepEqual([stubbed.shown, stubbed.opened], [[], []]);
		});

		test('a write waits until an open sign-in ends', async () => {
			stubbed.answers.push('Another account');
			const signingIn = window.signInWithToken();
			const box = await boxShown();
			stubbed.answers.push(goOn);
			const granting = ensure('tickets:write');
			on.identity.tokens.set('personal-token-of-alice', { account: '~alice' });
			assert.deepEqual(stubbed.shown, []);
			await enter(box, 'personal-token-of-alice');
			await signingIn;
			await granting;
			// The token of the sign-in grants everything.
			assert.deepEqual([stubbed.opened, stubbed.shown], [[], ['Signed in to Example as ~alice']]);
		});
	});
}
