import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { isAbort } from '@forge-desk/base/abort.ts';
import { HttpFailure, type HttpClient, type HttpStream } from '../../src/http/httpClient.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { startLocalServer, type LocalServer } from '../../../../test/support/localServer.ts';

const mebibyte = 1024 * 1024;

suite('streamed responses', () => {
	let server: LocalServer;
	let answer: (response: ServerResponse) => void;
	const never = new AbortController().signal;
	let client: HttpClient;
	/** Silence timers of the client, latest last. */
	let silences: (() => void)[];

	setup(async () => {
		silences = [];
		server = await startLocalServer(({ url }, response) =>
			url === '/small' ? response.end('small') : answer(response),
		);
		client = undiciClient({
			transport: directTransport,
			clock: {
				...systemClock,
				after(delayMs, work) {
					if (delayMs === 0) {
						return systemClock.after(0, work);
					}
					silences.push(work);
					return { dispose: () => void (silences = silences.filter((each) => each !== work)) };
				},
			},
			random: () => 0,
		});
	});
	teardown(async () => {
		await client.close();
		await server.stop();
	});

	function stream(limitBytes: number, signal = never): Promise<HttpStream> {
		return client.stream({ origin: server.origin, path: '/', limitBytes, signal });
	}

	async function whole({ chunks }: HttpStream): Promise<number> {
		let bytes = 0;
		for await (const chunk of chunks) {
			bytes += chunk.byteLength;
		}
		return bytes;
	}

	test('apply back pressure for a slow reader and deliver everything', async () => {
		let written = 0;
		answer = (response) => {
			const go = (): void => {
				while (written < 40 * mebibyte) {
					written += mebibyte;
					if (!response.write(new Uint8Array(mebibyte))) {
						response.once('drain', go);
						return;
					}
				}
				response.end();
			};
			go();
		};
		const stream40 = await stream(40 * mebibyte);
		const { value } = await stream40.chunks.next();
		// The server is not blocked while it can still write anything; other calls continue meanwhile.
		for (let before = -1, rests = 0; rests < 10; rests = before === written ? rests + 1 : 0) {
			before = written;
			await client.send({ method: 'GET', origin: server.origin, path: '/small', limitBytes: 10, signal: never });
		}
		assert.ok(written < 30 * mebibyte, `${written} bytes were taken`);
		assert.equal((await whole(stream40)) + (value?.byteLength ?? 0), 40 * mebibyte);
	});

	test('merge chunks of one byte', async () => {
		const bytes = 100_000;
		answer = (response) => {
			response.writeHead(200, { 'Transfer-Encoding': 'chunked' }).flushHeaders();
			response.socket?.end(`${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`);
		};
		const { chunks } = await stream(bytes);
		const lengths: number[] = [];
		for await (const chunk of chunks) {
			lengths.push(chunk.byteLength);
		}
		assert.equal(
			lengths.reduce((sum, length) => sum + length, 0),
			bytes,
		);
		assert.ok(lengths.length < 1000, `${lengths.length} chunks`);
	});

	test('carry a method and headers, and leave packed bodies to the reader', async () => {
		const asked: unknown[] = [];
		answer = (response) => {
			const { method, headers } = response.req;
			asked.push([method, headers['accept-encoding'], headers['content-length']]);
			response.writeHead(200, { 'X-Some': 'a', 'Content-Encoding': 'gzip' }).end('packed');
		};
		const request = { origin: server.origin, path: '/', limitBytes: 10, signal: never };
		const posted = await client.stream({ ...request, method: 'POST', acceptsGzip: true });
		assert.deepEqual([posted.header('x-some'), posted.header('x-other')], ['a', '']);
		assert.equal(await whole(posted), 6);
		await client.stream(request).then(whole);
		assert.deepEqual(asked, [
			['POST', 'gzip', '0'],
			['GET', 'identity', undefined],
		]);
	});

	test('wait for a connection only as long as they are told', async () => {
		const delays: number[] = [];
		const watching = undiciClient({
			transport: directTransport,
			clock: {
				...systemClock,
				after(delayMs, work) {
					delays.push(delayMs);
					return systemClock.after(delayMs, work);
				},
			},
			random: () => 0,
		});
		answer = (response) => response.end('x');
		await whole(
			await watching.stream({ origin: server.origin, path: '/', limitBytes: 10, connectMs: 5000, signal: never }),
		);
		await watching.close();
		assert.equal(delays[0], 5000);
		assert.equal(delays[1], 30_000);
	});

	test('reject an oversized body at its Content-Length, or at the limit', async () => {
		answer = (response) => response.writeHead(200, { 'Content-Length': 11 }).end('hello world');
		await assert.rejects(stream(10), failure('tooLarge'));
		answer = (response) => {
			response.write('hello ');
			response.write('world');
		};
		await assert.rejects(stream(10).then(whole), failure('tooLarge'));
	});

	test('end on silence, on a broken connection and on abort', async () => {
		answer = (response) => void response.write('hello');
		const silent = await stream(10);
		assert.equal((await silent.chunks.next()).value?.byteLength, 5);
		assert.equal(silences.length, 1);
		silences[0]?.();
		await assert.rejects(silent.chunks.next(), failure('unreachable'));

		answer = (response) => {
			response.writeHead(200, { 'Content-Length': 9 });
			response.write('hello', () => response.destroy());
		};
		await assert.rejects(stream(10).then(whole), failure('truncated'));

		answer = (response) => void response.write('hello');
		const giving = new AbortController();
		const unwanted = await stream(10, giving.signal);
		giving.abort();
		await assert.rejects(whole(unwanted), isAbort);
		assert.deepEqual(silences, []);
	});

	test('close the connection when disposed unread', async () => {
		const closed = Promise.withResolvers<void>();
		answer = (response) => {
			response.on('close', closed.resolve);
			response.write('hello');
		};
		(await stream(10)).dispose();
		await closed.promise;
		assert.deepEqual(silences, []);
	});
});

function failure(kind: string): (error: unknown) => boolean {
	return (error) => error instanceof HttpFailure && error.failure.kind === kind;
}
