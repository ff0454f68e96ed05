import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { HttpFailure } from '../../src/http/httpClient.ts';
import type { Failure, HttpAnswer, HttpClient, HttpRequest } from '../../src/http/httpClient.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import { directTransport, systemClock, throughProxy, wayOf } from '../../../../test/support/contractForge.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { startLocalProxy } from '../../../../test/support/localProxy.ts';
import { startLocalServer } from '../../../../test/support/localServer.ts';
import type { LocalServer } from '../../../../test/support/localServer.ts';

async function errorFrom(work: Promise<unknown>): Promise<HttpFailure> {
	try {
		await work;
	} catch (error) {
		if (error instanceof HttpFailure) {
			return error;
		}
		throw error;
	}
	throw new Error('It went well');
}

async function failureFrom(work: Promise<unknown>): Promise<Failure> {
	return (await errorFrom(work)).failure;
}

function textOf({ body }: HttpAnswer): string {
	return new TextDecoder().decode(body);
}

/** Turns of the event loop after which concurrent calls have all arrived. */
const someTurns = 20;

/** Holds all responses until `atLeast` calls are in flight, then answers each after a few turns. */
function answersTogether(atLeast: number): {
	readonly answer: (url: string, response: ServerResponse) => void;
	readonly most: () => number;
} {
	let inFlight = 0;
	let most = 0;
	const held: ServerResponse[] = [];
	const end = async (response: ServerResponse): Promise<void> => {
		for (let turn = 0; turn < someTurns; turn += 1) {
			await new Promise(setImmediate);
		}
		inFlight -= 1;
		response.end();
	};
	return {
		answer(_url, response) {
			inFlight += 1;
			most = Math.max(most, inFlight);
			held.push(response);
			if (most >= atLeast) {
				held.splice(0).forEach((each) => void end(each));
			}
		},
		most: () => most,
	};
}

