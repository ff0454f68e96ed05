import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { reservePort, type ReservedPort } from '../src/server/listen.ts';

/** Picks these in order, then always the last one. */
function picking(first: number, ...others: readonly number[]): () => number {
	const left = [first, ...others];
	return () => (left.length > 1 ? left.shift() : left[0]) ?? first;
}

suite('reserved port of the redirect address', () => {
	const reserved: ReservedPort[] = [];

	teardown(() => {
		for (const each of reserved.splice(0)) {
			each.release();
		}
	});

	async function reserve(pick?: (below: number) => number): Promise<number> {
		const made = await reservePort(pick);
		reserved.push(made);
		return made.port;
	}

	/** Reserves a random port; also returns the number of its pair. */
	async function reserveAny(): Promise<{ readonly port: number; readonly pair: number }> {
		let pair = 0;
		const port = await reserve((below) => (pair = randomInt(below)));
		return { port, pair };
	}

	test('is free and outside the ephemeral range of the system', async () => {
		const port = await reserve();
		assert.ok(port >= 20_000 && port < 30_000, String(port));
		const server = createServer().listen(port, '127.0.0.1');
		await once(server, 'listening');
		server.close();
	});

	test('is exclusive to one forge until its release', async () => {
		const { port: first, pair } = await reserveAny();
		assert.notEqual(await reserve(picking(pair, pair, (pair + 1000) % 5000)), first);
		await assert.rejects(reservePort(picking(pair)), /No port for the redirect address was free/);
		reserved[0]?.release();
		assert.equal(await reserve(picking(pair)), first);
	});

	test('is not a port in use, and such a port does not block its pair afterwards', async () => {
		const { port, pair } = await reserveAny();
		const program = createServer().listen(port, '127.0.0.1');
		await once(program, 'listening');
		reserved[0]?.release();
		try {
			assert.notEqual(await reserve(picking(pair, (pair + 1000) % 5000)), port);
		} finally {
			program.close();
		}
		assert.equal(await reserve(picking(pair)), port);
	});
});
