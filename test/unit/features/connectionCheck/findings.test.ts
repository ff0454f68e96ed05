import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { graphqlProtocol } from 'sourcehut/graphql/graphqlProtocol.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import type { TokenReading } from 'sourcehut/port/forgeProtocol.ts';
import {
	hostOfRemote,
	isSendable,
	judgeBudget,
	judgeClock,
	judgeGrants,
	judgeLook,
	judgeProxies,
	judgeToken,
	troubleOf,
} from '../../../../src/features/connectionCheck/findings.ts';
import { makeInstance } from '../../../support/makeSession.ts';

const day = 86_400_000;
const look = {
	status: 200,
	protocol: undefined,
	isWebPage: false,
	toHost: undefined,
	sentMs: undefined,
	said: '',
} as const;

function told(changes: Partial<Extract<TokenReading, { readonly kind: 'told' }>>): TokenReading {
	const bare = {
		owner: '~alice',
		expiresMs: 100 * day,
		grants: '',
		scopes: 'all',
		lacks: [],
		isPersonal: true,
	} as const;
	return { kind: 'told', ...bare, ...changes };
}

function unreachable(reason: 'tls' | 'proxy', cause: Error): ForgeError {
	return new ForgeError({ kind: 'unreachable', reason, host: 'todo.example' }, { cause: new Error('lost', { cause }) });
}

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code });

