import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSampleForge } from '../support/sampleForge.ts';

/**
 * The goal is 3 s from nothing. A bare start of the runtime took 27 ms on the machine on which a cold start was measured
 * at 1.3 to 1.5 s, and slows down with it when others are at work there, so the goal is kept as a multiple of that: 110
 * bare starts are 3 s.
 */
const mostBareStarts = 110;

/** Others at work can only make a start slower, never faster: the best of a few rounds says what it costs. */
const mostRounds = 3;

/** Time from the start of the program to its ready line. */
async function startMs(cacheDir: string): Promise<number> {
	const beganMs = performance.now();
	const forge = await startSampleForge({ cacheDir });
	const readyMs = performance.now() - beganMs;
	await forge.stop();
	return readyMs;
}

/** The runtime alone, started and ended. */
async function bareMs(): Promise<number> {
	const beganMs = performance.now();
	const bare = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
	await once(bare, 'exit');
	assert.equal(bare.exitCode, 0);
	return performance.now() - beganMs;
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

/** A cold and a warm start in a directory of their own; resolves to what the cold one took in bare starts. */
async function measure(cacheDir: string): Promise<number> {
	const bares = [await bareMs(), await bareMs()];
	const coldMs = await startMs(cacheDir);
	bares.push(await bareMs());
	const kept = await readdir(cacheDir);
	assert.notDeepEqual(kept, [], 'the first start kept nothing');
	const written: (string | null)[] = [];
	const watcher = watch(cacheDir, (_event, name) => written.push(name));
	const warmMs = await startMs(cacheDir);
	watcher.close();
	assert.deepEqual([written, await readdir(cacheDir)], [[], kept], 'the second start built its world anew');
	const bare = median(bares);
	const inBareStarts = (ms: number): string => `${Math.round(ms)} ms = ${(ms / bare).toFixed(1)} bare starts`;
	console.log(`      sample forge ready: cold ${inBareStarts(coldMs)}, warm ${inBareStarts(warmMs)}`);
	return coldMs / bare;
}

suite('The sample forge is ready', function () {
	this.timeout(60_000);

	test('soon from nothing, and again from what it kept', async () => {
		let best = Number.POSITIVE_INFINITY;
		for (let round = 0; round < mostRounds && best > mostBareStarts; round += 1) {
			const cacheDir = await mkdtemp(join(tmpdir(), 'forge-desk-ready-'));
			try {
				best = Math.min(best, await measure(cacheDir));
			} finally {
				await rm(cacheDir, { recursive: true, force: true });
			}
		}
		assert.ok(best <= mostBareStarts, `a cold start takes ${best.toFixed(1)} bare starts`);
	});
});
