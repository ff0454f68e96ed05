import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';

const { proxyInUse } = await import('../../../../src/app/accounts/proxyInUse.ts');

function proxyOf(
	address: string,
	settings: Readonly<Record<string, unknown>>,
	environment: Readonly<Record<string, string>> = {},
): ReturnType<typeof proxyInUse> {
	return proxyInUse(address, { get: (key) => settings[key] }, environment);
}

const forge = 'https://todo.forge.test/';
const setting = { 'http.proxy': 'proxy.example:3128' };
const environment = { HTTPS_PROXY: 'http://other.example' };

suite('proxy in use', () => {
	test('comes from the setting before the environment', () => {
		const proxy = { kind: 'proxy', address: 'http://proxy.example:3128', source: 'setting' };
		assert.deepEqual(proxyOf(forge, setting, environment), proxy);
		assert.deepEqual(proxyOf(forge, {}, environment), {
			kind: 'proxy',
			address: 'http://other.example',
			source: 'environment',
		});
		assert.deepEqual(proxyOf('http://todo.forge.test/', {}, environment), { kind: 'none' });
		assert.deepEqual(proxyOf(forge, {}), { kind: 'none' });
	});

	test('is not usable if its text is no URL of a proxy, and then the environment is no excuse', () => {
		const broken = { kind: 'unusable', source: 'setting' };
		assert.deepEqual(proxyOf(forge, { 'http.proxy': 'ftp://proxy.example' }, environment), broken);
		assert.deepEqual(proxyOf(forge, { 'http.proxy': 7 }), broken);
		const inEnvironment = { kind: 'unusable', source: 'environment' };
		assert.deepEqual(proxyOf(forge, {}, { HTTPS_PROXY: 'ftp://proxy.example' }), inEnvironment);
	});

	test('is none for exempt hosts and without support', () => {
		for (const exempt of ['todo.forge.test', '.forge.test', '*.forge.test', 'forge.test', '*', 'todo.forge.test:443']) {
			assert.deepEqual(proxyOf(forge, { ...setting, 'http.noProxy': [exempt] }), { kind: 'none' }, exempt);
		}
		for (const other of ['todo.forge.test:80', '*.todo.forge.test', 'orge.test']) {
			assert.equal(proxyOf(forge, { ...setting, 'http.noProxy': [other] }).kind, 'proxy', other);
		}
		assert.deepEqual(proxyOf('https://10.1.2.3/', { ...setting, 'http.noProxy': ['10.0.0.0/8'] }), { kind: 'none' });
		assert.equal(proxyOf('https://11.1.2.3/', { ...setting, 'http.noProxy': ['10.0.0.0/8'] }).kind, 'proxy');
		assert.deepEqual(proxyOf('https://[::1]:5000/', setting), { kind: 'none' });
		assert.deepEqual(proxyOf('http://127.0.0.1:5000/', setting), { kind: 'none' });
		assert.deepEqual(proxyOf(forge, { ...setting, 'http.proxySupport': 'off' }), { kind: 'none' });
	});
});
