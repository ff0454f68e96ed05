import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import net from 'node:net';
import { HttpFailure } from 'sourcehut/http/httpClient.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { TransportSettings, Way } from 'sourcehut/net.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { certificateAuthority } from '../../../support/certificateAuthority.ts';
import { directTransport, systemClock, throughProxy } from '../../../support/contractForge.ts';
import { startLocalProxy, startModernServer } from '../../../support/localProxy.ts';
import { startLocalServer } from '../../../support/localServer.ts';

const { transportSettings, userAgentOf, waysOf } = await import('../../../../src/app/accounts/network.ts');
const { proxyFor } = await import('../../../../src/app/accounts/editorProxies.ts');

type Values = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string>>;

const origin = 'https://forge.test';
const none: ProxyUse = { kind: 'none' };

function read(settings: Values, environment: Environment = {}, editor?: unknown): TransportSettings {
	const setting = (key: string): unknown => settings[key];
	return transportSettings(setting, '1.2.3', waysOf(setting, environment, editor, () => 0).wayTo);
}

async function way(settings: Values): Promise<Way> {
	return read(settings).wayTo(origin);
}

/** The proxy in an editor without a resolver. */
function written(settings: Values, environment: Environment = {}, to = origin): Promise<ProxyUse> {
	return proxyFor(to, undefined, (key) => settings[key], environment);
}

/** The proxy in an editor whose resolver gives this result. */
function resolved(result: unknown, settings: Values = {}): Promise<ProxyUse> {
	const editor = { resolveProxyByURL: () => Promise.resolve(result) };
	return proxyFor(origin, editor, (key) => settings[key], {});
}

async function get(transport: TransportSettings, from: string): Promise<string> {
	const client = undiciClient({ transport, clock: systemClock, random: () => 0 });
	const signal = new AbortController().signal;
	try {
		const { body } = await client.send({ method: 'GET', origin: from, path: '/x', limitBytes: 1000, signal });
		return new TextDecoder().decode(body);
	} catch (error) {
		assert.ok(error instanceof HttpFailure && error.failure.kind === 'unreachable');
		return error.failure.reason;
	} finally {
		await client.close();
	}
}

