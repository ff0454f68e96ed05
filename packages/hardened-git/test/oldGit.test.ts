import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inClone } from '../src/gitCommand.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;
const command = inClone('status', { timeMs: 10_000, outputBytes: 1000 }, ['status']);

suite('unsupported git version', () => {
	let machine: TestMachine;
	let program: string;

	setup(() => {
		machine = testMachine({ gitPath: async () => program });
		program = join(machine.folder, 'git');
	});

	teardown(() => machine.remove());

	/** Replaces git with a script of this version that records the arguments of each run. */
	function is(version: string): void {
		const lines = ['#!/bin/sh', `echo "$*" >> '${machine.folder}/runs'`, `echo 'git version ${version}'`];
		writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
		writeFileSync(join(machine.folder, 'runs'), '');
	}
	const runs = (): readonly string[] =>
		readFileSync(join(machine.folder, 'runs'), 'utf8')
			.trim()
			.split('\n')
			.map((line) => (line === '--version' ? line : 'command'));
	const run = async (settings?: string): Promise<unknown> =>
		await machine.git.run(command, { folder: machine.folder, settings }, never);
	/** To its end: an open stream keeps its time limit. */
	const stream = async (): Promise<void> => {
		const running = machine.git.stream(command, { folder: machine.folder }, never);
		let piece = await running.next();
		while (piece.done !== true) {
			piece = await running.next();
		}
	};

	for (const version of ['2.31.8', '2.9.0', '1.9.1']) {
		test(`${version} never runs a command`, async () => {
			is(version);
			for (const work of [run, () => run('/settings'), stream]) {
				await assert.rejects(work(), (error) => {
					assert.ok(error instanceof GitFailure);
					assert.deepEqual(error.problem, { kind: 'tooOld', version });
					return true;
				});
			}
			assert.deepEqual(runs(), ['--version', '--version', '--version']);
		});
	}

	for (const version of ['2.32.0', '2.39.5 (Apple Git-154)', '2.55.0.windows.1', '3.0.0', 'of our own']) {
		test(`${version} runs after one version check`, async () => {
			is(version);
			await run('/settings');
			await run();
			await stream();
			assert.deepEqual(runs(), ['--version', 'command', 'command', 'command']);
		});
	}

	test('fails before onStart', async () => {
		is('2.31.8');
		let told = '';
		const how = { folder: machine.folder, onStart: () => (told += 'start'), inputAfter: new Promise(() => undefined) };
		await assert.rejects(machine.git.run(command, how, never), { problem: { kind: 'tooOld', version: '2.31.8' } });
		assert.equal(told, '');
	});
});
