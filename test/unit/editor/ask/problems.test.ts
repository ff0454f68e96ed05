import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Log } from '../../../../src/base/log.ts';
import { ForgeError, unfit } from 'sourcehut/port/forgeError.ts';
import type { Problem, UnreachableReason } from 'sourcehut/port/forgeError.ts';
import type { DoneInParts } from 'sourcehut/port/ticketRequest.ts';
import type { Explanation, Problems } from '../../../../src/editor/ask/problems.ts';
import { DraftNotKept } from '../../../../src/store/drafts/drafts.ts';
import { partlyDone } from '../../../../src/store/tickets/writing/writeOutcome.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeTicket } from '../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { problems } = await import('../../../../src/editor/ask/problems.ts');

type KindOf<Kind extends Problem['kind']> = Extract<Problem, { readonly kind: Kind }>;

interface Telling {
	readonly problem: Problem;
	/** The required content besides the failure itself. */
	readonly says: RegExp;
	/** The next step: the button's command, or words for it. */
	readonly next: Explanation['action'] | RegExp;
}

const signIn = { label: 'Sign In…', command: 'forge.accounts.signIn' } as const;
const showLog = { label: 'Show Log', command: 'showLog' } as const;
const host = 'todo.forge.test';

const reasons: Readonly<Record<UnreachableReason, Omit<Telling, 'problem'>>> = {
	offline: { says: /no network/, next: /Try again once you are online/ },
	dns: { says: /todo\.forge\.test cannot be found/, next: /Check that this computer is online/ },
	refused: { says: /accepts no connection/, next: /Try again later/ },
	reset: { says: /closed the connection/, next: /Check for a firewall or VPN/ },
	tls: { says: /certificate/, next: /Ask the operator of the forge/ },
	proxy: { says: /proxy/, next: /Check the proxy settings/ },
	proxySignIn: { says: /needs a user name and password/, next: /http\.proxyAuthorization/ },
	proxyUnusable: { says: /no usable proxy/, next: /Check the setting http\.proxy/ },
	timeout: { says: /didn't respond in time/, next: /Check for a firewall or VPN/ },
	webPage: { says: /A web page responds in place of/, next: /sign in to your network/ },
};

function unreachable(reason: UnreachableReason): KindOf<'unreachable'> {
	return { kind: 'unreachable', reason, host };
}

/** One entry per kind, so that a new kind needs a text. */
const kinds: { readonly [Kind in Problem['kind']]: readonly (Telling & { readonly problem: KindOf<Kind> })[] } = {
	notSignedIn: [{ problem: { kind: 'notSignedIn' }, says: /not signed in/, next: signIn }],
	tokenRejected: [
		{ problem: { kind: 'tokenRejected', area: 'todo' }, says: /no longer accepts/, next: signIn },
		{ problem: { kind: 'tokenRejected', area: 'todo', why: 'expired' }, says: /has expired/, next: signIn },
		{ problem: { kind: 'tokenRejected', area: 'todo', why: 'ofOtherServers' }, says: /the API/, next: signIn },
	],
	browserCheck: [
		{ problem: { kind: 'browserCheck', host }, says: /wants to check your browser/, next: /forge\.archives\.mirrors/ },
	],
	incomplete: [
		{ problem: { kind: 'incomplete' }, says: /lists only a part of this/, next: /on the web/ },
		{
			problem: { kind: 'incomplete', known: { id: '1', shortId: '1', entries: [] } },
			says: /leaves out a part of this folder/,
			next: /clone the repository/,
		},
	],
	sessionUnreadable: [
		{ problem: { kind: 'sessionUnreadable' }, says: /saved token could not be read/, next: /Unlock the keyring/ },
	],
	missingScope: [
		{
			problem: { kind: 'missingScope', scope: 'tickets:write', asWritten: 'aaaa000000000003/tickets:write' },
			says: /permission tickets:write\./,
			next: signIn,
		},
		{
			problem: { kind: 'missingScope', scope: undefined, asWritten: 'moon:write' },
			says: /permission moon:write\./,
			next: signIn,
		},
	],
	notAllowed: [
		{ problem: { kind: 'notAllowed' }, says: /does not allow/, next: /Ask the owner/ },
		{
			problem: { kind: 'notAllowed', reason: 'Your account is suspended. Write to support@forge.test' },
			says: /^The forge rejected this: Your account is suspended\. /,
			next: /Write to support@forge\.test\.$/,
		},
	],
	notOffered: [{ problem: { kind: 'notOffered' }, says: /^This forge doesn't support this\. /, next: /on the web/ }],
	notFound: [
		{ problem: { kind: 'notFound' }, says: /This doesn't exist on the forge/, next: /Check the name/ },
		{ problem: { kind: 'notFound', because: 'noPatches' }, says: /has no patches of its own/, next: /Open its thread/ },
		{
			problem: { kind: 'notFound', partialHost: 'lore.example' },
			says: /lore\.example has only a part of the archive/,
			next: /Open it on the web at another archive/,
		},
	],
	invalid: [
		{
			problem: { kind: 'invalid', errors: [{ field: 'title', reason: 'title is too short' }] },
			says: /: title is too short\. /,
			next: /Change it and try again/,
		},
		{
			problem: { kind: 'invalid', errors: [{ field: 'title', reason: 'Must be at most 2048 characters' }] },
			says: /: Title: Must be at most 2048 characters\. /,
			next: /Change it and try again/,
		},
		{
			problem: { kind: 'invalid', errors: [{ field: 'moon_phase', reason: 'Not now' }] },
			says: /: moon_phase: Not now\. /,
			next: /Change it and try again/,
		},
		{
			problem: {
				kind: 'invalid',
				errors: [
					{ field: undefined, reason: 'Really?' },
					{ field: 'name', reason: 'name is required' },
				],
			},
			says: /: Really\? name is required\. /,
			next: /Change it and try again/,
		},
		...(
			[
				['noneGiven', /gave no reason/, /Change it and try again/],
				['commentLength', /^A comment must have 3 to 16384 characters\. /, /Change it and try again/],
				['resolutionMissing', /^A resolved ticket needs a resolution\. /, /Choose one/],
				['nameEmpty', /^A name is required\. /, /Enter one/],
				['nameIsDots', /^The names "\." and "\.\." cannot be used/, /Change it/],
				['nameInNoAddress', /^This name cannot be part of a URL\. /, /Change it/],
				['halfCharacter', /^The name contains an incomplete character\. /, /Type it again/],
				['nulCharacter', /^The text contains a NUL character/, /Delete it and try again/],
				['slashInMessageId', /Message-ID that contains a slash/, /Open it from its list/],
				['mailboxMissing', /^No mailbox can be read at /, /Choose an mbox or MMDF file/],
				['mailboxDamaged', /^A gzip file is cut off /, /Download it again/],
				['noMailIndex', /^This editor has no SQLite/, /Update the editor/],
				['mailIndexFails', /cannot be used now/, /Try again in a minute/],
				['diskFails', /^The disk is full or fails\. /, /Free some space/],
			] as const
		).map(([own, says, next]) => ({
			problem: { kind: 'invalid', errors: [{ field: 'x', reason: own, own }] } as const,
			says,
			next,
		})),
	],
	rateLimited: [
		{ problem: { kind: 'rateLimited', untilMs: undefined }, says: /Too many requests/, next: /Try again in a minute/ },
		{
			problem: { kind: 'rateLimited', untilMs: new Date(2026, 10, 20, 12, 30, 5).getTime() },
			says: /Too many requests/,
			next: /Try again after 12:31\sPM\./,
		},
	],
	serverError: [
		{ problem: { kind: 'serverError', status: 503 }, says: /status 503/, next: /Try again later/ },
		{
			problem: { kind: 'serverError', status: 500 },
			says: /failed with HTTP status 500\. The item may not exist\. /,
			next: /Check the name, or try again later/,
		},
	],
	unreachable: (
		[
			'offline',
			'dns',
			'refused',
			'reset',
			'tls',
			'proxy',
			'proxySignIn',
			'proxyUnusable',
			'timeout',
			'webPage',
		] as const
	).map((reason) => ({
		problem: unreachable(reason),
		...reasons[reason],
	})),
	tooLarge: [
		{ problem: { kind: 'tooLarge', limitBytes: 16 * 1024 * 1024 }, says: /16\.8 MB/, next: /Open it on the web/ },
		{ problem: { kind: 'tooLarge', limitBytes: 64 * 1024 }, says: /65\.5 kB/, next: /Open it on the web/ },
	],
	notUnderstood: [
		{
			problem: { kind: 'notUnderstood', where: 'results[3].title', why: 'expected string, found null' },
			says: /results\[3\]\.title/,
			next: showLog,
		},
		{
			problem: { kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' },
			says: /cannot read the response of the forge\. See the log/,
			next: showLog,
		},
	],
	redirected: [{ problem: { kind: 'redirected', toHost: 'evil.test' }, says: /evil\.test/, next: /Check the URLs/ }],
};

interface Told {
	readonly problems: Problems;
	readonly logged: readonly string[];
	readonly opened: { times: number };
}

function tell(clock = fakeClock()): Told {
	const logged: string[] = [];
	const opened = { times: 0 };
	const write = (message: string): void => void logged.push(message);
	const log: Log = { info: write, warn: write, error: write };
	return { problems: problems(log, () => (opened.times += 1), clock), logged, opened };
}

suite('problem texts', () => {
	setup(resetStub);

	for (const telling of Object.values(kinds).flat()) {
		const { problem, says, next } = telling;

		test(`${JSON.stringify(problem)} yields a plain sentence with a next step`, () => {
			const error = new ForgeError(problem, { cause: new Error('<b>inner</b> words') });
			const { message, action } = tell().problems.explain(error);
			assert.match(message, says);
			if (next instanceof RegExp) {
				assert.match(message, next);
				const checked = { label: 'Check Connection', command: 'forge.checkConnection' };
				assert.deepEqual(action, problem.kind === 'unreachable' ? checked : undefined);
			} else {
				assert.deepEqual(action, next);
			}
			assertPlain(message);
			assert.ok(!message.includes(problem.kind), 'an inner name is shown');
			assert.doesNotMatch(message, /inner/);
		});
	}

	test('a long text names the limit, and a saved change with an unknown result is reported as saved', () => {
		const tooLong = { field: 'comment', reason: 'textTooLong', own: 'textTooLong', about: '16384' } as const;
		assert.match(
			tell().problems.explain(new ForgeError({ kind: 'invalid', errors: [tooLong] })).message,
			/too long: the forge takes up to 16384\. Shorten it/,
		);
		assert.equal(
			tell().problems.explain(new ForgeError({ kind: 'serverError', status: undefined }, { isDone: true })).message,
			'The forge reported an internal error. Try again later. The change itself was saved. Refresh before you send it again.',
		);
	});

	test('a rejected write with changed labels reports them for any reason', () => {
		const error = new ForgeError({ kind: 'rateLimited', untilMs: undefined });
		const now = makeTicket();
		const explained = (done: DoneInParts): string =>
			tell().problems.explain(partlyDone(error, { done, before: undefined, now })).message;
		assert.equal(
			explained({ labels: { add: ['bug'], remove: [] } }),
			'Too many requests. Try again in a minute. The labels of the ticket were changed anyway.',
		);
		assert.equal(
			explained({ assignees: { add: ['~bob'], remove: [] } }),
			'Too many requests. Try again in a minute. Some of the assignees were changed anyway.',
		);
	});

	test('names a person who cannot be assigned, as text', () => {
		assert.equal(
			tell().problems.explain(unfit('assignees', 'personUnknown', '~er\u202ein')).message,
			'~er⟨U+202E⟩in has never used tickets on this forge and cannot be assigned yet. Check the name.',
		);
	});

	test('names a missing object in one line of visible text', () => {
		const message = (about: string): string =>
			tell().problems.explain(new ForgeError({ kind: 'notFound' }, { about })).message;
		assert.equal(
			message('~alice/lantern#9999'),
			"~alice/lantern#9999 doesn't exist, or you don't have access to it. Check the name.",
		);
		assert.match(message('~alice/al\u202epha\nbeta'), /^~alice\/al⟨U\+202E⟩pha beta doesn't exist,/);
		assert.ok(message('a'.repeat(5000)).length < 400);
	});

	test('suggests to check only URLs from the settings', () => {
		const message = (reason: UnreachableReason): string =>
			tell().problems.explain(new ForgeError(unreachable(reason))).message;
		for (const forges of [
			undefined,
			['sr.ht'],
			['est'],
			['forge.test.example'],
			[{ name: 'x', todo: 'https://git.forge.test' }],
		]) {
			stubbed.settings.set('forge.forges', forges);
			for (const reason of ['dns', 'refused'] as const) {
				assert.doesNotMatch(message(reason), /settings/, JSON.stringify(forges));
			}
		}
		for (const forges of [['forge.test'], ['FORGE.test'], [{ name: 'x', todo: 'https://todo.forge.test/' }]]) {
			stubbed.settings.set('forge.forges', forges);
			for (const reason of ['dns', 'refused'] as const) {
				assert.match(message(reason), /(?:check|Correct) the URL in the settings/, JSON.stringify(forges));
			}
		}
	});

	test('every connection failure has its own text', () => {
		const told = tell().problems;
		const messages = kinds.unreachable.map(({ problem }) => told.explain(new ForgeError(problem)).message);
		assert.equal(new Set(messages).size, Object.keys(reasons).length);
	});

	test('an unsaved draft suggests a fix or the log', () => {
		assert.deepEqual(
			[true, false].map((isFull) => tell().problems.explain(new DraftNotKept(isFull, undefined)).message),
			[
				"Couldn't save the draft: the disk is full. Your text is kept in this window only.",
				"Couldn't save the draft. Your text is kept in this window only. See the log for details.",
			],
		);
	});

	test('an internal failure shows none of its internal words', () => {
		for (const error of [new TypeError('x is not a function'), 'a text', undefined, { token: 'secret' }]) {
			const { message, action } = tell().problems.explain(error);
			assertPlain(message);
			assert.doesNotMatch(message, /function|a text|undefined|secret|object/);
			assert.deepEqual(action, showLog);
		}
	});

	test('an abort shows nothing and logs nothing', async () => {
		const { problems: told, logged } = tell();
		const aborted = AbortSignal.abort();
		await told.show(aborted.reason);
		told.log(aborted.reason);
		assert.deepEqual([stubbed.shown, logged], [[], []]);
	});

	test('a link in a server’s text does not render as a link', async () => {
		const reason = '[Sign in again](command:workbench.action.quit) at [home](https://evil.test)';
		await tell().problems.show(new ForgeError({ kind: 'invalid', errors: [{ field: undefined, reason }] }));
		assert.equal(stubbed.shown.length, 1);
		assert.doesNotMatch(stubbed.shown.join(), /\]\(/);
	});

	test('logs each shown problem with its stack trace', async () => {
		const { problems: told, logged } = tell();
		await told.show(new ForgeError({ kind: 'serverError', status: 502 }));
		assert.deepEqual(stubbed.shown, ['The forge failed with HTTP status 502. Try again later.']);
		assert.match(logged.join(), /server error 502\n\s+at /);
	});

	test('the button of a notice runs its command', async () => {
		stubbed.answers.push(signIn.label);
		await tell().problems.show(new ForgeError({ kind: 'notSignedIn' }));
		assert.deepEqual(stubbed.executed, [signIn.command]);
		stubbed.answers.push(showLog.label);
		const { problems: told, opened } = tell();
		await told.show(new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it is empty' }));
		assert.equal(opened.times, 1);
		assert.deepEqual(stubbed.executed, [signIn.command]);
	});

	test('a closed notice runs nothing', async () => {
		await tell().problems.show(new ForgeError({ kind: 'tokenRejected', area: 'git' }));
		assert.deepEqual(stubbed.executed, []);
	});

	test('a rejected token counts as reported for a moment, also while its notice stays open', async () => {
		const clock = fakeClock();
		const { problems: told } = tell(clock);
		await told.show(new ForgeError({ kind: 'notFound' }));
		await told.show(new ForgeError({ kind: 'missingScope', scope: 'tickets:write', asWritten: 'tickets:write' }));
		assert.equal(told.hasJustToldOfToken(), false, 'other failures are no word of the token');
		void told.show(new ForgeError({ kind: 'tokenRejected', area: 'git' }));
		assert.equal(told.hasJustToldOfToken(), true);
		clock.advance(5000);
		assert.equal(told.hasJustToldOfToken(), false, 'another account is not silenced');
	});
});

/** Full sentences for people: no stack trace, markup, link or unfilled placeholder. */
function assertPlain(message: string): void {
	assert.match(message, /^[A-Za-z][^\n]*\.$/);
	assert.doesNotMatch(message, /\bat \S+:\d+/, 'a trace');
	assert.doesNotMatch(message, /<\/?\w/, 'markup');
	assert.doesNotMatch(message, /\]\(|\w+:\/\//, 'a link');
	assert.doesNotMatch(message, /\{\d\}|undefined|null|\[object|NaN/, 'an unfilled place');
	assert.doesNotMatch(message, /!| {2}|[Pp]lease/, 'the tone');
}
