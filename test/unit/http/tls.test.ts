import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { HttpFailure } from '../../../src/http/httpClient.ts';
import type { HttpAnswer } from '../../../src/http/httpClient.ts';
import { undiciClient } from '../../../src/http/undiciClient.ts';
import { directTransport, systemClock } from '../../support/contractForge.ts';
import { startLocalServer } from '../../support/localServer.ts';
import { selfSignedCertificate, selfSignedKey } from '../../support/selfSigned.ts';

suite('Encrypted connections', () => {
	let server: Server;
	let port: number;

	setup(async () => {
		server = createServer({ cert: selfSignedCertificate, key: selfSignedKey }, (_request, response) =>
			response.end('sealed'),
		);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		port = typeof address === 'object' && address !== null ? address.port : 0;
	});

	teardown(async () => {
		const closed = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closed;
	});

	async function get(settings: Partial<typeof directTransport>, toPort = port): Promise<HttpAnswer> {
		const client = undiciClient({
			transport: { ...directTransport, ...settings },
			clock: systemClock,
			random: () => 0,
		});
		try {
			return await client.send({
				method: 'GET',
				origin: `https://127.0.0.1:${toPort}`,
				path: '/',
				limitBytes: 1000,
				signal: new AbortController().signal,
			});
		} finally {
			await client.close();
		}
	}

	async function trouble(work: Promise<unknown>): Promise<string> {
		const error: unknown = await work.then(
			() => undefined,
			(reason: unknown) => reason,
		);
		assert.ok(error instanceof HttpFailure && error.failure.kind === 'unreachable');
		return error.failure.reason;
	}

	test('to a server that nobody vouches for are refused, also with the system’s certificates', async () => {
		assert.equal(await trouble(get({})), 'tls');
		assert.equal(await trouble(get({ systemCertificates: true })), 'tls');
	});

	test('to such a server are made where the user’s settings say so', async () => {
		const { body } = await get({ strictTls: false });
		assert.equal(new TextDecoder().decode(body), 'sealed');
	});

	test('speak HTTP/2 where the server does', async () => {
		const versions: string[] = [];
		const modern = createSecureServer({ cert: selfSignedCertificate, key: selfSignedKey }, (request, response) => {
			versions.push(request.httpVersion);
			response.setHeader('content-type', 'text/plain');
			response.end('framed');
		});
		const sessions = new Set<{ destroy(): void }>();
		modern.on('session', (session) => sessions.add(session));
		modern.listen(0, '127.0.0.1');
		await once(modern, 'listening');
		const address = modern.address();
		try {
			const toPort = typeof address === 'object' && address !== null ? address.port : 0;
			const { body, contentType } = await get({ strictTls: false }, toPort);
			assert.deepEqual([new TextDecoder().decode(body), contentType], ['framed', 'text/plain']);
			assert.deepEqual(versions, ['2.0']);
		} finally {
			sessions.forEach((session) => session.destroy());
			const closed = once(modern, 'close');
			modern.close();
			await closed;
		}
	});

	test('to a server that knows no encryption are told as such', async () => {
		const plain = await startLocalServer((_request, response) => response.end());
		try {
			assert.equal(await trouble(get({}, plain.port)), 'tls');
		} finally {
			await plain.stop();
		}
	});
});
