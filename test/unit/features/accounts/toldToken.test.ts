import assert from 'node:assert/strict';
import { scopes, type Scope } from 'sourcehut/port/scope.ts';
import { graphqlProtocol } from 'sourcehut/graphql/graphqlProtocol.ts';
import { projectGrants } from 'sourcehut/graphql/transport/grants.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
import { eventually } from '../../../support/eventually.ts';
import { grantToken } from '../../../support/grantToken.ts';
import { makeInstance } from '../../../support/makeSession.ts';
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

const { grantsOf } = graphqlProtocol(makeInstance({ scopeSpelling: { prefixes: {}, names: {} } }));
const grantsFor = (wanted: readonly Scope[]): string => [...new Set(wanted.flatMap(grantsOf))].join(' ');
const [tomorrowS, yesterdayS] = [Date.UTC(2026, 10, 21, 12) / 1000, Date.UTC(2026, 10, 19, 12) / 1000];
const aborted = { name: 'AbortError' };

function tokenOf(grants: string, { name = 'alice', clientId = '', expiresS = tomorrowS } = {}): string {
	return grantToken({ grants, clientId, name, expiresS });
}

suite('self-describing token', () => {
	let on: Machine;
	let window: AccountsWindow;

	setup(() => {
		resetStub();
		on = machine(entryFor('tokenOnly'));
		on.identity.describe = graphqlProtocol;
		window = accountsWindow(on);
	});

	teardown(() => window.dispose());

	async function whileAsked(work: (box: StubbedBox) => Promise<void>): Promise<void> {
		const ended = assert.rejects(window.run('forge.accounts.signIn'), aborted);
		const box = await boxShown();
		await work(box);
		box.hide();
		await ended;
	}

	test('shows its owner and expiry in the box without a request, until the text changes', () =>
		whileAsked(async (box) => {
			const asks = box.prompt;
			box.type(tokenOf(grantsFor(scopes)));
			assert.equal(
				box.prompt,
				'This token of ~alice is valid until Nov 21, 2026. It grants everything that Forge Desk needs.',
			);
			box.type('x');
			assert.equal(box.prompt, asks);
			assert.deepEqual(on.identity.calls, []);
		}));

	for (const [title, held, told] of [
		['everything', '', ' It grants everything that Forge Desk needs.'],
		['nothing', 'meta.sr.ht/PROFILE:RO', ' It does not permit: tickets, mailing lists, and repositories.'],
		[
			'reading',
			grantsFor(scopes.filter((scope) => scope.endsWith(':read'))),
			' It permits: tickets, mailing lists, and repositories. It does not permit: changing mailing lists, changing patchsets, changing subscriptions, and 3 more.',
		],
		[
			'all but one',
			grantsFor(scopes.filter((scope) => scope !== 'tickets:write')),
			' It permits: tickets, mailing lists, repositories, and 5 more. It does not permit: changing tickets.',
		],
		[
			'one area',
			grantsFor(['info:write', 'data:read']),
			' It permits: repositories and changing repositories. It does not permit: tickets and mailing lists.',
		],
		[
			'a part of one',
			grantsFor(['tickets:read', 'trackers:read']).replaceAll(/ ?\S+SUBSCRIPTIONS\S+/g, ''),
			' It permits: tickets. It does not permit: mailing lists, repositories, changing trackers, and 2 more.',
		],
		[
			'all but grants that no scope needs',
			grantsFor(scopes).replaceAll(/ ?todo\S+SUBSCRIPTIONS\S+| ?\S+ACLS\S+/g, ''),
			' It permits: tickets, mailing lists, repositories, and 6 more. It does not permit: following tickets by email and your permissions on mailing lists.',
		],
	] as const) {
		test(`lists its permissions in one line for ${title}`, () =>
			whileAsked(async (box) => {
				box.type(tokenOf(held));
				assert.equal(box.prompt, `This token of ~alice is valid until Nov 21, 2026.${told}`);
			}));
	}

	test('names projects among its missing permissions when the forge has a hub', () => {
		const { readToken } = graphqlProtocol(
			makeInstance({ hub: 'https://hub.forge.example', scopeSpelling: { prefixes: {}, names: {} } }),
		);
		const lacks = (grants: string): readonly string[] => {
			const reading = readToken(tokenOf(grants));
			return reading.kind === 'told' ? reading.lacks : assert.fail();
		};
		assert.deepEqual(lacks(grantsFor(scopes)), ['projects']);
		assert.deepEqual(lacks(`${grantsFor(scopes)} ${projectGrants.join(' ')}`), []);
		assert.deepEqual(lacks(''), []);
		assert.deepEqual(lacks(grantsFor(['info:read'])), ['projects'], 'what is about tickets goes with them');
	});

	test('is stored with its permissions and expiry date', async () => {
		const token = tokenOf(grantsFor(['tickets:write', 'trackers:read']));
		on.identity.tokens.set(token, { account: '~alice', refusedBy: ['lists', 'git'] });
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), token);
		await signingIn;
		const { scopes: held, expiresMs } = await window.account();
		assert.deepEqual([held, expiresMs], [['trackers:read', 'tickets:read', 'tickets:write'], tomorrowS * 1000]);
	});

	for (const [title, text, complaint] of [
		[
			'that has expired',
			tokenOf('', { expiresS: yesterdayS }),
			'The token of ~alice for Example expired on Nov 19, 2026. Create a new one on the page that the button opens.',
		],
		[
			'of older servers',
			'0123456789abcdef0123456789abcdef',
			'Example does not accept this kind of token any more. Create a new one on the page that the button opens.',
		],
	] as const) {
		test(`rejects a token ${title} without a request`, () =>
			whileAsked(async (box) => {
				await enter(box, text);
				assert.equal(box.validationMessage, complaint);
				assert.deepEqual(on.identity.calls, []);
			}));
	}

	test('rejects a token of newer servers when the forge runs older ones', () => {
		on.identity.describe = restProtocol;
		return whileAsked(async (box) => {
			const asks = box.prompt;
			box.type(tokenOf(''));
			assert.equal(box.prompt, asks);
			await enter(box, tokenOf(''));
			assert.equal(
				box.validationMessage,
				'Example does not accept this kind of token yet. Create one on the page that the button opens.',
			);
			assert.deepEqual(on.identity.calls, []);
		});
	});

	test('the notice about a rejected token gives the reason that the token shows', async () => {
		const token = tokenOf('', { expiresS: tomorrowS });
		on.identity.tokens.set(token, { account: '~alice' });
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), token);
		await signingIn;
		const session = await window.account();
		const shown = async (): Promise<string | undefined> => {
			stubbed.shown.length = 0;
			window.feature.tokenRejected(session);
			await eventually(async () => stubbed.shown.length, 1);
			return stubbed.shown[0];
		};
		assert.equal(await shown(), 'Example no longer accepts the token of ~alice. Sign in again to continue.');
		window.clock.advance(25 * 3_600_000);
		assert.equal(await shown(), 'The token of ~alice for Example has expired. Sign in again to continue.');
		on.identity.describe = restProtocol;
		assert.equal(
			await shown(),
			'Example uses another API now, with which the token of ~alice does not work. Sign in again with a new token.',
		);
	});

	test('the token page has all permissions filled in', () =>
		whileAsked(async (box) => {
			box.press('Create a token on Example');
			const grants = new URL(stubbed.opened[0] ?? '').searchParams.get('grants')?.split(' ') ?? [];
			const { readGranted } = graphqlProtocol(window.instance());
			assert.deepEqual(readGranted(grants.join(' ')), scopes);
			assert.ok(!grants.includes('todo.sr.ht/TICKETS:RO'), 'access to write carries the one to read');
		}));

	test('one more permission takes a new token, from a page with the earlier permissions filled in', async () => {
		const before = tokenOf(
			`${grantsFor(['tickets:read'])} todo.sr.ht/ACLS:RW meta.sr.ht/SSH_KEYS:RW hub.sr.ht/PROJECTS:RO`,
		);
		on.identity.tokens.set(before, { account: '~alice' });
		const signingIn = window.run('forge.accounts.signIn');
		await enter(await boxShown(), before);
		await signingIn;
		const { id } = await window.account();
		stubbed.answers.push('Create a Token');
		const ensuring = window.feature.ensureScope(id, 'patches:write', new AbortController().signal);
		const box = await boxShown(2);
		const grants = new URL(stubbed.opened[0] ?? '').searchParams.get('grants')?.split(' ') ?? [];
		const asked = graphqlProtocol(window.instance()).readGranted(grants.join(' '));
		assert.ok(asked !== 'all' && asked.includes('patches:write') && asked.includes('tickets:read'));
		assert.ok(!asked.includes('tickets:write'), 'nothing else to write');
		assert.ok(grants.includes('todo.sr.ht/ACLS:RW'), 'nothing is lost of the services that are used');
		assert.deepEqual(
			grants.filter((grant) => /^(?:meta|hub)/.test(grant)),
			[],
			'nor kept of others',
		);
		const after = tokenOf(grants.join(' '));
		on.identity.tokens.set(after, { account: '~alice' });
		await enter(box, after);
		await ensuring;
		assert.equal((await window.account()).token.reveal(), after);
	});
});
