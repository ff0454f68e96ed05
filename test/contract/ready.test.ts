import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSampleForge } from '../support/sampleForge.ts';

/**
 * The goal is 3 s from nothing, and less afterwards. A bare start of the runtime took 27 ms on the machine on which a
 * cold start was measured at 1.3 to 1.5 s; it slows down with the machine when others are at work there, so the goal is
 * kept as a multiple of it: 110 of them are 3 s.
 */
const most = { cold: 110, warm: 40 } as const;

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

/** Names and times of everything that is kept. */
async function kept(directory: string): Promise<readonly string[]> {
	const names = await readdir(directory, { recursive: true });
	const lines = names.map(async (name) => `${name} ${(await stat(join(directory, name))).mtimeMs}`);
	return (await Promise.all(lines)).toSorted();
}

suite('The sample forge is ready', function () {
	this.timeout(60_000);
	let cacheDir: string;

	setup(async () => {
		cacheDir = await mkdtemp(join(tmpdir(), 'forge-desk-ready-'));
	});

	teardown(async () => {
		await rm(cacheDir, { recursive: true, force: true });
	});

	test('soon, from nothing and again from what it kept', async () => {
		const before = [await bareMs(), await bareMs()];
		const coldMs = await startMs(cacheDir);
		const afterCold = await kept(cacheDir);
		const warmMs = await startMs(cacheDir);
		const bare = median([...before, await bareMs()]);
		const inBareStarts = (ms: number): string => `${Math.round(ms)} ms = ${(ms / bare).toFixed(1)} bare starts`;
		console.log(`      cold ${inBareStarts(coldMs)}, warm ${inBareStarts(warmMs)}`);
		assert.ok(coldMs <= most.cold * bare, `cold: ${inBareStarts(coldMs)}`);
		assert.ok(warmMs <= most.warm * bare, `warm: ${inBareStarts(warmMs)}`);
		assert.ok(afterCold.length > 0, 'the first start kept nothing');
		assert.deepEqual(await kept(cacheDir), afterCold, 'the second start built its world anew');
	});
});
