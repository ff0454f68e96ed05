import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { isAbort } from '@forge-desk/base/abort.ts';
import { bodyRoom, type BodyRoom, type BodyShare, type Flow } from '../../src/http/bodyRoom.ts';
import { HttpFailure, type HttpAnswer, type HttpClient, type HttpRequest } from '../../src/http/httpClient.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import { directTransport, systemClock, wayOf } from '../../../../test/support/contractForge.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { selfSignedCertificate, selfSignedKey } from '../../../../test/support/selfSigned.ts';
import { startLocalServer, type LocalServer } from '../../../../test/support/localServer.ts';
import { testInRest } from '../../../../test/support/parts.ts';

const mebibyte = 1024 * 1024;
const room8 = 8 * mebibyte;
const never = new AbortController().signal;

/** A body whose chunks arrive on the test’s command. */
class FakeBody implements Flow {
	readonly #share: BodyShare;
	bytes = 0;
	isPaused = false;

	constructor(room: BodyRoom, origin = 'a') {
		this.#share = room.shareFor(origin);
	}

	arrive(bytes: number): void {
		assert.ok(!this.isPaused, 'something arrives though it is held up');
		this.bytes += bytes;
		this.#share.take(bytes, this);
	}

	end(): void {
		this.bytes = 0;
		this.#share.giveBack();
	}

	pause(): void {
		this.isPaused = true;
	}

	resume(): void {
		this.isPaused = false;
	}
}

suite('body room', () => {
	test('lets only the largest body continue over the limit, then the next one', async () => {
		const room = bodyRoom();
		const [one, two, three] = [new FakeBody(room), new FakeBody(room), new FakeBody(room)];
		one.arrive(3 * mebibyte);
		two.arrive(4 * mebibyte);
		one.arrive(mebibyte);
		assert.deepEqual([one.isPaused, two.isPaused], [false, false], 'as much as there is room for');
		two.arrive(2 * mebibyte);
		one.arrive(1);
		three.arrive(mebibyte);
		assert.deepEqual([one.isPaused, two.isPaused, three.isPaused], [true, false, true]);
		two.arrive(8 * mebibyte);
		one.end();
		await Promise.resolve();
		assert.deepEqual([two.isPaused, three.isPaused], [false, true], 'there is still no room');
		two.end();
		await Promise.resolve();
		assert.deepEqual([two.isPaused, three.isPaused], [false, false]);
	});

	test('never pauses small bodies', () => {
		const room = bodyRoom();
		new FakeBody(room).arrive(2 * room8);
		const small = new FakeBody(room);
		small.arrive(64 * 1024);
		assert.equal(small.isPaused, false);
		small.arrive(1);
		assert.equal(small.isPaused, true);
	});

	test('pauses only bodies from the same server when that server is slow', () => {
		const room = bodyRoom();
		new FakeBody(room, 'slow').arrive(2 * room8);
		const [own, other] = [new FakeBody(room, 'slow'), new FakeBody(room, 'other')];
		own.arrive(mebibyte);
		other.arrive(mebibyte);
		assert.deepEqual([own.isPaused, other.isPaused], [true, false]);
	});

	test('pauses even the largest body while unread bodies fill the room', async () => {
		const room = bodyRoom();
		const held = [room.hold(6 * mebibyte), room.hold(6 * mebibyte)];
		const body = new FakeBody(room);
		body.arrive(mebibyte);
		assert.equal(body.isPaused, true);
		held[0]?.dispose();
		held[0]?.dispose();
		await Promise.resolve();
		assert.equal(body.isPaused, false);
		body.arrive(2 * mebibyte);
		assert.equal(body.isPaused, true, 'giving back twice gives back once');
		held[1]?.dispose();
		await Promise.resolve();
		body.arrive(room8);
		assert.equal(body.isPaused, false);
	});

	test('lets all bodies finish in any order, and stays within the limit plus one body', async () => {
		const largest = 16;
		const sizes = fc.array(
			fc.record({ mebibytes: fc.integer({ min: 1, max: largest }), origin: fc.constantFrom('a', 'b') }),
			{
				maxLength: 40,
			},
		);
		await fc.assert(
			fc.asyncProperty(sizes, fc.infiniteStream(fc.nat()), fc.boolean(), async (wanted, choices, isRead) => {
				const room = bodyRoom();
				let onTheirWay = wanted.map(({ mebibytes, origin }) => ({ mebibytes, body: new FakeBody(room, origin) }));
				let held: { readonly bytes: number; readonly dispose: () => void }[] = [];
				while (onTheirWay.length > 0 || held.length > 0) {
					const able = onTheirWay.filter(({ body }) => !body.isPaused);
					assert.ok(able.length > 0 || held.length > 0, 'nothing goes on');
					const choice = Number(choices.next().value) % (able.length + Math.min(1, held.length));
					const chosen = able[choice];
					if (chosen) {
						chosen.body.arrive(mebibyte);
						if (chosen.body.bytes === chosen.mebibytes * mebibyte) {
							onTheirWay = onTheirWay.filter((each) => each !== chosen);
							const { bytes } = chosen.body;
							chosen.body.end();
							held = isRead ? [...held, { bytes, dispose: () => hold.dispose() }] : held;
							const hold = isRead ? room.hold(bytes) : { dispose: () => undefined };
						}
					} else {
						held.shift()?.dispose();
					}
					await Promise.resolve();
					const bytes = [...onTheirWay.map(({ body }) => body.bytes), ...held.map((each) => each.bytes)];
					const most = room8 + 2 * largest * mebibyte + onTheirWay.length * mebibyte;
					assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= most);
				}
			}),
			{ numRuns: counts({ small: 60, full: 2000 }), seed: seed() },
		);
	});
});