suite('undiciClient', () => {
	let server: LocalServer;
	let answer: (url: string, response: ServerResponse, headers: NodeJS.Dict<string | string[]>) => void;
	let client: HttpClient;

	setup(async () => {
		answer = (_url, response) => response.end('hello');
		server = await startLocalServer((request, response) => answer(request.url ?? '', response, request.headers));
		client = newClient();
	});

	teardown(async () => {
		await client.close();
		await server.stop();
	});

	function newClient(settings: Partial<typeof directTransport> = {}, clock: Clock = systemClock): HttpClient {
		// Random 0 halves the retry delays: 150 and 300 ms.
		return undiciClient({ transport: { ...directTransport, ...settings }, clock, random: () => 0 });
	}

	/** Skips the retry delays and returns a list that records them. */
	async function skipPauses(): Promise<readonly number[]> {
		const pausesMs: number[] = [];
		await client.close();
		client = newClient(
			{},
			{
				...systemClock,
				after(delayMs, work) {
					// Delays above the longest retry delay here are deadlines.
					if (delayMs > 5000) {
						return systemClock.after(delayMs, work);
					}
					pausesMs.push(delayMs);
					return systemClock.after(0, work);
				},
			},
		);
		return pausesMs;
	}

	function get(path: string, more: Partial<HttpRequest> = {}): Promise<HttpAnswer> {
		return client.send({
			method: 'GET',
			origin: server.origin,
			path,
			limitBytes: 1000,
			signal: new AbortController().signal,
			...more,
		});
	}

	const post = { method: 'POST', body: { contentType: 'application/json', text: '{"a":1}' } } as const;

	test('leaves the global dispatcher of fetch alone', async () => {
		// In a separate process: Node.js itself sets one as soon as any test has used fetch.
		const script = `
			await import(${JSON.stringify(import.meta.resolve('../../src/net.ts'))});
			const keys = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'];
			process.stdout.write(String(keys.map((key) => typeof globalThis[Symbol.for(key)])));`;
		const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
		assert.equal(stdout, 'undefined,undefined');
	});

	test('sends exactly the required headers and returns the response', async () => {
		let seen: NodeJS.Dict<string | string[]> = {};
		answer = (_url, response, headers) => {
			seen = headers;
			response.writeHead(201, { 'Content-Type': 'text/plain; charset=utf-8' });
			response.end('done');
		};
		const got = await get('/x?y=%20', { ...post, authorization: 'Bearer abc', accept: 'application/json' });
		assert.deepEqual([got.status, got.contentType, textOf(got)], [201, 'text/plain; charset=utf-8', 'done']);
		assert.equal(seen['content-type'], 'application/json');
		assert.equal(seen['user-agent'], 'ForgeDesk/0.0.0 (VS Code extension)');
		assert.equal(seen['authorization'], 'Bearer abc');
		assert.equal(seen['accept'], 'application/json');
		assert.deepEqual(server.seen, ['POST /x?y=%20']);
	});

	test('follows no redirect, even to the same origin', async () => {
		answer = (_url, response) => {
			response.writeHead(302, { Location: `${server.origin}/elsewhere` });
			response.end();
		};
		const got = await get('/', { authorization: 'Bearer secret' });
		assert.deepEqual([got.status, got.location], [302, `${server.origin}/elsewhere`]);
		assert.deepEqual(server.seen, ['GET /']);
	});

	test('applies the size limit after decompression', async () => {
		answer = (_url, response) => {
			response.writeHead(200, { 'Content-Encoding': 'gzip' });
			response.end(gzipSync(Buffer.alloc(5_000_000)));
		};
		assert.deepEqual(await failureFrom(get('/bomb', { limitBytes: 10_000 })), {
			kind: 'tooLarge',
			limitBytes: 10_000,
		});
	});

	test('decompresses the response', async () => {
		answer = (_url, response) => {
			response.writeHead(200, { 'Content-Encoding': 'gzip' });
			response.end(gzipSync('small when packed'));
		};
		assert.equal(textOf(await get('/')), 'small when packed');
	});

	test('distinguishes truncated, unknown and corrupt compression', async () => {
		answer = (url, response) => {
			response.writeHead(200, { 'Content-Encoding': url === '/br' ? 'br' : 'gzip' });
			response.end(url === '/cut' ? gzipSync('x'.repeat(500)).subarray(0, 15) : 'no gzip at all');
		};
		assert.deepEqual(await failureFrom(get('/cut', post)), { kind: 'truncated' });
		assert.deepEqual(await failureFrom(get('/br')), { kind: 'garbled' });
		assert.deepEqual(await failureFrom(get('/broken')), { kind: 'garbled' });
	});

	test('rejects an oversized response by Content-Length or by its bytes', async () => {
		answer = (url, response) => {
			if (url === '/told') {
				response.writeHead(200, { 'Content-Length': '1000000' });
				response.write('x');
			} else {
				// In two parts, so that there is no Content-Length.
				response.write('x'.repeat(800));
				response.end('x'.repeat(800));
			}
		};
		const tooLarge = { kind: 'tooLarge', limitBytes: 1000 };
		assert.deepEqual(await failureFrom(get('/told')), tooLarge);
		assert.deepEqual(await failureFrom(get('/sent')), tooLarge);
	});

	test('ends a call at its deadline even while bytes keep trickling in', async () => {
		const drips: NodeJS.Timeout[] = [];
		answer = (_url, response) => {
			response.writeHead(200);
			drips.push(setInterval(() => response.write('x'), 10));
		};
		const host = new URL(server.origin).host;
		const failure = await failureFrom(get('/drip', { deadlineMs: 120 }));
		drips.forEach((drip) => clearInterval(drip));
		assert.deepEqual(failure, { kind: 'unreachable', reason: 'timeout', host });
		assert.equal(server.seen.length, 1);
	});

	for (const stage of ['nothing', 'headers', 'body']) {
		test(`aborts a call while the server has sent ${stage}`, async () => {
			const pausesMs = await skipPauses();
			const arrived = Promise.withResolvers<void>();
			const left = Promise.withResolvers<void>();
			answer = (_url, response) => {
				response.once('close', () => left.resolve());
				if (stage !== 'nothing') {
					response.writeHead(200);
					response.write(stage === 'body' ? 'some' : '');
				}
				arrived.resolve();
			};
			const reader = new AbortController();
			const call = get(`/${stage}`, { signal: reader.signal, deadlineMs: 600_000 });
			await arrived.promise;
			reader.abort();
			// The server never answers: the call and its connection close without waiting, and without a retry.
			await Promise.all([assert.rejects(call, isAbort), left.promise]);
			assert.deepEqual(pausesMs, []);
			assert.deepEqual(server.seen, [`GET /${stage}`]);
		});
	}

	test('does not send a call that the user aborts in the queue', async () => {
		const held: ServerResponse[] = [];
		answer = (_url, response) => void held.push(response);
		client = newClient({ callsInFlight: 1 });
		const first = get('/first');
		const reader = new AbortController();
		const second = get('/second', { ...post, signal: reader.signal });
		reader.abort();
		await assert.rejects(second, isAbort);
		while (held.length === 0) {
			await new Promise(setImmediate);
		}
		held[0]?.end();
		await first;
		answer = (_url, response) => response.end();
		await get('/third');
		assert.deepEqual(server.seen, ['GET /first', 'GET /third']);
	});

	test('limits the calls in flight', async () => {
		const together = answersTogether(4);
		({ answer } = together);
		await Promise.all(Array.from({ length: 20 }, (_, place) => get(`/${place}`)));
		assert.equal(together.most(), 4);
	});

	test('raises the limit during a walk until the server responds 429', async () => {
		const walk = client.beginWalk(server.origin);
		const many = answersTogether(5);
		({ answer } = many);
		await Promise.all(Array.from({ length: 200 }, (_, place) => get(`/${place}`)));
		assert.ok(many.most() > 4 && many.most() <= 64, String(many.most()));
		answer = (_url, response) => {
			response.statusCode = 429;
			response.end();
		};
		await get('/busy', { method: 'PUT' });
		const few = answersTogether(4);
		({ answer } = few);
		await Promise.all(Array.from({ length: 50 }, (_, place) => get(`/${place}`)));
		assert.equal(few.most(), 4);
		walk.dispose();
	});

	test('shares equal GETs, and one reader’s abort does not affect the other', async () => {
		const held: ServerResponse[] = [];
		answer = (_url, response) => void held.push(response);
		const leaving = new AbortController();
		const first = get('/same', { signal: leaving.signal });
		const second = get('/same');
		const other = get('/same', { authorization: 'Bearer other' });
		while (held.length < 2) {
			await new Promise(setImmediate);
		}
		leaving.abort();
		await assert.rejects(first, isAbort);
		held.forEach((response) => response.end('shared'));
		assert.equal(textOf(await second), 'shared');
		await other;
		assert.deepEqual(server.seen, ['GET /same', 'GET /same']);
	});

	test('does not let a GET after a change join one from before it', async () => {
		const held: ServerResponse[] = [];
		answer = (url, response) => {
			if (url === '/change') {
				response.end();
			} else {
				held.push(response);
			}
		};
		const before = get('/thing');
		while (held.length < 1) {
			await new Promise(setImmediate);
		}
		await get('/change', { method: 'PUT' });
		const after = get('/thing');
		while (held.length < 2) {
			await new Promise(setImmediate);
		}
		held[0]?.end('old');
		held[1]?.end('new');
		assert.deepEqual([textOf(await before), textOf(await after)], ['old', 'new']);
	});

	for (const method of ['POST', 'PUT', 'DELETE'] as const) {
		test(`never retries a ${method}`, async () => {
			answer = (url, response) => {
				if (url === '/reset') {
					response.destroy();
				} else {
					response.statusCode = 503;
					response.end();
				}
			};
			assert.equal((await get('/busy', { method })).status, 503);
			assert.equal((await failureFrom(get('/reset', { method }))).kind, 'unreachable');
			assert.deepEqual(server.seen, [`${method} /busy`, `${method} /reset`]);
		});
	}

	test('retries a read-only POST after 429 or 503, but not after a broken connection', async () => {
		const pausesMs = await skipPauses();
		answer = (url, response) => {
			if (url === '/reset') {
				response.destroy();
				return;
			}
			const isFirst = server.seen.filter((line) => line.endsWith(url)).length === 1;
			response.statusCode = isFirst || url === '/502' || url === '/504' ? Number(url.slice(1)) : 200;
			response.end();
		};
		const ask = { method: 'POST', isQuestion: true } as const;
		assert.equal((await get('/503', ask)).status, 200);
		assert.equal((await get('/429', ask)).status, 200);
		assert.deepEqual(pausesMs, [150, 150]);
		assert.equal((await get('/502', ask)).status, 502);
		assert.equal((await get('/504', ask)).status, 504);
		assert.equal((await failureFrom(get('/reset', ask))).kind, 'unreachable');
		assert.deepEqual(
			server.seen,
			['/503', '/503', '/429', '/429', '/502', '/504', '/reset'].map((url) => `POST ${url}`),
		);
	});

	test('retries a GET after a reset, a truncated body or 503, with growing delays', async () => {
		const pausesMs = await skipPauses();
		const faults = ['reset', 'cut', 'busy'];
		answer = (url, response) => {
			const fault = url === '/' ? faults.shift() : undefined;
			if (fault === 'reset') {
				response.destroy();
			} else if (fault === 'cut') {
				response.writeHead(200, { 'Content-Length': '100' });
				response.write('only this');
				setTimeout(() => response.destroy(), 10);
			} else if (fault === 'busy') {
				response.statusCode = 503;
				response.end();
			} else {
				response.end('at last');
			}
		};
		assert.equal((await get('/')).status, 503);
		assert.equal(server.seen.length, 3);
		assert.deepEqual(pausesMs, [150, 300]);
		assert.equal(textOf(await get('/')), 'at last');
	});

	test('honours Retry-After, and does not retry if it is too long', async () => {
		const pausesMs = await skipPauses();
		answer = (url, response) => {
			if (server.seen.length === 1 || url === '/long') {
				response.writeHead(429, { 'Retry-After': url === '/long' ? '11' : '1' });
			}
			response.end();
		};
		assert.equal((await get('/short')).status, 200);
		assert.deepEqual(pausesMs, [1000]);
		// The reads before a write pass a longer pause on at once, so the write can queue.
		for (const how of [{}, { method: 'POST', isQuestion: true }] as const) {
			const long = await get('/long', how);
			assert.deepEqual([long.status, long.retryAfterMs], [429, 11_000]);
		}
		assert.deepEqual(pausesMs, [1000]);
		assert.deepEqual(server.seen, ['GET /short', 'GET /short', 'GET /long', 'POST /long']);
	});

	test('distinguishes a refused connection from an unknown host', async () => {
		const gone = await startLocalServer(() => {});
		await gone.stop();
		const host = new URL(gone.origin).host;
		assert.deepEqual(await failureFrom(get('/', { origin: gone.origin })), {
			kind: 'unreachable',
			reason: 'refused',
			host,
		});
		const unknown = await failureFrom(get('/', { origin: 'http://no-such-host.invalid' }));
		assert.ok(unknown.kind === 'unreachable' && ['dns', 'offline'].includes(unknown.reason));
	});

	test('distinguishes unsent calls from calls that may have arrived', async () => {
		const gone = await startLocalServer(() => {});
		await gone.stop();
		const reasonOf = async (call: Promise<HttpAnswer>): Promise<readonly unknown[]> => {
			const { failure, isUnsent } = await errorFrom(call);
			return [failure.kind === 'unreachable' ? failure.reason : failure.kind, isUnsent];
		};
		assert.deepEqual(await reasonOf(get('/', { ...post, origin: gone.origin })), ['refused', true]);
		const taken: Socket[] = [];
		// A server that accepts the connection but never starts TLS.
		const silent = createServer((socket) => void taken.push(socket)).listen(0, '127.0.0.1');
		await once(silent, 'listening');
		const address = silent.address();
		assert.ok(typeof address === 'object' && address !== null);
		const origin = `https://127.0.0.1:${address.port}`;
		assert.deepEqual(await reasonOf(get('/', { ...post, origin, deadlineMs: 200 })), ['timeout', true]);
		taken.forEach((socket) => socket.destroy());
		await Promise.all([client.close(), new Promise((resolve) => silent.close(resolve))]);
		const proxy = await startLocalServer((_request, response) => {
			response.statusCode = 407;
			response.end();
		});
		client = newClient({ wayTo: throughProxy(proxy.origin) });
		assert.deepEqual(await reasonOf(get('/', post)), ['proxySignIn', true]);
		await proxy.stop();

		client = newClient();
		answer = (url, response) => url === '/reset' && response.socket?.destroy();
		assert.deepEqual(await reasonOf(get('/reset', post)), ['reset', false]);
		assert.deepEqual(await reasonOf(get('/silent', { ...post, deadlineMs: 200 })), ['timeout', false]);
		answer = (_url, response) => response.end('x'.repeat(2000));
		assert.deepEqual(await reasonOf(get('/large', post)), ['tooLarge', false]);
	});

	test('reports a non-HTTP response as garbled', async () => {
		answer = (_url, response) => {
			response.socket?.end('220 mail.example SMTP ready\r\n');
		};
		assert.deepEqual(await failureFrom(get('/', post)), { kind: 'garbled' });
	});

	test('asks for the way before each call, and leaves the old connections once nobody uses them', async () => {
		const proxies = await Promise.all(['one', 'two'].map((name) => startLocalProxy({ name })));
		const ways: (string | undefined)[] = [undefined, proxies[0]?.origin, proxies[1]?.origin, undefined];
		const connections = new Set<unknown>();
		answer = (_url, response) => {
			connections.add(response.socket);
			response.end('hello');
		};
		await client.close();
		client = newClient({
			wayTo(origin) {
				assert.equal(origin, server.origin);
				const address = ways.shift();
				return (address === undefined ? wayOf({}) : throughProxy(address))(origin);
			},
		});
		try {
			assert.equal(textOf(await get('/a')), 'hello');
			assert.equal(textOf(await get('/b')), 'through one');
			assert.equal(textOf(await get('/c')), 'through two');
			assert.equal(textOf(await get('/d')), 'hello');
			assert.equal(connections.size, 2);
			assert.deepEqual(
				proxies.map(({ seen }) => seen),
				[[`GET ${server.origin}/b`], [`GET ${server.origin}/c`]],
			);
		} finally {
			await Promise.all(proxies.map((each) => each.stop()));
		}
	});

	test('names a way that is not found in time, and sends nothing once it is', async () => {
		const clock = fakeClock();
		const found = Promise.withResolvers<void>();
		await client.close();
		client = newClient({ wayTo: (origin) => found.promise.then(() => wayOf({})(origin)) }, clock);
		const outcome = errorFrom(get('/late', post));
		const streamed = errorFrom(
			client.stream({ origin: server.origin, path: '/late', limitBytes: 9, signal: new AbortController().signal }),
		);
		clock.advance(30_000);
		for (const { failure, isUnsent } of await Promise.all([outcome, streamed])) {
			assert.deepEqual([failure.kind === 'unreachable' && failure.reason, isUnsent], ['proxyUnusable', true]);
		}
		found.resolve();
		await new Promise(setImmediate);
		assert.equal((await get('/')).status, 200);
		assert.ok(!server.seen.some((line) => line.endsWith('/late')));
	});

	test('sends nothing for a way that is found after the end', async () => {
		const found = Promise.withResolvers<void>();
		await client.close();
		client = newClient({ wayTo: (origin) => found.promise.then(() => wayOf({})(origin)) });
		const outcome = errorFrom(get('/late'));
		await client.close();
		found.resolve();
		assert.equal((await outcome).isUnsent, true);
		assert.deepEqual(server.seen, []);
	});

	test('reports a refusing or missing proxy as a proxy error', async () => {
		const proxy = await startLocalServer((_request, response) => {
			response.statusCode = 407;
			response.end();
		});
		const host = new URL(server.origin).host;
		const byProxy = (reason: string): unknown => ({ kind: 'unreachable', reason, host });
		await client.close();
		client = newClient({ wayTo: throughProxy(proxy.origin) });
		assert.deepEqual(await failureFrom(get('/')), byProxy('proxySignIn'));
		await proxy.stop();
		await client.close();
		client = newClient({ wayTo: throughProxy(proxy.origin) });
		assert.deepEqual(await failureFrom(get('/')), byProxy('proxy'));
	});

	test('sends no token to the target of a redirect', async () => {
		const thief = await startLocalServer((_request, response) => response.end());
		try {
			for (const status of [301, 302, 303, 307, 308]) {
				answer = (_url, response) => {
					response.writeHead(status, { Location: `${thief.origin}/take` });
					response.end();
				};
				for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
					assert.equal((await get('/', { method, authorization: 'Bearer secret' })).status, status);
				}
			}
			assert.deepEqual(thief.seen, []);
		} finally {
			await thief.stop();
		}
	});

	test('aborts all calls in flight on close', async () => {
		const pausesMs = await skipPauses();
		const arrived = Promise.withResolvers<void>();
		answer = () => arrived.resolve();
		const call = get('/never', { deadlineMs: 600_000 });
		await arrived.promise;
		await Promise.all([assert.rejects(call), client.close()]);
		// No retry, so no delay.
		assert.deepEqual(pausesMs, []);
		assert.deepEqual(server.seen, ['GET /never']);
	});

	test('times out in the queue without sending the call', async () => {
		const arrived = Promise.withResolvers<ServerResponse>();
		answer = (url, response) => (url === '/a' ? arrived.resolve(response) : response.end());
		await client.close();
		let passedMs = 0;
		client = newClient({ callsInFlight: 1 }, { ...systemClock, nowMs: () => systemClock.nowMs() + passedMs });
		const held = get('/a', { deadlineMs: 600_000 });
		const holding = await arrived.promise;
		const waiting = ['/b', '/c', '/d'].map((path) => errorFrom(get(path, { deadlineMs: 60_000 })));
		const last = get('/last', { deadlineMs: 600_000 });
		passedMs = 61_000;
		holding.end();
		const late = { kind: 'unreachable', reason: 'timeout', host: new URL(server.origin).host };
		for (const { failure, isUnsent } of await Promise.all(waiting)) {
			assert.deepEqual([failure, isUnsent], [late, true]);
		}
		await Promise.all([held, last]);
		assert.deepEqual(server.seen, ['GET /a', 'GET /last']);
	});

	test('rejects a call whose signal is already aborted', async () => {
		await assert.rejects(get('/', { signal: AbortSignal.abort() }), isAbort);
		await assert.rejects(get('/', { ...post, signal: AbortSignal.abort() }), isAbort);
		assert.deepEqual(server.seen, []);
	});
});
