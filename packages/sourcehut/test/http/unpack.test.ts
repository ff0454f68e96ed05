import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { BodyShare, Flow } from '../../src/http/bodyRoom.ts';
import { unpack } from '../../src/http/unpack.ts';

const large = Buffer.alloc(1024 * 1024, 'x');

suite('decompression', () => {
	test('counts decompressed bytes and pauses while there is no room for them', async () => {
		let taken = 0;
		const halted = Promise.withResolvers<Flow>();
		const share: BodyShare = {
			take(bytes, flow) {
				const was = taken;
				taken += bytes;
				if (was < large.byteLength / 2 && taken >= large.byteLength / 2) {
					flow.pause();
					halted.resolve(flow);
				}
			},
			giveBack: () => undefined,
		};
		const { body } = unpack(gzipSync(large), 'gzip', { limitBytes: large.byteLength, share });
		const flow = await halted.promise;
		const whenHalted = taken;
		for (let turns = 0; turns < 50; turns += 1) {
			await new Promise(setImmediate);
		}
		assert.equal(taken, whenHalted);
		flow.resume();
		assert.ok(large.equals(await body));
		assert.equal(taken, large.byteLength);
	});
});
