import assert from 'node:assert/strict';
import type { HttpAnswer } from '../../src/http/httpClient.ts';
import { pace, type Pace } from '../../src/http/undiciClient.ts';

function answer(status: number): HttpAnswer {
	return { status, contentType: '', location: undefined, retryAfterMs: undefined, body: new Uint8Array() };
}

function run(given: Pace, call: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
	return given.queue.add(() => {
		const answered = call();
		given.watch(answered);
		return answered;
	});
}

/** The number of calls that the pace starts at once. */
async function room(given: Pace): Promise<number> {
	let started = 0;
	const gate = Promise.withResolvers<void>();
	const calls = Array.from({ length: 100 }, () =>
		run(given, async () => {
			started += 1;
			await gate.promise;
			return answer(200);
		}),
	);
	await new Promise(setImmediate);
	const atOnce = started;
	gate.resolve();
	await Promise.all(calls);
	return atOnce;
}

suite('pace', () => {
	test('keeps the configured number of concurrent calls', async () => {
		assert.equal(await room(pace(4, () => 0)), 4);
		assert.equal(await room(pace(1, () => 0)), 1);
	});

	test('rises to 64 during a walk', async () => {
		const given = pace(4, () => 0);
		const walk = given.beginWalk();
		assert.equal(await room(given), 64);
		walk.dispose();
		walk.dispose();
		assert.equal(await room(given), 4);
	});

	test('stays high until the last of several walks ends', async () => {
		const given = pace(4, () => 0);
		const walks = [given.beginWalk(), given.beginWalk()];
		walks[0]?.dispose();
		assert.equal(await room(given), 64);
		walks[1]?.dispose();
		assert.equal(await room(given), 4);
	});

	test('falls after a 429 or 503 response and rises again for the next walk', async () => {
		const given = pace(4, () => 0);
		for (const status of [429, 503]) {
			const walk = given.beginWalk();
			assert.equal(await room(given), 64);
			await run(given, () => Promise.resolve(answer(status)));
			assert.equal(await room(given), 4);
			walk.dispose();
		}
	});

	test('falls when calls take much longer, but not after small changes', async () => {
		let nowMs = 0;
		const given = pace(4, () => nowMs);
		const walk = given.beginWalk();
		const calls = async (durationMs: number): Promise<void> => {
			for (let count = 0; count < 50; count += 1) {
				await run(given, async () => {
					await Promise.resolve();
					nowMs += durationMs;
					return answer(200);
				});
			}
		};
		await calls(20);
		await calls(200);
		assert.equal(await room(given), 64);
		await calls(900);
		assert.equal(await room(given), 4);
		walk.dispose();
	});

	test('does not fall below a setting above 64', async () => {
		const given = pace(80, () => 0);
		const walk = given.beginWalk();
		assert.equal(await room(given), 80);
		walk.dispose();
	});
});