suite('proxies of the editor', () => {
	for (const [said, source] of [
		['setting', 'setting'],
		['env', 'environment'],
		['system', 'system'],
		['system_cached', 'system'],
		['fallback', 'system'],
	] as const) {
		test('names a URL in the User-Agent once the package has a home page', () => {
			assert.equal(userAgentOf({ version: '1.2.3' }), 'ForgeDesk/1.2.3 (VS Code extension)');
			const homepage = 'https://sr.ht/~someone/forge-desk';
			assert.equal(
				userAgentOf({ version: '1.2.3', homepage }),
				'ForgeDesk/1.2.3 (VS Code extension; +https://sr.ht/~someone/forge-desk)',
			);
			assert.equal(userAgentOf(undefined), 'ForgeDesk/0 (VS Code extension)');
		});

		test(`its resolver's “${said}” is the source ${source}`, async () => {
			const address = 'http://user:word@proxy.test:8080';
			const expected = { kind: 'proxy', address, source };
			assert.deepEqual(await resolved({ url: address, type: 'PROXY', source: said }), expected);
		});
	}

	for (const source of ['localhost', 'noProxyConfig', 'noProxyEnv', 'remote', 'system']) {
		test(`its resolver's “${source}” without an address is a direct connection`, async () => {
			assert.deepEqual(await resolved({ url: undefined, type: 'DIRECT', source }), none);
		});
	}

	test('a look-up that failed, and a PAC file’s unknown answer, count as no direct connection', async () => {
		const unusable = { kind: 'unusable', source: 'system' };
		assert.deepEqual(await resolved({ type: 'EMPTY', source: 'fallback' }), unusable);
		assert.deepEqual(await resolved({ type: 'UNRECOGNIZED', source: 'system' }), unusable);
		assert.deepEqual(await resolved({ type: 'EMPTY', source: 'system' }), none);
	});

	for (const address of [
		'socks4a://proxy.test:1080',
		'http://',
		'socks5://',
		'http://user:100%@proxy.test',
		'no address',
	]) {
		test(`a proxy that the client cannot use is named: ${address}`, async () => {
			const editor = { resolveProxyByURL: () => Promise.resolve({ url: address, type: 'PROXY', source: 'setting' }) };
			assert.deepEqual(await resolved({ url: address, source: 'setting' }), { kind: 'unusable', source: 'setting' });
			assert.equal(await get(read({}, {}, editor), 'http://127.0.0.1:9'), 'proxyUnusable');
		});
	}

	test('no request leaves while the resolver fails', async () => {
		const server = await startLocalServer((_request, response) => response.end());
		const editor = { resolveProxyByURL: () => Promise.reject(new Error('no PAC file')) };
		assert.equal(await get(read({}, {}, editor), server.origin), 'proxyUnusable');
		assert.deepEqual(server.seen, []);
		await server.stop();
	});

	test('the off setting asks nobody', async () => {
		assert.deepEqual(await resolved({ url: 'http://a', source: 'setting' }, { 'http.proxySupport': 'off' }), none);
		const settings = { 'http.proxySupport': 'off', 'http.proxy': 'http://editor:3' };
		assert.deepEqual(await written(settings, { HTTPS_PROXY: 'http://env:2' }), none);
		assert.equal((await written({ ...settings, 'http.proxySupport': 'override' })).kind, 'proxy');
	});

	test('a resolver that gives no source is compared with setting and environment', async () => {
		const editor = {
			resolveProxyURL: (url: string) => Promise.resolve(url === `${origin}/` ? 'http://a:1' : undefined),
		};
		const use = (settings: Values, environment: Environment): Promise<ProxyUse> =>
			proxyFor(origin, editor, (key) => settings[key], environment);
		const of = (source: string): unknown => ({ kind: 'proxy', address: 'http://a:1', source });
		assert.deepEqual(await use({ 'http.proxy': 'http://a:1' }, { HTTP_PROXY: 'http://b:2' }), of('setting'));
		assert.deepEqual(await use({}, { HTTP_PROXY: 'http://a:1' }), of('environment'));
		assert.deepEqual(await use({}, {}), of('system'));
		assert.deepEqual(await proxyFor('https://other.test', editor, () => undefined, {}), none);
	});
});

suite('the way to an origin', () => {
	test('is looked up again after a second, after a change, and after a clock that was set back', async () => {
		let asked = 0;
		const editor = { resolveProxyByURL: () => Promise.resolve({ url: `http://proxy.test:${(asked += 1)}` }) };
		let nowMs = 10_000;
		const ways = waysOf(
			() => undefined,
			{},
			editor,
			() => nowMs,
		);
		const port = async (to = origin): Promise<unknown> => {
			const { proxy } = await ways.wayTo(to);
			return proxy.kind === 'proxy' ? new URL(proxy.address).port : undefined;
		};
		assert.deepEqual([await port(), await port()], ['1', '1']);
		assert.equal(await port('https://other.test'), '2');
		nowMs += 999;
		assert.equal(await port(), '1');
		nowMs += 1;
		assert.equal(await port(), '3');
		ways.forget();
		assert.equal(await port(), '4');
		nowMs -= 5000;
		assert.equal(await port(), '5');
	});

	test('that was resolved under the old settings is not kept', async () => {
		const gate = Promise.withResolvers<unknown>();
		const answers = [gate.promise, Promise.resolve({ url: 'http://new.test' })];
		const ways = waysOf(
			() => undefined,
			{},
			{ resolveProxyByURL: () => answers.shift() },
			() => 0,
		);
		const old = ways.wayTo(origin);
		ways.forget();
		gate.resolve({ url: 'http://old.test' });
		await old;
		assert.deepEqual((await ways.wayTo(origin)).proxy, { kind: 'proxy', address: 'http://new.test', source: 'system' });
	});
});

