import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CallbackFault } from 'sourcehut/identity/callback.ts';
import type { SignInProblem } from 'sourcehut/identity/signInError.ts';

const { areaText, explainSignIn, pasteFaultText } = await import('../../../../src/features/accounts/signInTexts.ts');

const forge = 'Example';

/** One problem of each kind. The type requires an entry for every new kind. */
const problems: { readonly [kind in SignInProblem['kind']]: Extract<SignInProblem, { readonly kind: kind }> } = {
	declined: { kind: 'declined' },
	timedOut: { kind: 'timedOut' },
	scopeRefused: { kind: 'scopeRefused', serverSays: 'no postcards', asked: ['todo.sr.ht/postcards:read'] },
	redirectRefused: { kind: 'redirectRefused', serverSays: 'no such address' },
	refused: { kind: 'refused', serverSays: 'not today' },
	unknownClient: { kind: 'unknownClient' },
	wrongSecret: { kind: 'wrongSecret' },
	codeSpent: { kind: 'codeSpent' },
	notUnderstood: { kind: 'notUnderstood', where: 'POST /oauth/exchange: token' },
	foreignAddress: { kind: 'foreignAddress', address: 'https://evil.test' },
	noPkce: { kind: 'noPkce' },
	tokenOnly: { kind: 'tokenOnly' },
	otherAccount: { kind: 'otherAccount', wanted: '~alice', got: '~bob' },
	tokenExpired: { kind: 'tokenExpired', owner: '~alice', expiresMs: Date.UTC(2026, 10, 20, 12) },
	tokenOfOtherServers: { kind: 'tokenOfOtherServers', isOlder: true },
	tokenRefused: { kind: 'tokenRefused' },
	gitMissing: { kind: 'gitMissing' },
	portTaken: { kind: 'portTaken', port: 4711 },
};

/** Callback faults, grouped by their text. */
const faults: readonly (readonly CallbackFault[])[] = [
	['noCode', 'tooLong', 'repeatedParameter', 'codeAndError'],
	['otherState', 'noState', 'otherIssuer'],
	['spent'],
];

suite('sign-in error text', () => {
	test('is empty when the user declines', () => {
		assert.equal(explainSignIn(problems.declined, forge), undefined);
	});

	test('contains the forge’s name and all strings of the problem', () => {
		for (const problem of Object.values(problems).filter(({ kind }) => kind !== 'declined')) {
			const { kind, ...known } = problem;
			const text = explainSignIn(problem, forge) ?? '';
			const words: readonly unknown[] = [forge, ...Object.values<unknown>(known).flat()];
			for (const word of words.filter((each) => typeof each === 'string')) {
				assert.ok(text.includes(word), `${kind}: ${text}`);
			}
		}
	});

	test('differs for each kind, except the two without a browser sign-in', () => {
		const texts = Object.values(problems).map((problem) => explainSignIn(problem, forge));
		assert.equal(new Set(texts).size, texts.length - 1);
		assert.equal(explainSignIn(problems.noPkce, forge), explainSignIn(problems.tokenOnly, forge));
	});

	test('names both accounts when the browser is signed in as another user', () => {
		assert.match(explainSignIn(problems.otherAccount, forge) ?? '', /as ~bob, but ~alice was expected/);
	});

	test('distinguishes a pasted text with no code, a foreign code and a spent code', () => {
		const groups = faults.map((alike) => new Set(alike.map(pasteFaultText)));
		assert.deepEqual(
			groups.map(({ size }) => size),
			[1, 1, 1],
		);
		assert.equal(new Set(groups.flatMap((texts) => [...texts])).size, 3);
	});

	test('names areas by their content', () => {
		assert.deepEqual(
			[areaText('todo'), areaText('lists'), areaText('git')],
			['tickets', 'mailing lists', 'repositories'],
		);
	});
});
