import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { limitMs } from '../../../test/support/pace.ts';

/**
 * The goal is 3 s from nothing on a machine of two cores on which a bare start of the runtime takes 27 ms: 110 bare
 * starts on each of them. Both are CPU time, with that of all git processes, which others at work hardly change.
 */
const mostBareStarts = 220;
/**
 * A shell tells the CPU time of all its children in whole pieces of 10 ms, cut off for user and system. One bare start
 * would lose up to two thirds of itself that way, so one shell makes them all, and what it tells is cut off once.
 */
const bareStarts = 8;

const main = join(import.meta.dirname, '../src/program/main.ts');

/**
 * CPU time of `starts` whole lives of the runtime, one after another, and of every process that they started. The input is
 * closed once one says anything.
 */
async function cpuMs(starts: number, ...args: readonly string[]): Promise<number> {
	const script = `${'"$@" && '.repeat(starts)} true; echo "ended $?"; times`;
	const shell = spawn('sh', ['-c', script, 'sh', process.execPath, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
	shell.stdout.once('data', () => shell.stdin.end());
	const [said] = await Promise.all([text(shell.stdout), once(shell, 'exit')]);
	// First the shell's own time, then that of its children, each as user and system: `0m0.03s 0m0.01s`.
	const [status, , ofChildren = ''] = said.trim().split('\n').slice(-3);
	assert.equal(status, 'ended 0', said);
	const times = Array.from(
		ofChildren.matchAll(/(\d+)m([\d.]+)s/g),
		([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1000,
	);
	assert.equal(times.length, 2, said);
	return times.reduce((sum, ms) => sum + ms, 0);
}

suite('The sample forge is ready', function () {
	this.timeout(limitMs(120_000));

	test('soon', async () => {
		const bareMs = (await cpuMs(bareStarts, '-e', '0')) / bareStarts;
		const startMs = await cpuMs(1, main);
		const told = `${Math.round(startMs)} ms = ${(startMs / bareMs).toFixed(1)} bare starts`;
		console.log(`      sample forge ready: ${told}`);
		assert.ok(startMs / bareMs <= mostBareStarts, `a start takes ${told}`);
	});
});