suite('proxies of an editor without a resolver', () => {
	test('the setting wins over the environment', async () => {
		const environment = { HTTP_PROXY: 'http://env:1', HTTPS_PROXY: 'http://env:2' };
		const of = (address: string, source: string): unknown => ({ kind: 'proxy', address, source });
		assert.deepEqual(await written({ 'http.proxy': 'http://editor:3' }, environment), of('http://editor:3', 'setting'));
		for (const value of ['  ', 7, 'ftp://x', 'editor:3']) {
			assert.deepEqual(await written({ 'http.proxy': value }, environment), of('http://env:2', 'environment'));
		}
		assert.deepEqual(await written({}, { http_proxy: 'http://env:1' }), of('http://env:1', 'environment'));
		assert.deepEqual(await written({}, { HTTPS_PROXY: 'env:2' }), none);
		assert.deepEqual(await written({}, {}), none);
	});

	for (const [about, settings, environment] of [
		['the setting', { 'http.noProxy': ['Forge.test', 7] }, { NO_PROXY: 'other.test' }],
		['the environment', {}, { NO_PROXY: 'a.test, .test' }],
		['the environment in lower case', {}, { no_proxy: 'forge.test:443' }],
		['the environment, when the setting is empty', { 'http.noProxy': [] }, { NO_PROXY: '*' }],
	] as const) {
		test(`hosts without proxy come from ${about}`, async () => {
			const withProxy = { 'http.proxy': 'http://editor:3', ...settings };
			assert.deepEqual(await written(withProxy, environment), none);
			if (!Object.values(environment).includes('*')) {
				assert.equal((await written(withProxy, environment, 'https://xforge.example')).kind, 'proxy');
			}
		});
	}

	test('an entry names a domain and those below it, and an empty one names none', async () => {
		const withProxy = { 'http.proxy': 'http://editor:3' };
		for (const [to, kind] of [
			['https://forge.test', 'none'],
			['https://todo.forge.test', 'none'],
			['https://xforge.test', 'proxy'],
			['https://other.test.', 'proxy'],
		] as const) {
			assert.equal((await written(withProxy, { NO_PROXY: 'forge.test,,' }, to)).kind, kind, to);
		}
	});

	test('this computer and excepted ports need none, other ports do', async () => {
		const settings = { 'http.proxy': 'http://editor:3', 'http.noProxy': ['forge.test:8443'] };
		for (const own of ['http://localhost:1', 'https://127.0.0.1', 'http://[::1]:80', 'https://forge.test:8443']) {
			assert.deepEqual(await written(settings, {}, own), none, own);
		}
		assert.equal((await written(settings)).kind, 'proxy');
	});

	test('a proxy carries calls, except those to this computer', async () => {
		const proxy = await startLocalProxy({});
		const own = await startLocalServer((_request, response) => response.end('straight'));
		const transport = read({}, { HTTP_PROXY: proxy.origin });
		try {
			assert.equal(await get(transport, 'http://forge.invalid'), 'through proxy');
			assert.equal(await get(transport, own.origin), 'straight');
			assert.equal(await get(transport, `http://localhost:${own.port}`), 'straight');
			assert.deepEqual([own.seen, proxy.seen], [['GET /x', 'GET /x'], ['GET http://forge.invalid/x']]);
		} finally {
			await Promise.all([proxy.stop(), own.stop()]);
		}
	});
});

