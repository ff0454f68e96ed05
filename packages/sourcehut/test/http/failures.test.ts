import assert from 'node:assert/strict';
import { connectionTrouble } from '../../src/http/connectionFailures.ts';
import { headOf, parseRetryAfter } from '../../src/http/exchange.ts';
import type { ConnectionTrouble } from '../../src/http/httpClient.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

function coded(code: string, more: object = {}): Error {
	return Object.assign(new Error(code), { code, ...more });
}

const codes: readonly (readonly [string, ConnectionTrouble])[] = [
	['ENOTFOUND', 'dns'],
	['EAI_AGAIN', 'offline'],
	['ENETUNREACH', 'offline'],
	['EHOSTUNREACH', 'offline'],
	['ECONNREFUSED', 'refused'],
	['ECONNRESET', 'reset'],
	['EPIPE', 'reset'],
	['UND_ERR_SOCKET', 'reset'],
	['ETIMEDOUT', 'timeout'],
	['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
	['CERT_HAS_EXPIRED', 'tls'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
	['UND_ERR_PRX_TLS', 'proxy'],
	['UND_ERR_PRX_CONN', 'proxy'],
	['SOMETHING_NEW', 'reset'],
];

suite('connection errors', () => {
	for (const [code, trouble] of codes) {
		test(`${code} means ${trouble}`, () => {
			assert.equal(connectionTrouble(coded(code), undefined), trouble);
		});
	}

	test('take the reason of the first address', () => {
		const both = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], '');
		assert.equal(connectionTrouble(both, undefined), 'refused');
	});

	test('distinguish proxy errors from server errors', () => {
		const proxy = 'http://proxy.example:3128';
		const unknown = coded('ENOTFOUND', { hostname: 'proxy.example' });
		assert.equal(connectionTrouble(unknown, proxy), 'proxy');
		assert.equal(connectionTrouble(coded('ENOTFOUND', { hostname: 'forge.example' }), proxy), 'dns');
		const refused = coded('ECONNREFUSED', { address: '10.0.0.1', port: 3128 });
		assert.equal(connectionTrouble(refused, proxy), 'proxy');
		assert.equal(connectionTrouble(refused, undefined), 'refused');
		const status = (code: number): Error => new Error(`Proxy response (${code}) !== 200 when HTTP Tunneling`);
		assert.equal(connectionTrouble(status(403), proxy), 'proxy');
		assert.equal(connectionTrouble(status(407), proxy), 'proxySignIn');
	});
});

suite('Retry-After', () => {
	const nowMs = Date.UTC(2026, 10, 20);

	test('parses seconds and dates', () => {
		assert.equal(parseRetryAfter('0', nowMs), 0);
		assert.equal(parseRetryAfter('120', nowMs), 120_000);
		assert.equal(parseRetryAfter('Fri, 20 Nov 2026 00:00:30 GMT', nowMs), 30_000);
		assert.equal(parseRetryAfter('Thu, 19 Nov 2026 00:00:00 GMT', nowMs), 0);
	});

	test('measures a date against the response’s Date header, not the local clock', () => {
		const headers = { 'retry-after': 'Fri, 20 Nov 2026 00:00:30 GMT', date: 'Fri, 20 Nov 2026 00:00:00 GMT' };
		for (const clock of [fakeClock(Date.UTC(2026, 10, 20, 1)), fakeClock(Date.UTC(2026, 10, 19, 23))]) {
			assert.equal(headOf(429, headers, clock).retryAfterMs, 30_000);
		}
	});

	test('ignores invalid values', () => {
		for (const value of ['', '-5', 'soon', '315360000', '9'.repeat(40), 'NaN']) {
			assert.equal(parseRetryAfter(value, nowMs), undefined, value);
		}
	});
});
