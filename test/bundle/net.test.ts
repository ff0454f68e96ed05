import { everywhere } from 'sourcehut/port/instance.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Net, PlainAnswer, PlainRequest, TransportSettings } from 'sourcehut/net.ts';
import { root } from '../harness/places.ts';
import { directTransport, systemClock } from '../support/contractForge.ts';
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

/** A proxy that lets every tunnel through; `seen` has the requested hosts. */
async function tunnels(): Promise<{
	readonly origin: string;
	readonly seen: readonly string[];
	stop(): Promise<void>;
}> {
	const seen: string[] = [];
	const sockets = new Set<Socket>();
	const proxy = createServer();
	proxy.on('connection', (socket) => sockets.add(socket));
	proxy.on('connect', (request, client) => {
		seen.push(request.url ?? '');
		const target = connect(Number(new URL(`http://${request.url ?? ''}`).port), '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connected\r\n\r\n');
			target.pipe(client).pipe(target);
		});
		sockets.add(target);
	});
	return {
		origin: await listening(proxy, 'http'),
		seen,
		stop: () => stopped(proxy, sockets),
	};
}

/** An encrypted server for both versions of HTTP; `versions` are the negotiated ones. */
async function modernServer(): Promise<{
	readonly origin: string;
	readonly versions: readonly string[];
	stop(): Promise<void>;
}> {
	const versions: string[] = [];
	const sockets = new Set<Socket>();
	const options = { cert: selfSignedCertificate, key: selfSignedKey, allowHTTP1: true };
	const server = createSecureServer(options, (request, response) => {
		versions.push(request.httpVersion);
		response.end('sealed');
	});
	server.on('connection', (socket: Socket) => sockets.add(socket));
	return { origin: await listening(server, 'https'), versions, stop: () => stopped(server, sockets) };
}

async function listening(server: Server, scheme: string): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	assert.ok(address !== null && typeof address === 'object');
	return `${scheme}://127.0.0.1:${address.port}`;
}

async function stopped(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	sockets.forEach((socket) => socket.destroy());
	await closed;
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
		open({ strictTls: false });
		const server = await modernServer();
		try {
			assert.equal((await send(server.origin)).text, 'sealed');
			const body = { contentType: 'application/json', text: '{}' };
			assert.equal((await send(server.origin, { method: 'POST', body })).text, 'sealed');
			assert.deepEqual(server.versions, ['2.0', '2.0']);
		} finally {
			await server.stop();
		}
	});

	test('reaches encrypted servers through a proxy', async () => {
		const [server, proxy] = await Promise.all([modernServer(), tunnels()]);
		open({ strictTls: false, httpsProxy: proxy.origin });
		try {
			assert.equal((await send(server.origin)).text, 'sealed');
			assert.deepEqual(proxy.seen, [new URL(server.origin).host]);
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