suite('concurrent large responses', () => {
	let server: LocalServer;
	let client: HttpClient;
	let answer: (url: string, response: ServerResponse) => void;
	const large = Buffer.alloc(4 * mebibyte, 'x');

	setup(async () => {
		answer = (_url, response) => response.end(large);
		server = await startLocalServer(({ url }, response) => answer(url ?? '', response));
		client = undiciClient({
			transport: { ...directTransport, callsInFlight: 16 },
			clock: systemClock,
			random: () => 0,
		});
	});
	teardown(async () => {
		await client.close();
		await server.stop();
	});

	function get(path: string, more: Partial<HttpRequest> = {}, by = client): Promise<HttpAnswer> {
		const limitBytes = 5 * mebibyte;
		return by.send({ method: 'POST', origin: server.origin, path, limitBytes, signal: never, ...more });
	}

	test('all arrive completely, compressed or not', async () => {
		const packed = gzipSync(large);
		answer = (url, response) => {
			if (url.endsWith('0')) {
				response.setHeader('Content-Encoding', 'gzip').end(packed);
			} else {
				response.write(large.subarray(0, mebibyte));
				response.end(large.subarray(mebibyte));
			}
		};
		const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => get(`/${at}`)));
		assert.ok(answers.every(({ body }) => large.equals(body)));
	});

	testInRest('all arrive completely over one HTTP/2 connection', async () => {
		// Node.js allows far less memory per connection by default than these paused streams need.
		const tls = { cert: selfSignedCertificate, key: selfSignedKey, maxSessionMemory: 1000 };
		const modern = createSecureServer(tls, (_request, response) => {
			response.end(large);
		});
		const sessions = new Set<{ destroy(): void }>();
		modern.on('session', (session) => sessions.add(session));
		modern.listen(0, '127.0.0.1');
		await once(modern, 'listening');
		const address = modern.address();
		const port = typeof address === 'object' && address !== null ? address.port : 0;
		const trusting = undiciClient({
			transport: { ...directTransport, callsInFlight: 16, wayTo: wayOf({ strictTls: false }) },
			clock: systemClock,
			random: () => 0,
		});
		try {
			const origin = `https://127.0.0.1:${port}`;
			const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => get(`/${at}`, { origin }, trusting)));
			assert.ok(answers.every(({ body }) => large.equals(body)));
		} finally {
			await trusting.close();
			sessions.forEach((session) => session.destroy());
			const closed = once(modern, 'close');
			modern.close();
			await closed;
		}
	});

	test('free their room when the user aborts or the deadline ends a paused response', async () => {
		const stuck: ServerResponse[] = [];
		const allBegun = Promise.withResolvers<void>();
		answer = (url, response) => {
			if (url === '/good') {
				response.end(large);
				return;
			}
			// All but the last byte, so that some are paused and the others never end.
			response.setHeader('Content-Length', large.byteLength);
			response.write(large.subarray(1));
			stuck.push(response);
			if (stuck.length === 12) {
				allBegun.resolve();
			}
		};
		const wish = new AbortController();
		const unwanted = Array.from({ length: 6 }, (_, at) => get(`/unwanted${at}`, { signal: wish.signal }));
		const late = Array.from({ length: 6 }, (_, at) => get(`/late${at}`, { deadlineMs: 1000 }));
		const ends = Promise.allSettled([...unwanted, ...late]);
		await allBegun.promise;
		wish.abort();
		const outcomes = await ends;
		const reasons = outcomes.map((outcome): unknown => (outcome.status === 'rejected' ? outcome.reason : undefined));
		assert.ok(reasons.slice(0, 6).every((reason) => isAbort(reason)));
		assert.ok(
			reasons.slice(6).every((reason) => reason instanceof HttpFailure && reason.failure.kind === 'unreachable'),
		);
		const answers = await Promise.all(Array.from({ length: 8 }, () => get('/good')));
		assert.ok(answers.every(({ body }) => large.equals(body)));
	});
});
