import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { DamagedBody, inflated, isGzip } from '../../src/files/gunzip.ts';

suite('gzip files', () => {
	test('begin with two bytes of their own', () => {
		for (const [start, expected] of [
			[[0x1f, 0x8b, 8], true],
			[[0x1f, 0x8c], false],
			[[0x1e, 0x8b], false],
			[[0x1f], false],
			[[], false],
		] as const) {
			assert.equal(isGzip(Uint8Array.from(start)), expected);
		}
	});

	/** Number of bytes of the unpacked chunks. */
	async function unpackedSize(packed: readonly Uint8Array[]): Promise<number> {
		async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
			for (const chunk of packed) {
				yield await Promise.resolve(chunk);
			}
		}
		let size = 0;
		for await (const chunk of inflated(chunks())) {
			size += chunk.byteLength;
		}
		return size;
	}

	test('unpack up to 300 times their size, and below 64 MiB to any', async () => {
		const mebibyte = 1024 * 1024;
		assert.equal(await unpackedSize([gzipSync(new Uint8Array(63 * mebibyte))]), 63 * mebibyte);
		const many = Array.from({ length: 5 }, () => gzipSync(new Uint8Array(16 * mebibyte)));
		await assert.rejects(unpackedSize(many), DamagedBody);
		assert.equal(await unpackedSize([...many.slice(0, 3), gzipSync(new Uint8Array(mebibyte))]), 49 * mebibyte);
	});
});
