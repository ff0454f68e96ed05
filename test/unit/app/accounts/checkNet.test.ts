import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { checkNet } = await import('../../../../src/app/accounts/checkParts.ts');

const never = new AbortController().signal;
const none: ProxyUse = { kind: 'none' };

/** The network of Check Connection, whose requests use this proxy. */
function netWith(used: ProxyUse, environment: Readonly<Record<string, string>> = {}) {
	const origins: string[] = [];
	const net = checkNet(
		() => Promise.reject(new Error('no request')),
		async (origin) => {
			origins.push(origin);
			return used;
		},
		environment,
	);
	return { net, origins };
}

suite('network of Check Connection', () => {
	setup(() => resetStub());

	test('names the proxy of an origin, and keeps its sign-in secret', async () => {
		const used = { kind: 'proxy', address: 'http://me:hush@proxy.test:3128', source: 'system' } as const;
		const { net, origins } = netWith(used);
		assert.equal(await net.proxyFor('https://todo.test/query?x', never), used);
		assert.deepEqual(origins, ['https://todo.test']);
		assert.ok(['me', 'hush'].every((secret) => net.secrets().includes(secret)));
	});

	test('names a setting that the editor ignores', async () => {
		stubbed.settings.set('http.proxy', 'ftp://me:hush@proxy.test');
		assert.deepEqual(await netWith(none).net.proxyFor('https://todo.test', never), {
			kind: 'unusable',
			source: 'setting',
		});
		stubbed.settings.set('http.proxy', 'http://proxy.test');
		assert.equal(await netWith(none).net.proxyFor('https://todo.test', never), none);
	});

	test('keeps the sign-ins of settings and environment secret, used or not', () => {
		stubbed.settings.set('http.proxy', 'http://one:two@proxy.test');
		stubbed.settings.set('http.proxyAuthorization', 'Basic three');
		const { net } = netWith(none, {
			HTTPS_PROXY: 'http://four:five@proxy.test',
			http_proxy: 'http://six:seven@proxy.test',
		});
		const secrets = net.secrets();
		assert.deepEqual(
			['one', 'two', 'Basic three', 'four', 'five', 'six', 'seven'].filter((secret) => !secrets.includes(secret)),
			[],
		);
	});
});
