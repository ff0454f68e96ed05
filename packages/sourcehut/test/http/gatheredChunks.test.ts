import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { bodyRoom } from '../../src/http/bodyRoom.ts';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import { undiciClient } from '../../src/http/undiciClient.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { startLocalServer } from '../../../../test/support/localServer.ts';
import { usedMemory } from '../../../../test/support/usedMemory.ts';

/** Numbered bytes in chunks that share buffers, as a network library delivers them. */
function chunksOf(lengths: readonly number[], read: number): readonly Uint8Array[] {
	let buffer = new Uint8Array();
	let at = 0;
	let stood = 0;
	return lengths.map((length) => {
		if (at + length > buffer.byteLength) {
			buffer = new Uint8Array(Math.max(read, length));
			at = 0;
		}
		const chunk = buffer.subarray(at, at + length);
		at += length;
		for (let each = 0; each < length; each += 1) {
			chunk[each] = stood % 251;
			stood += 1;
		}
		return chunk;
	});
}

/** Memory that the chunks retain: their whole buffers, plus the chunk objects. */
function memoryOf(parts: readonly Uint8Array[]): number {
	const buffers = new Set(parts.map(({ buffer }) => buffer));
	return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 200 * parts.length);
}

function partsOf(gathered: GatheredChunks): readonly Uint8Array[] {
	const parts: Uint8Array[] = [];
	for (let part = gathered.shift(); part !== undefined; part = gathered.shift()) {
		parts.push(part);
	}
	return parts;
}

suite('gathered chunks', function () {
	this.timeout(600_000);
	const lengths = fc.array(
		fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9000 }), fc.constant(100_000)),
		{ maxLength: 60 },
	);

	test('keep all bytes in order, in parts and as a whole', () => {
		fc.assert(
			fc.property(lengths, fc.constantFrom(1, 1000, 65_536), (wanted, read) => {
				const chunks = chunksOf(wanted, read);
				const [parted, whole] = [new GatheredChunks(), new GatheredChunks()];
				chunks.forEach((chunk) => [parted, whole].forEach((each) => each.add(chunk)));
				const bytes = Buffer.concat(chunks);
				assert.equal(parted.byteLength, bytes.byteLength);
				assert.deepEqual(Buffer.concat(partsOf(parted)), bytes);
				assert.deepEqual(Buffer.from(whole.takeAll()), bytes);
				assert.deepEqual([parted.byteLength, whole.byteLength], [0, 0]);
			}),
			{ numRuns: counts({ small: 100, full: 5000 }), seed: seed() },
		);
	});

	test('keep all bytes when parts are taken while others arrive', () => {
		fc.assert(
			fc.property(lengths, fc.infiniteStream(fc.boolean()), (wanted, turns) => {
				const chunks = chunksOf(wanted, 65_536);
				const gathered = new GatheredChunks();
				const taken: Uint8Array[] = [];
				for (const chunk of chunks) {
					gathered.add(chunk);
					const part = turns.next().value ? gathered.shift() : undefined;
					taken.push(part ?? new Uint8Array());
				}
				assert.deepEqual(Buffer.concat([...taken, ...partsOf(gathered)]), Buffer.concat(chunks));
			}),
			{ numRuns: counts({ small: 100, full: 5000 }), seed: seed() },
		);
	});

	for (const [name, made] of [
		[
			'of one byte',
			chunksOf(
				Array.from({ length: 300_000 }).map(() => 1),
				65_536,
			),
		],
		[
			'of one byte, each read alone',
			chunksOf(
				Array.from({ length: 300_000 }).map(() => 1),
				1,
			),
		],
		[
			'large and small ones alternate',
			chunksOf(
				Array.from({ length: 400 }).map((_, at) => (at % 2 === 0 ? 4096 : 1)),
				4097,
			),
		],
		// The gaps between two chunks of a response may be long.
		['each is a small part of its buffer', Array.from({ length: 200 }, () => new Uint8Array(65_536).subarray(0, 5000))],
	] as const) {
		test(`take little more memory than twice their bytes: ${name}`, () => {
			const gathered = new GatheredChunks();
			made.forEach((chunk) => gathered.add(chunk));
			const bytes = gathered.byteLength;
			const memory = memoryOf(partsOf(gathered));
			assert.ok(memory < 2.2 * bytes + 128 * 1024, `${memory} bytes hold ${bytes}`);
		});
	}

	test('are not copied if there is only one', () => {
		const gathered = new GatheredChunks();
		const chunk = new Uint8Array(3);
		gathered.add(chunk);
		assert.equal(gathered.takeAll(), chunk);
	});

	test('release their own buffers on discard, but not shared ones', () => {
		const gathered = new GatheredChunks();
		const chunk = new Uint8Array(65_536);
		const read = new Uint8Array(65_536).fill(7);
		gathered.add(chunk);
		gathered.add(read.subarray(1));
		gathered.discard();
		assert.deepEqual([chunk.buffer.byteLength, gathered.byteLength, gathered.shift()], [0, 0, undefined]);
		assert.deepEqual([read.byteLength, read[1]], [65_536, 7]);
	});

	test('keep memory low for a response in chunks of one byte', async () => {
		const bytes = 300_000;
		const allButTheEnd = Promise.withResolvers<void>();
		const goOn = Promise.withResolvers<void>();
		const server = await startLocalServer((_request, response) => {
			response.writeHead(200, { 'Transfer-Encoding': 'chunked' }).flushHeaders();
			response.socket?.write('1\r\nx\r\n'.repeat(bytes));
			void goOn.promise.then(() => response.socket?.end('0\r\n\r\n'));
		});
		const room = bodyRoom();
		let arrived = 0;
		const client = undiciClient({
			transport: directTransport,
			clock: systemClock,
			random: () => 0,
			room: {
				...room,
				shareFor(origin) {
					const share = room.shareFor(origin);
					return {
						...share,
						take(count, flow) {
							share.take(count, flow);
							arrived += count;
							if (arrived === bytes) {
								allButTheEnd.resolve();
							}
						},
					};
				},
			},
		});
		try {
			const before = usedMemory();
			const answer = client.send({
				method: 'GET',
				origin: server.origin,
				path: '/',
				limitBytes: bytes,
				signal: new AbortController().signal,
			});
			await allButTheEnd.promise;
			const more = usedMemory() - before;
			goOn.resolve();
			assert.equal((await answer).body.byteLength, bytes);
			assert.ok(more < 12_000_000, `${more} bytes more`);
		} finally {
			await client.close();
			await server.stop();
		}
	});
});