suite('findings of Check Connection', () => {
	test('name the trouble of a certificate by the code below the error', () => {
		for (const [code, why] of [
			['CERT_HAS_EXPIRED', 'expired'],
			['CERT_NOT_YET_VALID', 'notYetValid'],
			['DEPTH_ZERO_SELF_SIGNED_CERT', 'selfSigned'],
			['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'selfSigned'],
			['ERR_TLS_CERT_ALTNAME_INVALID', 'otherHost'],
			['CERT_REVOKED', 'other'],
		]) {
			assert.deepEqual(troubleOf(unreachable('tls', coded(code ?? ''))), { kind: 'certificate', why });
		}
	});

	test('tell a proxy that refuses from one that asks and one that is off', () => {
		const refused = 'Proxy response (403) !== 200 when HTTP Tunneling';
		assert.deepEqual(troubleOf(unreachable('proxy', coded('UND_ERR_ABORTED', refused))), { kind: 'proxyRefuses' });
		const asks = 'Proxy response (407) !== 200 when HTTP Tunneling';
		assert.deepEqual(troubleOf(unreachable('proxy', coded('UND_ERR_ABORTED', asks))), { kind: 'proxySignIn' });
		assert.deepEqual(troubleOf(unreachable('proxy', coded('ECONNREFUSED'))), { kind: 'proxyUnreachable' });
		const plain = new ForgeError({ kind: 'unreachable', reason: 'proxy', host: 'todo.example' });
		assert.deepEqual(troubleOf(plain), { kind: 'proxySignIn' }, 'a status 407 without a tunnel');
	});

	test('never call an unclear answer a service', () => {
		assert.deepEqual(judgeLook({ ...look, isWebPage: true }), { kind: 'webPage' });
		assert.deepEqual(judgeLook({ ...look, status: 403, isWebPage: true }), { kind: 'webPage' });
		assert.deepEqual(judgeLook({ ...look, status: 511 }), { kind: 'webPage' });
		assert.deepEqual(judgeLook(look), { kind: 'notUnderstood' });
		assert.deepEqual(judgeLook({ ...look, said: 'Hello' }), { kind: 'notUnderstood' });
		for (const status of [401, 403]) {
			const reason = 'Only from our network.';
			assert.deepEqual(judgeLook({ ...look, status, said: reason }), { kind: 'turnsAway', status, reason });
		}
		assert.deepEqual(judgeLook({ ...look, status: 302, toHost: 'a.example' }), {
			kind: 'redirected',
			toHost: 'a.example',
		});
		assert.deepEqual(judgeLook({ ...look, status: 407 }), { kind: 'proxySignIn' });
		assert.deepEqual(judgeLook({ ...look, status: 504, isWebPage: true }), { kind: 'unavailable', status: 504 });
		assert.deepEqual(judgeLook({ ...look, protocol: 'graphql' }), { kind: 'service', protocol: 'graphql' });
	});

	test('let a token leave only while it is valid, and bound to its URLs', () => {
		type Token = Parameters<typeof judgeToken>[0];
		const token: Token = {
			accountName: '~alice',
			isBound: true,
			reading: told({}),
			expiresMs: undefined,
			renews: false,
		};
		const judged = (changes: Partial<Token>, nowMs = 0): string => judgeToken({ ...token, ...changes }, nowMs).kind;
		assert.equal(judged({}), 'valid');
		assert.equal(judged({}, 99 * day), 'endsSoon');
		assert.equal(judged({}, 100 * day), 'expired');
		assert.equal(judged({ renews: true }, 99 * day), 'valid', 'a renewal comes before the end');
		assert.equal(judged({ renews: true }, 100 * day), 'expired');
		assert.equal(judged({ isBound: false }), 'addressesChanged');
		assert.equal(judged({ reading: told({ owner: '~bob' }) }), 'otherPerson');
		assert.equal(judged({ reading: { kind: 'ofOtherServers', isOlder: true } }), 'ofOtherServers');
		assert.equal(judged({ reading: { kind: 'untold' }, expiresMs: 5 }, 6), 'expired');
		for (const kind of ['addressesChanged', 'ofOtherServers'] as const) {
			assert.equal(isSendable({ kind }), false);
		}
		assert.equal(isSendable({ kind: 'expired', atMs: 0 }), false);
		assert.equal(isSendable({ kind: 'otherPerson', owner: '~bob' }), false);
	});

	test('name missing permissions by service, and those for writing only of a personal token', () => {
		const protocol = graphqlProtocol(makeInstance());
		const held = readScopes.filter((scope) => scope !== 'data:read');
		const missing = judgeGrants(['todo', 'lists', 'git'], held, told({ lacks: ['projects'] }), protocol);
		assert.deepEqual(
			missing.map(({ area, reading, besides }) => [area, reading, besides]),
			[
				['todo', [], []],
				['lists', [], []],
				['git', ['data:read'], ['projects']],
			],
		);
		assert.ok(missing.every(({ writing }) => writing.length > 0));
		const ofBrowser = judgeGrants(['todo', 'lists', 'git'], readScopes, told({ isPersonal: false }), protocol);
		assert.deepEqual(ofBrowser, []);
	});

	test('compare the clock by the median, and do not guess without a time', () => {
		const at = (sentMs: number | undefined): { sentMs: number | undefined; askedMs: number; heardMs: number } => ({
			sentMs,
			askedMs: 1_000_000,
			heardMs: 1_001_000,
		});
		assert.deepEqual(judgeClock([at(undefined)]), { kind: 'unknown' });
		assert.deepEqual(judgeClock([at(1_000_000), at(5_000_000), at(1_000_000)]), { kind: 'right', offByMs: 0 });
		assert.deepEqual(judgeClock([at(400_000), at(400_000)]), { kind: 'wrong', offByMs: 600_000 });
		assert.deepEqual(judgeClock([at(1_600_000)]), { kind: 'wrong', offByMs: -600_000 });
	});

	test('name a proxy once, without its user name and password', () => {
		const proxy = { kind: 'proxy', address: 'http://me:hush@proxy.example:3128', source: 'environment' } as const;
		assert.deepEqual(
			judgeProxies([
				['a.example', proxy],
				['b.example', proxy],
				['here.example', { kind: 'none' }],
			]),
			[{ kind: 'proxy', host: 'proxy.example:3128', source: 'environment', hosts: ['a.example', 'b.example'] }],
		);
		assert.deepEqual(judgeProxies([['a.example', { kind: 'none' }]]), [{ kind: 'none' }]);
		assert.deepEqual(judgeProxies([['a.example', { kind: 'unusable', source: 'system' }]]), [
			{ kind: 'unusable', source: 'system' },
		]);
	});

	test('say how many requests are left', () => {
		assert.deepEqual(judgeBudget({ perHour: 300, spent: 20, readyMs: 0 }), { kind: 'left', left: 280, perHour: 300 });
		assert.deepEqual(judgeBudget({ perHour: 300, spent: 300, readyMs: 7 }), {
			kind: 'spent',
			perHour: 300,
			untilMs: 7,
		});
		assert.deepEqual(judgeBudget({ perHour: 0, spent: 0, readyMs: Infinity }), { kind: 'off' });
	});

	test('take the host of a remote, and nothing else', () => {
		assert.equal(hostOfRemote('https://me:hush@git.example:8443/lantern'), 'git.example:8443');
		assert.equal(hostOfRemote('git@git.example:~alice/lantern'), 'git.example');
		assert.equal(hostOfRemote('ssh://git@git.example/~alice/lantern'), 'git.example');
		assert.equal(hostOfRemote('/home/alice/secret/lantern'), '');
		assert.equal(hostOfRemote(String.raw`C:\Users\alice\lantern`), '');
	});
});
