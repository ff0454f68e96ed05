import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { isAbort } from '@forge-desk/base/abort.ts';
import { HttpFailure, type HttpClient, type HttpStream } from '../../src/http/httpClient.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { startLocalServer, type LocalServer } from '../../../../test/support/localServer.ts';

const mebibyte = 1024 * 1024;

suite('large answers in pieces', () => {
	let server: LocalServer;
	let answer: (response: ServerResponse) => void;
	const never = new AbortController().signal;
	let client: HttpClient;
	/** What the client asked the clock to do, latest last. */
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

	test('a slow reader holds the server up and gets all of it', async () => {
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
		// As long as the server gets rid of anything, it is not held up yet; others go on meanwhile.
		for (let before = -1, rests = 0; rests < 10; rests = before === written ? rests + 1 : 0) {
			before = written;
			await client.send({ method: 'GET', origin: server.origin, path: '/small', limitBytes: 10, signal: never });
		}
		assert.ok(written < 30 * mebibyte, `${written} bytes were taken`);
		assert.equal((await whole(stream40)) + (value?.byteLength ?? 0), 40 * mebibyte);
	});

	test('what comes in chunks of one byte is handed out in few', async () => {
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

	test('what says that it is too much is refused before its body, and what does not as soon as it is', async () => {
		answer = (response) => response.writeHead(200, { 'Content-Length': 11 }).end('hello world');
		await assert.rejects(stream(10), failure('tooLarge'));
		answer = (response) => {
			response.write('hello ');
			response.write('world');
		};
		await assert.rejects(stream(10).then(whole), failure('tooLarge'));
	});

	test('silence ends it, and so do a broken connection and giving up', async () => {
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

	test('what nobody reads is left', async () => {
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