suite('certificates of the editor', () => {
	const authority = certificateAuthority('Company');
	const asked: unknown[] = [];
	const editor = {
		loadSystemCertificates(told: { loadSystemCertificatesFromNode(): boolean }) {
			asked.push(told.loadSystemCertificatesFromNode());
			return Promise.resolve([authority.certificate]);
		},
	};

	test('its system’s authority is trusted behind a proxy, once it is loaded; a stranger’s is not', async () => {
		const [server, stranger] = await Promise.all(
			[authority, certificateAuthority('Stranger')].map((each) => startModernServer(each.issue('forge.test'))),
		);
		assert.ok(server !== undefined && stranger !== undefined);
		const good = await startLocalProxy({ targetPort: server.port });
		const bad = await startLocalProxy({ targetPort: stranger.port });
		try {
			const by = (proxy: string, more: Values = {}): TransportSettings =>
				read({ 'http.proxy': proxy, ...more }, {}, editor);
			assert.equal(await get(by(good.origin), origin), 'sealed');
			assert.equal(await get(by(bad.origin), origin), 'tls');
			assert.equal(await get(by(good.origin, { 'http.systemCertificates': false }), origin), 'tls');
			assert.equal(await get(by(bad.origin, { 'http.proxyStrictSSL': false }), origin), 'sealed');
			assert.deepEqual(stranger.versions, ['2.0']);
		} finally {
			await Promise.all([server, stranger, good, bad].map((each) => each.stop()));
		}
	});

	test('an encrypted proxy under an unknown authority is named as the proxy, not as the server', async () => {
		const server = await startModernServer(authority.issue('forge.test'));
		const targetPort = server.port;
		const proxies = await Promise.all(
			[authority, certificateAuthority('Stranger')].map((each) =>
				startLocalProxy({ targetPort, certificate: each.issue('localhost') }),
			),
		);
		try {
			const outcomes = proxies.map(async (proxy) => {
				const address = proxy.origin.replace('127.0.0.1', 'localhost');
				return get(read({ 'http.proxy': address }, {}, editor), origin);
			});
			assert.deepEqual(await Promise.all(outcomes), ['sealed', 'proxy']);
			assert.deepEqual(proxies[1]?.seen, []);
		} finally {
			await Promise.all([server, ...proxies].map((each) => each.stop()));
		}
	});

	test('are read once for each way of reading, and for encrypted servers and proxies only', async () => {
		asked.length = 0;
		const settings: Record<string, unknown> = {};
		const ways = waysOf(
			(key) => settings[key],
			{},
			editor,
			() => 0,
		);
		assert.equal((await ways.wayTo('http://forge.test')).authorities, undefined);
		const one = await ways.wayTo(origin);
		assert.equal((await ways.wayTo('https://other.test')).authorities, one.authorities);
		ways.forget();
		settings['http.systemCertificatesNode'] = false;
		assert.ok(one.authorities?.includes(authority.certificate));
		assert.notEqual((await ways.wayTo(origin)).authorities, one.authorities);
		ways.forget();
		settings['http.proxy'] = 'https://proxy.test';
		assert.notEqual((await ways.wayTo('http://forge.test')).authorities, undefined);
		assert.deepEqual(asked, [true, false]);
	});

	test('that could not be read are read again', async () => {
		let times = 0;
		const failing = {
			loadSystemCertificates: () =>
				(times += 1) === 1 ? Promise.reject(new Error('busy')) : Promise.resolve([authority.certificate]),
		};
		const ways = waysOf(
			() => undefined,
			{},
			failing,
			() => 0,
		);
		assert.equal((await ways.wayTo(origin)).authorities, undefined);
		ways.forget();
		assert.ok((await ways.wayTo(origin)).authorities?.includes(authority.certificate));
	});

	test('only an explicit false disables their check', async () => {
		assert.equal((await way({ 'http.proxyStrictSSL': false })).strictTls, false);
		for (const value of [true, undefined, null, 0, 'false']) {
			assert.equal((await way({ 'http.proxyStrictSSL': value })).strictTls, true, String(value));
		}
		assert.equal((await way({ 'http.systemCertificates': false })).authorities, undefined);
	});
});

suite('transport settings', () => {
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
			await get(directTransport, server.origin);
			await get({ ...directTransport, wayTo: throughProxy(server.origin) }, server.origin);
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
			await get(transport, 'http://forge.invalid');
			await get(transport, own.origin);
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
});
