import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CallbackFault } from 'sourcehut/identity/callback.ts';
import type { SignInProblem } from 'sourcehut/identity/signInError.ts';

const { areaText, explainSignIn, pasteFaultText } = await import('../../../../src/features/accounts/signInTexts.ts');

const forge = 'Example';

/** One of each kind, so that a new kind has to be put here. */
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

/** Faults that are told alike, in groups. */
const faults: readonly (readonly CallbackFault[])[] = [
	['noCode', 'tooLong', 'repeatedParameter', 'codeAndError'],
	['otherState', 'noState', 'otherIssuer'],
	['spent'],
];

suite('what is told of a sign-in that failed', () => {
	test('a refusal by the user’s own hand is not told', () => {
		assert.equal(explainSignIn(problems.declined, forge), undefined);
	});

	test('everything else is told with the forge’s name and with what the problem knows', () => {
		for (const problem of Object.values(problems).filter(({ kind }) => kind !== 'declined')) {
			const { kind, ...known } = problem;
			const text = explainSignIn(problem, forge) ?? '';
			const words: readonly unknown[] = [forge, ...Object.values<unknown>(known).flat()];
			for (const word of words.filter((each) => typeof each === 'string')) {
				assert.ok(text.includes(word), `${kind}: ${text}`);
			}
		}
	});

	test('no two kinds are told alike, except the two that have no sign-in in the browser', () => {
		const texts = Object.values(problems).map((problem) => explainSignIn(problem, forge));
		assert.equal(new Set(texts).size, texts.length - 1);
		assert.equal(explainSignIn(problems.noPkce, forge), explainSignIn(problems.tokenOnly, forge));
	});

	test('whose browser is signed in as somebody else learns who it is and who was wanted', () => {
		assert.match(explainSignIn(problems.otherAccount, forge) ?? '', /as ~bob, but ~alice was expected/);
	});

	test('of a pasted text it is told whether it is no code, of another sign-in, or too late', () => {
		const groups = faults.map((alike) => new Set(alike.map(pasteFaultText)));
		assert.deepEqual(
			groups.map(({ size }) => size),
			[1, 1, 1],
		);
		assert.equal(new Set(groups.flatMap((texts) => [...texts])).size, 3);
	});

	test('areas are named by what people find there', () => {
		assert.deepEqual(
			[areaText('todo'), areaText('lists'), areaText('git')],
			['tickets', 'mailing lists', 'repositories'],
		);
	});
});
