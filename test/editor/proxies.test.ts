import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { openNet, type Net } from 'sourcehut/net.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { everywhere, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { proxyModule } from '../../src/app/accounts/editorProxies.ts';
import { network, transportSettings, waysOf } from '../../src/app/accounts/network.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { certificateAuthority } from '../support/certificateAuthority.ts';
import { eventually } from '../support/eventually.ts';
import { startLocalProxy, startModernServer, type LocalProxy, type ModernServer } from '../support/localProxy.ts';

/** From the harness, because a host reads its environment once: certificate of `forge.test`, port of the proxy. */
const surroundings = v.parse(
	v.object({ port: v.number(), cert: v.string(), key: v.string() }),
	JSON.parse(process.env['FORGE_DESK_PROXY'] ?? ''),
);

const origin = 'https://forge.test';

function forgeAt(address: string): ForgeInstance {
	return {
		id: 'far',
		name: 'Far',
		areas: { meta: address, todo: address, git: address, lists: address },
		protocols: everywhere('rest'),
		signIn: { kind: 'tokenOnly' },
		scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
		webhookKey: undefined,
		isSample: false,
	};
}

async function set(name: string, value: unknown): Promise<void> {
	await vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
}

/** The part of the editor's module that gives an extension host its resolver. */
const moduleShape = v.object({
	createProxyResolver: v.custom<(told: Readonly<Record<string, unknown>>) => unknown>(
		(value) => typeof value === 'function',
	),
});

/**
 * The editor's resolver over a PAC file, without settings and environment. Only the desktop's browser runs such a file
 * itself, so its answer comes from here.
 */
function resolverOf(path: string): unknown {
	const { createProxyResolver } = v.parse(moduleShape, proxyModule(vscode.env.appRoot));
	const silent = (): void => {};
	return createProxyResolver({
		resolveProxy: async (url: string): Promise<unknown> =>
			runInNewContext(`${await readFile(path, 'utf8')}; FindProxyForURL(url, host)`, {
				url,
				host: new URL(url).hostname,
			}),
		getProxyURL: () => undefined,
		getNoProxyConfig: () => [],
		isUseHostProxyEnabled: () => true,
		loadSystemCertificatesFromNode: () => true,
		addCertificatesV1: () => false,
		addCertificatesV2: () => false,
		proxyResolveTelemetry: silent,
		log: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
		env: {},
	});
}

