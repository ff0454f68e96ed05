import { everywhere } from 'sourcehut/port/instance.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Net, PlainAnswer, PlainRequest, TransportSettings } from 'sourcehut/net.ts';
import { root } from '../harness/places.ts';
import { directTransport, systemClock, wayOf } from '../support/contractForge.ts';
import { startLocalProxy, startModernServer, type ModernServer } from '../support/localProxy.ts';
import { type LocalServer, startLocalServer } from '../support/localServer.ts';
import { selfSignedCertificate, selfSignedKey } from '../support/selfSigned.ts';

const bundleShape = v.object({
	openNet: v.custom<(typeof import('sourcehut/net.ts'))['openNet']>((value) => typeof value === 'function'),
});

const { openNet } = v.parse(bundleShape, await import(pathToFileURL(join(root, 'dist/net.js')).href));

/** A server that describes the request; `/packed` compresses its response. */
function echoServer(): Promise<LocalServer> {
	return startLocalServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const said = JSON.stringify({
				method: request.method,
				type: request.headers['content-type'] ?? '',
				body: Buffer.concat(chunks).toString(),
			});
			const isPacked = request.url === '/packed';
			response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {});
			response.end(isPacked ? gzipSync(said) : said);
		});
	});
}

/** An encrypted server under the certificate that no one knows. */
function modernServer(): Promise<ModernServer> {
	return startModernServer({ cert: selfSignedCertificate, key: selfSignedKey });
}

function forgeAt(origin: string): ForgeInstance {
	return {
		id: 'local',
		name: 'Local',
		areas: { meta: origin, todo: origin, git: origin, lists: origin },
		protocols: everywhere('rest'),
		signIn: { kind: 'tokenOnly' },
		scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
		webhookKey: undefined,
		isSample: true,
	};
}

suite('network bundle', () => {
	let net: Net;

	function open(settings: Partial<TransportSettings> = {}): void {
		net = openNet({ transport: { ...directTransport, ...settings }, clock: systemClock, random: () => 0 });
	}

	function send(origin: string, more: Partial<PlainRequest> = {}): Promise<PlainAnswer> {
		const signal = new AbortController().signal;
		return net.request({ instance: forgeAt(origin), area: 'meta', method: 'GET', path: '/', signal, ...more });
	}

	teardown(() => net.close());

	test('sends requests and bodies of any length, and decompresses responses', async () => {
		open();
		const server = await echoServer();
		const saying = async (more: Partial<PlainRequest>): Promise<unknown> =>
			JSON.parse((await send(server.origin, more)).text);
		const type = 'application/json';
		try {
			assert.deepEqual(await saying({}), { method: 'GET', type: '', body: '' });
			assert.deepEqual(await saying({ path: '/packed' }), { method: 'GET', type: '', body: '' });
			for (const method of ['POST', 'PUT'] as const) {
				for (const body of ['', '{"title":"Größe"}', 'long '.repeat(100_000)]) {
					const sent = await saying({ method, body: { contentType: type, text: body } });
					assert.deepEqual(sent, { method, type, body });
				}
			}
			assert.deepEqual(await saying({ method: 'DELETE' }), { method: 'DELETE', type: '', body: '' });
		} finally {
			await server.stop();
		}
	});

	test('speaks HTTP/2 if the server does, also with a body', async () => {
		open({ wayTo: wayOf({ strictTls: false }) });
		const server = await modernServer();
		const origin = `https://127.0.0.1:${server.port}`;
		try {
			assert.equal((await send(origin)).text, 'sealed');
			const body = { contentType: 'application/json', text: '{}' };
			assert.equal((await send(origin, { method: 'POST', body })).text, 'sealed');
			assert.deepEqual(server.versions, ['2.0', '2.0']);
		} finally {
			await server.stop();
		}
	});

	test('reaches encrypted servers through a proxy', async () => {
		const [server, proxy] = await Promise.all([modernServer(), startLocalProxy({})]);
		open({ wayTo: wayOf({ strictTls: false, proxy: { kind: 'proxy', address: proxy.origin } }) });
		try {
			assert.equal((await send(`https://127.0.0.1:${server.port}`)).text, 'sealed');
			assert.deepEqual(proxy.seen, [`CONNECT 127.0.0.1:${server.port}`]);
		} finally {
			await Promise.all([server.stop(), proxy.stop()]);
		}
	});

	test('errors name the bundle’s own file', async () => {
		open();
		await assert.rejects(
			send('nowhere'),
			(error) => error instanceof Error && /dist\/net\.js:\d+/.test(error.stack ?? ''),
		);
	});
});
