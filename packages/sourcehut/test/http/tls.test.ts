import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { connect, createServer as createDoor, type Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { HttpFailure } from '../../src/http/httpClient.ts';
import type { HttpAnswer } from '../../src/http/httpClient.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import type { Way } from '../../src/http/undiciDispatchers.ts';
import { directTransport, systemClock, wayOf } from '../../../../test/support/contractForge.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { startLocalServer } from '../../../../test/support/localServer.ts';
import { selfSignedCertificate, selfSignedKey } from '../../../../test/support/selfSigned.ts';

suite('TLS connections', () => {
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

	async function get(way: Partial<Way>, toPort = port): Promise<HttpAnswer> {
		const client = undiciClient({
			transport: { ...directTransport, wayTo: wayOf(way) },
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

	test('reject an untrusted certificate, even with the system’s certificates', async () => {
		assert.equal(await trouble(get({})), 'tls');
		assert.equal(await trouble(get({ authorities: getCACertificates('system') })), 'tls');
	});

	test('accept an untrusted certificate if the settings turn strict TLS off', async () => {
		const { body } = await get({ strictTls: false });
		assert.equal(new TextDecoder().decode(body), 'sealed');
	});

	/** Runs an HTTP/2 server during `work`; `answers` gets the number of the connection. */
	async function withModern(
		answers: (connection: number, request: Http2ServerRequest) => string | undefined,
		work: (port: number) => Promise<void>,
	): Promise<void> {
		const sessions = new Set<ServerHttp2Session>();
		const modern = createSecureServer({ cert: selfSignedCertificate, key: selfSignedKey }, (request, response) => {
			const text = answers(
				[...sessions].findIndex((each) => each === request.stream.session),
				request,
			);
			if (text !== undefined) {
				response.setHeader('content-type', 'text/plain');
				response.end(text);
			}
		});
		modern.on('session', (session) => sessions.add(session));
		modern.listen(0, '127.0.0.1');
		await once(modern, 'listening');
		const address = modern.address();
		try {
			await work(typeof address === 'object' && address !== null ? address.port : 0);
		} finally {
			sessions.forEach((session) => session.destroy());
			const closed = once(modern, 'close');
			modern.close();
			await closed;
		}
	}

	test('use HTTP/2 if the server supports it', async () => {
		const versions: string[] = [];
		const answers = (_: number, { httpVersion }: Http2ServerRequest): string => (versions.push(httpVersion), 'framed');
		await withModern(answers, async (toPort) => {
			const { body, contentType } = await get({ strictTls: false }, toPort);
			assert.deepEqual([new TextDecoder().decode(body), contentType], ['framed', 'text/plain']);
			assert.deepEqual(versions, ['2.0']);
		});
	});

	for (const way of ['call', 'stream'] as const) {
		test(`are not reused for HTTP/2 after a ${way} timed out on a silent one`, async () => {
			const came: number[] = [];
			const answers = (connection: number): string | undefined => {
				came.push(connection);
				return connection === 0 ? undefined : 'framed';
			};
			await withModern(answers, async (toPort) => {
				const clock = fakeClock();
				const transport = { ...directTransport, wayTo: wayOf({ strictTls: false }) };
				const client = undiciClient({ transport, clock, random: () => 0 });
				const { signal } = new AbortController();
				const request = { origin: `https://127.0.0.1:${toPort}`, path: '/', limitBytes: 1000, signal };
				const call = (): Promise<HttpAnswer> => client.send({ ...request, method: 'GET' });
				try {
					const silent = way === 'call' ? call() : client.stream(request);
					await eventually(async () => came, [0]);
					clock.advance(30_000);
					assert.equal(await trouble(silent), 'timeout');
					assert.equal(new TextDecoder().decode((await call()).body), 'framed');
					assert.deepEqual(came, [0, 1]);
				} finally {
					await client.close();
				}
			});
		});
	}

	test('that complete after their call failed as unsent carry nothing', async () => {
		const seen: string[] = [];
		server.on('request', ({ method = '' }) => seen.push(method));
		const knocked = Promise.withResolvers<Socket>();
		const door = createDoor((near) => knocked.resolve(near)).listen(0, '127.0.0.1');
		await once(door, 'listening');
		const address = door.address();
		assert.ok(typeof address === 'object' && address !== null);
		const clock = fakeClock();
		const client = undiciClient({
			transport: { ...directTransport, wayTo: wayOf({ strictTls: false }) },
			clock,
			random: () => 0,
		});
		try {
			const call = client.send({
				method: 'POST',
				origin: `https://127.0.0.1:${address.port}`,
				path: '/',
				body: { contentType: 'application/json', text: '{}' },
				limitBytes: 1000,
				signal: new AbortController().signal,
			});
			const near = await knocked.promise;
			clock.advance(30_000);
			await assert.rejects(call, { isUnsent: true });

			const left = once(near, 'close');
			near.pipe(connect(port, '127.0.0.1')).pipe(near);
			await left;
			assert.deepEqual(seen, []);
		} finally {
			await client.close();
			door.close();
		}
	});

	test('report a tls error for a server without encryption', async () => {
		const plain = await startLocalServer((_request, response) => response.end());
		try {
			assert.equal(await trouble(get({}, plain.port)), 'tls');
		} finally {
			await plain.stop();
		}
	});
});