suite('proxies and certificates of the editor', () => {
	let net: ReturnType<typeof network>;
	let server: ModernServer;
	let ofEnvironment: LocalProxy;
	let first: LocalProxy;
	let second: LocalProxy;

	setup(async () => {
		server = await startModernServer(surroundings);
		const targetPort = server.port;
		ofEnvironment = await startLocalProxy({ port: surroundings.port, targetPort });
		first = await startLocalProxy({ targetPort });
		second = await startLocalProxy({ targetPort });
		net = network(
			systemClock,
			'0.0.0',
			{ read: () => assert.fail('no answer is that large') },
			{ references: () => Promise.resolve(undefined), tree: () => Promise.resolve(undefined) },
		);
	});

	teardown(async () => {
		net.dispose();
		for (const name of ['proxy', 'noProxy', 'proxySupport', 'proxyAuthorization']) {
			await set(name, undefined);
		}
		await Promise.all([server, ofEnvironment, first, second].map((each) => each.stop()));
	});

	/** The answer, or why there is none. */
	async function get(address = origin, opening = net.open()): Promise<string> {
		const { signal } = new AbortController();
		try {
			const opened = await opening;
			const instance = forgeAt(address);
			return (await opened.request({ instance, area: 'meta', method: 'GET', path: '/', signal })).text;
		} catch (error) {
			assert.ok(isForgeError(error) && error.problem.kind === 'unreachable');
			return error.problem.reason;
		}
	}

	/** Waits until the editor has a changed setting. */
	async function uses(expected: ProxyUse): Promise<void> {
		await eventually(() => net.proxyOf(origin), expected);
	}

	test('the editor has its resolver where this extension looks for it', () => {
		const editor: unknown = proxyModule(vscode.env.appRoot);
		assert.ok(typeof editor === 'object' && editor !== null);
		assert.equal(typeof Reflect.get(editor, 'resolveProxyURL'), 'function');
		assert.equal(typeof Reflect.get(editor, 'loadSystemCertificates'), 'function');
	});

	test('the environment names a proxy, which carries HTTP/2 under an authority that the editor was given', async () => {
		await uses({ kind: 'proxy', address: ofEnvironment.origin, source: 'environment' });
		assert.equal(await get(), 'sealed');
		assert.equal(await get(), 'sealed');
		assert.deepEqual(ofEnvironment.seen, ['CONNECT forge.test:443']);
		assert.deepEqual(server.versions, ['2.0', '2.0']);
	});

	test('the setting wins over the environment, and a changed one counts at once', async () => {
		await set('proxy', first.origin);
		await uses({ kind: 'proxy', address: first.origin, source: 'setting' });
		assert.equal(await get(), 'sealed');
		await set('proxy', second.origin);
		await uses({ kind: 'proxy', address: second.origin, source: 'setting' });
		assert.equal(await get(), 'sealed');
		assert.deepEqual([first.seen, second.seen], [['CONNECT forge.test:443'], ['CONNECT forge.test:443']]);
		assert.deepEqual(ofEnvironment.seen, []);
	});

	test('excepted hosts, this computer, and “off” need no proxy', async () => {
		await set('proxy', first.origin);
		await uses({ kind: 'proxy', address: first.origin, source: 'setting' });
		assert.deepEqual(await net.proxyOf('https://127.0.0.1:5000'), { kind: 'none' });
		assert.deepEqual(await net.proxyOf('http://[::1]:5000'), { kind: 'none' });
		await set('noProxy', ['.test']);
		await uses({ kind: 'none' });
		await set('noProxy', undefined);
		await uses({ kind: 'proxy', address: first.origin, source: 'setting' });
		await set('proxySupport', 'off');
		await uses({ kind: 'none' });
	});

	test('a proxy asks for a password, and gets that of its URL or of the setting', async () => {
		const asking = await startLocalProxy({ targetPort: server.port, authorization: 'Basic YTpi' });
		try {
			await set('proxy', asking.origin);
			await uses({ kind: 'proxy', address: asking.origin, source: 'setting' });
			assert.equal(await get(), 'proxySignIn');
			const known = asking.origin.replace('//', '//a:b@');
			await set('proxy', known);
			await uses({ kind: 'proxy', address: known, source: 'setting' });
			assert.equal(await get(), 'sealed');
			await set('proxy', asking.origin);
			await set('proxyAuthorization', 'Basic YTpi');
			await eventually(() => get(), 'sealed');
		} finally {
			await asking.stop();
		}
	});

	test('an authority that the editor does not know is refused', async () => {
		const stranger = await startModernServer(certificateAuthority('Stranger').issue('forge.test'));
		const proxy = await startLocalProxy({ targetPort: stranger.port });
		try {
			await set('proxy', proxy.origin);
			await uses({ kind: 'proxy', address: proxy.origin, source: 'setting' });
			assert.equal(await get(), 'tls');
			assert.deepEqual(stranger.versions, []);
		} finally {
			await Promise.all([proxy.stop(), stranger.stop()]);
		}
	});

	test('a PAC file gives each server its proxy; one that fails lets nothing out', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'pac-'));
		const path = join(folder, 'proxy.pac');
		const pac = (rest: string): Promise<void> => writeFile(path, `function FindProxyForURL(url, host) { ${rest} }`);
		const opened: Net[] = [];
		// A resolver keeps what it found.
		const fresh = (): Promise<Net> => {
			const { wayTo } = waysOf(
				() => undefined,
				{},
				resolverOf(path),
				() => Date.now(),
			);
			const transport = transportSettings(() => undefined, '0.0.0', wayTo);
			const made = openNet({ transport, clock: systemClock, random: Math.random });
			opened.push(made);
			return Promise.resolve(made);
		};
		try {
			const [one, two] = [new URL(first.origin).host, new URL(second.origin).host];
			await pac(
				`return host === 'forge.test' ? 'PROXY ${one}; DIRECT' : host === 'two.test' ? 'PROXY ${two}' : 'DIRECT';`,
			);
			const byFile = fresh();
			assert.equal(await get(origin, byFile), 'sealed');
			assert.equal(await get('http://two.test', byFile), 'through proxy');
			assert.deepEqual([first.seen, second.seen], [['CONNECT forge.test:443'], ['GET http://two.test/']]);
			for (const wrong of ['return nothing;', 'return "QUIC proxy.test:1";', 'syntax error']) {
				await pac(wrong);
				assert.equal(await get('http://two.test', fresh()), 'proxyUnusable', wrong);
			}
			await rm(path);
			assert.equal(await get('http://two.test', fresh()), 'proxyUnusable');
			assert.equal(second.seen.length, 1);
			assert.deepEqual(ofEnvironment.seen, []);
		} finally {
			await Promise.all(opened.map((each) => each.close()));
			await rm(folder, { recursive: true });
		}
	});
});
