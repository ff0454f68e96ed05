import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isAbort } from '@forge-desk/base/abort.ts';
import { provenBy, provenInSlices } from '../../src/git/objectId.ts';

const never = new AbortController().signal;
const mebibyte = 1024 * 1024;

function idOf(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
	return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

suite('object id check', () => {
	/** The verdict and the number of pauses. */
	async function slices(bytes: Uint8Array, id: string): Promise<{ readonly verdict: string; readonly rests: number }> {
		let rests = 0;
		const breathe = async (): Promise<void> => void (rests += 1);
		return { verdict: await provenInSlices({ id, kind: 'blob', bytes }, breathe, never), rests };
	}

	test('gives the same verdict in slices as in one go, at every boundary and for both hashes', async () => {
		for (const size of [0, 1, 2 * mebibyte - 1, 2 * mebibyte, 2 * mebibyte + 1, 4 * mebibyte, 5 * mebibyte + 3]) {
			const bytes = new Uint8Array(size).map((_, at) => at * 7);
			const other = new Uint8Array(bytes);
			other[size - 1] = 1;
			for (const id of [idOf(bytes), idOf(bytes, 'sha256'), idOf(new Uint8Array([9])), 'abc']) {
				assert.equal((await slices(bytes, id)).verdict, provenBy(id, 'blob', bytes), `${size} ${id}`);
			}
			assert.equal((await slices(bytes, idOf(bytes))).verdict, 'same');
			assert.equal((await slices(other, idOf(bytes))).verdict, size === 0 ? 'same' : 'other');
		}
	});

	test('pauses after every two mebibytes, and never for small objects', async () => {
		const small = new Uint8Array(2 * mebibyte);
		assert.equal((await slices(small, idOf(small))).rests, 0);
		const large = new Uint8Array(20 * mebibyte);
		assert.equal((await slices(large, idOf(large))).rests, 10);
	});

	test('rejects during a pause when aborted', async () => {
		const giving = new AbortController();
		let rests = 0;
		const breathe = async (): Promise<void> => {
			rests += 1;
			giving.abort();
		};
		const bytes = new Uint8Array(20 * mebibyte);
		await assert.rejects(provenInSlices({ id: idOf(bytes), kind: 'blob', bytes }, breathe, giving.signal), isAbort);
		assert.equal(rests, 1);
	});
});
