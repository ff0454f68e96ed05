import assert from 'node:assert/strict';
import type { HttpClient, StreamRequest } from '../../src/http/httpClient.ts';
import { restFiles } from '../../src/rest/restForge.ts';
import { problemFrom } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';

const never = new AbortController().signal;
const at = { ref: 'c'.repeat(40), path: 'some folder/50% off?.bin' };

interface Answering {
	/** Pieces of the body, each with its delay. */
	readonly pieces: Iterable<readonly [bytes: number, afterMs: number]>;
	readonly contentType?: string;
	readonly status?: number;
	/** Body text instead of pieces. */
	readonly says?: string;
	readonly token?: string | undefined;
	/** Time that the reader takes for each piece. */
	readonly readerMs?: number;
}

suite('repository file stream', () => {
	let asked: StreamRequest[];
	let isLeft: boolean;
	setup(() => {
		asked = [];
		isLeft = false;
	});

	async function get(
		owner: string,
		{ pieces, contentType = 'text/plain', status = 200, says, readerMs = 0, ...others }: Answering,
	): Promise<number> {
		let nowMs = 0;
		const http: HttpClient = {
			send: () => Promise.reject(new Error('Nothing is sent here')),
			async stream(request) {
				asked.push(request);
				return {
					head: { status, contentType, location: undefined, retryAfterMs: undefined, body: new Uint8Array() },
					header: () => '',
					chunks: arriving(),
					dispose: () => void (isLeft = true),
				};
			},
			beginWalk: () => ({ dispose: () => undefined }),
			close: () => Promise.resolve(),
		};
		async function* arriving(): AsyncGenerator<Uint8Array, void, undefined> {
			if (says !== undefined) {
				yield new TextEncoder().encode(says);
			}
			for (const [bytes, afterMs] of pieces) {
				nowMs += afterMs;
				yield new Uint8Array(bytes);
			}
		}
		const stream = restFiles({
			instance: sampleInstance,
			me: '~alice',
			tokenFor: () => ('token' in others ? others.token : 'secret'),
			http,
			clock: { nowMs: () => nowMs, after: () => ({ dispose: () => undefined }) },
		});
		let bytes = 0;
		for await (const chunk of stream.blobStream({ owner, name: 'lantern' }, at, 1000, never)) {
			bytes += chunk.byteLength;
			nowMs += readerMs;
		}
		return bytes;
	}

	test('requests a file by commit and path with a size limit, own or others’', async () => {
		assert.equal(await get('~alice', { pieces: [[5, 0]] }), 5);
		await get('~bob', { pieces: [] });
		const rest = `blob/${at.ref}/some%20folder/50%25%20off%3F.bin`;
		assert.deepEqual(
			asked.map(({ origin, path, authorization, limitBytes }) => [origin, path, authorization, limitBytes]),
			[
				[sampleInstance.areas.git, `/api/repos/lantern/${rest}`, 'Bearer secret', 1000],
				[sampleInstance.areas.git, `/api/~bob/repos/lantern/${rest}`, 'Bearer secret', 1000],
			],
		);
		assert.ok(isLeft);
	});

	test('needs a token', async () => {
		assert.deepEqual(await problemFrom(get('~bob', { pieces: [], token: undefined })), { kind: 'notSignedIn' });
		assert.deepEqual(asked, []);
	});

	test('rejects an HTML sign-in page', async () => {
		assert.equal(
			(await problemFrom(get('~bob', { pieces: [[5, 0]], contentType: 'text/html' }))).kind,
			'notUnderstood',
		);
		assert.ok(isLeft);
	});

	test('reports a complete error response', async () => {
		const says = (reason: string): string => JSON.stringify({ errors: [{ reason }] });
		for (const [status, reason, expected] of [
			[400, 'Invalid or expired OAuth token', { kind: 'tokenRejected', area: 'git' }],
			[403, 'Your account is suspended', { kind: 'notAllowed', reason: 'Your account is suspended' }],
			[400, 'No such thing', { kind: 'invalid', errors: [{ field: undefined, reason: 'No such thing' }] }],
		] as const) {
			const contentType = 'application/json';
			assert.deepEqual(
				await problemFrom(get('~bob', { pieces: [], status, contentType, says: says(reason) })),
				expected,
			);
			assert.ok(isLeft);
		}
	});

	test('cuts off an endless error response', async () => {
		function* endless(): Generator<readonly [number, number]> {
			for (;;) {
				yield [10_000, 1];
			}
		}
		function* dripping(): Generator<readonly [number, number]> {
			for (;;) {
				yield [1, 20_000];
			}
		}
		for (const pieces of [endless(), dripping()]) {
			assert.equal((await problemFrom(get('~bob', { pieces, status: 403 }))).kind, 'notAllowed');
			assert.ok(isLeft);
		}
	});

	test('ends with a timeout when the server is too slow', async () => {
		function* dripping(): Generator<readonly [number, number]> {
			for (;;) {
				yield [100, 20_000];
			}
		}
		const problem = await problemFrom(get('~bob', { pieces: dripping() }));
		assert.deepEqual(problem, { kind: 'unreachable', reason: 'timeout', host: new URL(sampleInstance.areas.git).host });
		assert.ok(isLeft);
	});

	test('allows a slow connection and a slow reader', async () => {
		const slow = Array.from({ length: 20 }, () => [8 * 1024, 25_000] as const);
		assert.equal(await get('~bob', { pieces: slow }), 20 * 8 * 1024);
		const little = Array.from({ length: 20 }, () => [1, 100] as const);
		assert.equal(await get('~bob', { pieces: little, readerMs: 60_000 }), 20);
	});
});
