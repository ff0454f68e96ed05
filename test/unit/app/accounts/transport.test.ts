import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import net from 'node:net';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { TransportSettings } from 'sourcehut/net.ts';
import { systemClock } from '../../../support/contractForge.ts';
import { startLocalServer } from '../../../support/localServer.ts';

const { transportSettings } = await import('../../../../src/app/accounts/network.ts');

type Values = Readonly<Record<string, unknown>>;

function read(settings: Values, environment: Readonly<Record<string, string>> = {}): TransportSettings {
	return transportSettings({ get: (key) => settings[key] }, environment, '1.2.3');
}

/** Proxies for plain and for encrypted origins. */
function proxies(settings: Values, environment: Readonly<Record<string, string>> = {}): readonly unknown[] {
	const { httpProxy, httpsProxy } = read(settings, environment);
	return [httpProxy, httpsProxy];
}

const none = [undefined, undefined];
const ownComputer = ['localhost', '127.0.0.1', '::1'];

suite('transport settings', () => {
	test('without settings there is no proxy, and the client checks certificates', () => {
		const { noProxy, ...rest } = read({});
		assert.deepEqual(rest, {
			userAgent: 'ForgeDesk/1.2.3 (VS Code extension)',
			callsInFlight: 4,
			httpsProxy: undefined,
			httpProxy: undefined,
			proxyAuthorization: undefined,
			strictTls: true,
			systemCertificates: true,
		});
		assert.deepEqual(new Set(noProxy), new Set([...ownComputer, '[::1]']));
	});

	test('the editor’s proxy wins over the environment’s, for both kinds of origin', () => {
		const environment = { HTTP_PROXY: 'http://env:1', HTTPS_PROXY: 'http://env:2' };
		assert.deepEqual(proxies({ 'http.proxy': 'http://editor:3' }, environment), ['http://editor:3', 'http://editor:3']);
		assert.deepEqual(proxies({ 'http.proxy': '  ' }, environment), ['http://env:1', 'http://env:2']);
		assert.deepEqual(proxies({ 'http.proxy': 7 }, environment), ['http://env:1', 'http://env:2']);
	});

	test('accepts lower-case environment variables', () => {
		assert.deepEqual(proxies({}, { http_proxy: 'http://env:1', https_proxy: 'http://env:2' }), [
			'http://env:1',
			'http://env:2',
		]);
		assert.deepEqual(proxies({}, { HTTP_PROXY: 'http://env:1', http_proxy: 'http://env:2' }), [
			'http://env:1',
			undefined,
		]);
	});

	test('the off setting disables proxies from every source', () => {
		const settings = { 'http.proxySupport': 'off', 'http.proxy': 'http://editor:3' };
		assert.deepEqual(proxies(settings, { HTTP_PROXY: 'http://env:1', HTTPS_PROXY: 'http://env:2' }), none);
		assert.deepEqual(proxies({ ...settings, 'http.proxySupport': 'override' }), ['http://editor:3', 'http://editor:3']);
	});

	for (const [written, meant] of [
		['proxy.test:8080', 'http://proxy.test:8080'],
		['proxy.test', 'http://proxy.test'],
		['10.0.0.1:3128', 'http://10.0.0.1:3128'],
		['[::1]:3128', 'http://[::1]:3128'],
		['user:secret@proxy.test:8080', 'http://user:secret@proxy.test:8080'],
		['//proxy.test:8080', 'http://proxy.test:8080'],
		['HTTPS://proxy.test', 'HTTPS://proxy.test'],
		['socks5://proxy.test:1080', 'socks5://proxy.test:1080'],
		[' http://proxy.test:8080/ ', 'http://proxy.test:8080/'],
	] as const) {
		test(`a proxy written as "${written}" means ${meant}`, () => {
			assert.deepEqual(proxies({}, { HTTP_PROXY: written }), [meant, undefined]);
			assert.deepEqual(proxies({}, { HTTPS_PROXY: written }), [undefined, meant]);
			assert.deepEqual(proxies({ 'http.proxy': written }), [meant, meant]);
		});
	}

	for (const written of [
		'http://',
		':8080',
		'proxy.test:no',
		'proxy test',
		'ftp://proxy.test',
		'file:///x',
		'http:// /',
		'http://user:100%@proxy.test',
	]) {
		test(`a proxy written as "${written}" counts as none`, () => {
			assert.deepEqual(proxies({ 'http.proxy': written }), none);
			assert.deepEqual(proxies({}, { HTTP_PROXY: written, HTTPS_PROXY: written }), none);
		});
	}

	test('a setting that is not an address leaves the environment’s proxy', () => {
		assert.deepEqual(proxies({ 'http.proxy': 'ftp://x' }, { HTTP_PROXY: 'env:1' }), ['http://env:1', undefined]);
	});

	for (const [about, settings, environment, expected] of [
		['the setting', { 'http.noProxy': ['forge.test', 7] }, { NO_PROXY: 'other.test' }, ['forge.test']],
		['the environment', {}, { NO_PROXY: 'a.test, b.test c.test' }, ['a.test', 'b.test', 'c.test']],
		['the environment in lower case', {}, { no_proxy: 'a.test' }, ['a.test']],
		['the environment, when the setting is empty', { 'http.noProxy': [] }, { NO_PROXY: 'a.test' }, ['a.test']],
	] as const) {
		test(`hosts without proxy come from ${about}, and always include this computer`, () => {
			const { noProxy } = read(settings, environment);
			for (const host of [...expected, ...ownComputer]) {
				assert.ok(noProxy.includes(host), host);
			}
			assert.ok(!noProxy.includes('other.test'));
		});
	}

	test('connects directly to a subnet without proxy, in both families, and to no other address', async () => {
		const proxy = await startLocalServer((_request, response) => response.end('through the proxy'));
		const own = await startLocalServer((_request, response) => response.end('straight'));
		const get = async (origin: string, noProxy: readonly string[]): Promise<string> => {
			const transport = { ...read({}, { HTTP_PROXY: `127.0.0.1:${proxy.port}` }), noProxy };
			const client = undiciClient({ transport, clock: systemClock, random: () => 0 });
			try {
				const signal = new AbortController().signal;
				const answer = await client.send({ method: 'GET', origin, path: '/x', limitBytes: 1000, signal });
				return new TextDecoder().decode(answer.body);
			} finally {
				await client.close();
			}
		};
		try {
			assert.equal(await get(own.origin, ['10.0.0.0/8', '127.0.0.0/8']), 'straight');
			assert.equal(await get(own.origin, ['127.0.0.1/32']), 'straight');
			for (const noProxy of [['127.0.0.2/32'], ['127.0.0.0/33'], ['fd00::/8'], ['127.0.0/8'], ['/8']]) {
				assert.equal(await get(own.origin, noProxy), 'through the proxy', noProxy[0]);
			}
			for (const noProxy of [['::/64'], ['[::]/64']]) {
				assert.equal(await get('http://[fd00::1]', noProxy), 'through the proxy');
				await assert.rejects(get(`http://[::1]:${own.port}`, noProxy), 'straight, where nobody listens');
			}
		} finally {
			await own.stop();
			await proxy.stop();
		}
	});

	test('each address of a host has time for a distant server and a lost packet, also of a proxy', async () => {
		const given: unknown[] = [];
		const { connect } = net;
		const watched = (...args: readonly unknown[]): net.Socket => {
			given.push(Reflect.get(Object(args[0]), 'autoSelectFamilyAttemptTimeout'));
			const socket: unknown = Reflect.apply(connect, net, args);
			assert.ok(socket instanceof net.Socket);
			return socket;
		};
		const server = await startLocalServer((_request, response) => response.end());
		Reflect.set(net, 'connect', watched);
		try {
			for (const httpProxy of [undefined, server.origin]) {
				const client = undiciClient({
					transport: { ...read({}), httpProxy, noProxy: [] },
					clock: systemClock,
					random: () => 0,
				});
				const signal = new AbortController().signal;
				await client.send({ method: 'GET', origin: server.origin, path: '/x', limitBytes: 1000, signal });
				await client.close();
			}
		} finally {
			Reflect.set(net, 'connect', connect);
			await server.stop();
		}
		assert.equal(given.length, 2);
		assert.ok(
			given.every((ms) => typeof ms === 'number' && ms >= 1500 && ms <= 4000),
			String(given),
		);
	});

	test('proxy credentials go to the proxy only, and odd ones break nothing', async () => {
		const given: unknown[] = [];
		const proxy = await startLocalServer((request, response) => {
			given.push(request.headers['proxy-authorization']);
			response.end();
		});
		const own = await startLocalServer((request, response) => {
			given.push(['own', request.headers['proxy-authorization']]);
			response.end();
		});
		for (const word of ['Basic YTpi', 'two\nlines', 7]) {
			const transport = read({ 'http.proxy': proxy.origin, 'http.proxyAuthorization': word });
			const client = undiciClient({ transport, clock: systemClock, random: () => 0 });
			for (const origin of ['http://forge.invalid', own.origin]) {
				const signal = new AbortController().signal;
				await client.send({ method: 'GET', origin, path: '/x', limitBytes: 1000, signal });
			}
			await client.close();
		}
		await own.stop();
		await proxy.stop();
		assert.deepEqual(given, [
			'Basic YTpi',
			['own', undefined],
			undefined,
			['own', undefined],
			undefined,
			['own', undefined],
		]);
	});

	test('only an explicit false disables certificate checks', () => {
		assert.equal(read({ 'http.proxyStrictSSL': false }).strictTls, false);
		for (const value of [true, undefined, null, 0, 'false']) {
			assert.equal(read({ 'http.proxyStrictSSL': value }).strictTls, true, String(value));
		}
		assert.equal(read({ 'http.systemCertificates': false }).systemCertificates, false);
	});

	for (const [wish, given] of [
		[1, 1],
		[7, 7],
		[2.9, 2],
		[16, 16],
		[17, 16],
		[Number.POSITIVE_INFINITY, 16],
		[0, 4],
		[0.5, 4],
		[-3, 4],
		[Number.NaN, 4],
		['8', 4],
		[null, 4],
	] as const) {
		test(`${String(wish)} (${typeof wish}) calls in flight means ${given}`, () => {
			assert.equal(read({ 'forge.requests.inFlight': wish }).callsInFlight, given);
		});
	}

	test('with these settings, a proxy without scheme carries calls, except those to this computer', async () => {
		const proxy = await startLocalServer((_request, response) => response.end('through the proxy'));
		const own = await startLocalServer((_request, response) => response.end('straight'));
		const transport = read({}, { HTTP_PROXY: `127.0.0.1:${proxy.port}` });
		const client = undiciClient({ transport, clock: systemClock, random: () => 0 });
		const get = async (origin: string): Promise<string> => {
			const signal = new AbortController().signal;
			const answer = await client.send({ method: 'GET', origin, path: '/x', limitBytes: 1000, signal });
			return new TextDecoder().decode(answer.body);
		};
		try {
			assert.equal(await get('http://forge.invalid'), 'through the proxy');
			assert.equal(await get(own.origin), 'straight');
			assert.equal(await get(`http://localhost:${own.port}`), 'straight');
			assert.deepEqual(own.seen, ['GET /x', 'GET /x']);
			assert.equal(proxy.seen.length, 1);
		} finally {
			await client.close();
			await Promise.all([proxy.stop(), own.stop()]);
		}
	});
});
