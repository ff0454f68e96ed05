import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { DamagedBody, inflated } from 'patchmail/files/gunzip.ts';
import { gathered, unpacked, withStart } from 'public-inbox/http/boundedBody.ts';

suite('bodies with a limit', () => {
	const text = Buffer.from(Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join(''));
	const packed = gzipSync(text);

	/** A body in chunks of these sizes; the last one has the rest. */
	function body(bytes: Uint8Array, sizes: readonly number[] = []) {
		const closed = Promise.withResolvers<void>();
		const seen = { sent: 0, closed: closed.promise };
		async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
			let at = 0;
			try {
				for (const size of [...sizes, bytes.byteLength]) {
					if (at < bytes.byteLength) {
						seen.sent += 1;
						yield await Promise.resolve(bytes.subarray(at, at + size));
						at += size;
					}
				}
			} finally {
				closed.resolve();
			}
		}
		return { seen, chunks: chunks() };
	}

	async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
		const found: Uint8Array[] = [];
		for await (const chunk of chunks) {
			found.push(chunk);
		}
		return Buffer.concat(found);
	}

	test('unpack files in chunks of any size, and several in one', async () => {
		for (const sizes of [[], [1, 1, 1], Array.from({ length: 200 }, () => 7)]) {
			assert.deepEqual(await all(inflated(body(packed, sizes).chunks)), text);
		}
		const two = Buffer.concat([packed, packed]);
		assert.deepEqual(await all(inflated(body(two, [packed.byteLength]).chunks)), Buffer.concat([text, text]));
		for (const bytes of [packed, text, Buffer.from('short')]) {
			assert.deepEqual(await all(await unpacked(body(bytes, [1, 1]).chunks)), bytes === packed ? text : bytes);
		}
	});

	test('fail as damaged if they are cut or no gzip, and with the error of the network otherwise', async () => {
		for (const bytes of [packed.subarray(0, -9), packed.subarray(0, 5), text, packed.with(200, 0).with(300, 0)]) {
			await assert.rejects(all(inflated(body(bytes).chunks)), DamagedBody);
		}
		async function* broken(reason: unknown): AsyncGenerator<Uint8Array, void, undefined> {
			yield await Promise.resolve(packed.subarray(0, 50));
			throw reason;
		}
		const lost = new TypeError('The network is gone');
		await assert.rejects(all(inflated(broken(lost))), (error) => error === lost);
		await assert.rejects(
			all(inflated(broken('gone'))),
			(error) => error instanceof Error && !(error instanceof DamagedBody) && error.cause === 'gone',
		);
	});

	test('end at the limit, however much the rest would unpack to', async () => {
		const zeros = gzipSync(Buffer.alloc(1024 * 1024));
		const bomb = body(
			Buffer.concat(Array.from({ length: 200 }, () => zeros)),
			Array.from({ length: 200 }, () => 1024),
		);
		const { bytes, isCut } = await gathered(inflated(bomb.chunks), 100_000);
		assert.deepEqual([bytes.byteLength, isCut], [100_000, true]);
		await bomb.seen.closed;
		assert.ok(bomb.seen.sent < 100, String(bomb.seen.sent));
	});

	test('keep each byte up to the limit, and say if there were more', async () => {
		const bytes = Buffer.from('abcdef');
		const cases: readonly (readonly [number, readonly number[], string, boolean])[] = [
			[7, [3], 'abcdef', false],
			[6, [3], 'abcdef', false],
			[6, [], 'abcdef', false],
			[5, [3], 'abcde', true],
			[3, [3], 'abc', true],
			[2, [1, 0, 1], 'ab', true],
			[0, [], '', true],
		];
		for (const [limit, sizes, kept, isCut] of cases) {
			const read = await gathered(body(bytes, sizes).chunks, limit);
			assert.deepEqual([Buffer.from(read.bytes).toString(), read.isCut], [kept, isCut], String(limit));
		}
		assert.deepEqual(await gathered(body(Buffer.alloc(0)).chunks, 0), { bytes: Buffer.alloc(0), isCut: false });
	});

	test('show their first 200 bytes before the rest is asked for', async () => {
		const bytes = text.subarray(0, 400);
		const cases: readonly (readonly [readonly number[], number, number])[] = [
			[[200, 1], 200, 1],
			[[199, 1, 5], 200, 2],
			[[100, 99, 10], 209, 3],
			[[], 400, 1],
		];
		for (const [sizes, startBytes, sent] of cases) {
			const { chunks, seen } = body(bytes, sizes);
			const begun = await withStart(chunks);
			assert.deepEqual(Buffer.from(begun.start), bytes.subarray(0, startBytes));
			assert.equal(seen.sent, sent);
			assert.deepEqual(await all(begun.all), bytes);
		}
		for (const short of ['', 'abc']) {
			const begun = await withStart(body(Buffer.from(short), [1]).chunks);
			assert.equal(Buffer.from(begun.start).toString(), short);
			const chunks: string[] = [];
			for await (const chunk of begun.all) {
				chunks.push(Buffer.from(chunk).toString());
			}
			assert.deepEqual(chunks, short === '' ? [] : [short]);
		}
	});

	test('end at the limit while the source is silent', async () => {
		async function* stalling(): AsyncGenerator<Uint8Array, void, undefined> {
			yield await Promise.resolve(packed);
			await new Promise(() => undefined);
		}
		assert.deepEqual((await gathered(inflated(stalling()), 10)).isCut, true);
	});

	test('close their source when the reader leaves early', async () => {
		const { chunks, seen } = body(text, [300, 300]);
		for await (const chunk of (await withStart(chunks)).all) {
			assert.equal(chunk.byteLength, 300);
			break;
		}
		await seen.closed;
		assert.equal(seen.sent, 1);
	});
});
