import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Children, openChildren } from '../../harness/children.ts';
import { root } from '../../harness/places.ts';
import { readReport } from '../../harness/report.ts';
import { openSlots } from '../../harness/slots.ts';
import { runStages } from '../../harness/stages.ts';
import { ringStage } from '../../harness/testRing.ts';
import { startWorker, type WorkerProcess } from '../../harness/workerProcess.ts';

const chain = join(root, 'test/support/chain.ts');
const facts = join(root, 'test/support/failureFacts.ts');
const proving = join(root, 'test/support/testInProve.ts');
const parts = join(root, 'test/support/parts.ts');
const leaving = join(root, 'test/support/leftOut.ts');
const ending = join(root, 'test/support/endOfRun.ts');

suite('test worker', () => {
	let folder = '';
	let children: Children;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-worker-'));
		children = openChildren(`${process.pid}-worker-test`);
	});
	teardown(() => {
		children.stopAll();
		rmSync(folder, { recursive: true });
	});

	/** Writes a test file. */
	function made(name: string, text: string): string {
		const file = join(folder, `${name}.test.mts`);
		writeFileSync(file, text);
		return file;
	}

	function start(
		words: readonly string[] = [],
		silenceMs = 60_000,
		env: Readonly<Record<string, string>> = {},
	): WorkerProcess {
		return startWorker(children, {
			report: join(folder, 'report.jsonl'),
			timeoutMs: 10_000,
			silenceMs,
			words,
			env,
		});
	}

	test('runs files sequentially in one process, and closes shared resources after the last', async () => {
		const shared = join(folder, 'shared.mts');
		writeFileSync(
			shared,
			`import { writeFileSync } from 'node:fs';
			import { atEndOfRun } from '${ending}';
			export const count = { value: 0 };
			atEndOfRun(async () => writeFileSync('${join(folder, 'ended')}', String(count.value)));`,
		);
		const counting = `import { count } from '${shared}'; test('counts', () => { count.value += 1; });`;
		const worker = start();
		for (const name of ['one', 'two']) {
			const end = await worker.run(made(name, counting));
			assert.deepEqual({ ...end, ms: 0 }, { kind: 'ended', ms: 0, passed: 1, failed: 0, skipped: 0, notRun: 0 });
		}
		assert.equal(await worker.end(), undefined);
		assert.equal(readFileSync(join(folder, 'ended'), 'utf8'), '2');
	});

	test('fails a file without tests, unless the tests run only in a proof', async () => {
		const worker = start();
		const small = "delete process.env['FORGE_DESK_DIALECTS']; process.env['FORGE_DESK_COUNTS'] = 'small';";
		const nothing = await worker.run(made('nothing', `${small} suite('one', () => undefined);`));
		const left = `import { testInProve } from '${proving}'; ${small} testInProve('later', async () => undefined);`;
		const later = await worker.run(made('later', left));
		await worker.end();
		assert.deepEqual(
			[nothing, later].map((end) => ({ ...end, ms: 0 })),
			[1, 0].map((failed) => ({ kind: 'ended', ms: 0, passed: 0, failed, skipped: 0, notRun: 0 })),
		);
		assert.match(readReport(join(folder, 'report.jsonl')).failed[0]?.error ?? '', /^it has no test/);
	});

	test('runs each test in exactly one part of npm test, and all without a part', async () => {
		const body = `import { inRest } from '${parts}';
			test('one', () => {});
			inRest(test('two', () => {}));
			inRest(suite('three', () => { test('inside', () => {}); suite('deep', () => test('inside', () => {})); }));
			suite('four', () => { test('inside', () => {}); });`;
		const passedIn = async (part: string): Promise<readonly string[]> => {
			const report = join(folder, 'report.jsonl');
			rmSync(report, { force: true });
			const worker = start([], undefined, { FORGE_DESK_COUNTS: 'small', FORGE_DESK_PART: part });
			await worker.run(made(`parts-${part}`, body));
			await worker.end();
			return readReport(report).passed;
		};
		const [first, rest, all] = [await passedIn('first'), await passedIn('rest'), await passedIn('')];
		assert.deepEqual(first, ['one', 'four › inside']);
		assert.deepEqual(rest, ['two', 'three › inside', 'three › deep › inside']);
		assert.deepEqual(all.toSorted(), [...first, ...rest].toSorted());
	});

	test('adds the visible state to the error of a failed test or hook', async () => {
		const worker = start();
		await worker.run(
			made(
				'facts',
				`import { tellAtFailure } from '${facts}';
				let shown = 'nothing';
				suite('one', () => {
					tellAtFailure(async () => 'The window shows ' + shown);
					tellAtFailure(async () => { throw new Error('no window'); });
					test('fails', () => { shown = 'a row'; throw new Error('why'); });
					teardown(() => { shown = 'nothing'; });
				});
				suite('two', () => {
					suiteSetup(() => { shown = 'a notice'; throw new Error('hook'); });
					test('behind', () => {});
				});`,
			),
		);
		await worker.end();
		const { failed } = readReport(join(folder, 'report.jsonl'));
		assert.deepEqual(
			new Map(failed.map(({ title, error }) => [title, error.split('\n').filter((line) => !/^ +at /.test(line))])),
			new Map([
				['one › fails', ['Error: why', 'The window shows a row']],
				['two › "before all" hook for "behind"', ['Error: hook', 'The window shows a notice']],
			]),
		);
	});

	test('reports steps after a failed one, and tests after a failed hook, as not run', async () => {
		const worker = start();
		await worker.run(
			made(
				'steps',
				`import { chainedSuite } from '${chain}';
				chainedSuite('chain', () => {
					test('one', () => {});
					test('two', async () => { throw new Error('why'); });
					test('three', () => {});
					suite('inner', () => { test('four', () => {}); });
				});
				suite('hooks', () => {
					suiteSetup(() => { throw new Error('hook'); });
					test('behind', () => {});
				});
				suite('other', () => {
					test('fine', () => {});
					// In the made file only: a worker has to tell it as a failure.
					test.skip('left out', () => {});
				});`,
			),
		);
		await worker.run(made('broken', 'import "./nothing.mts";'));
		await worker.end();
		const { passed, failed, notRun } = readReport(join(folder, 'report.jsonl'));
		assert.deepEqual(passed, ['chain › one', 'other › fine']);
		assert.deepEqual(
			failed.map(({ title }) => title.replace(folder, '')),
			[
				'chain › two',
				'hooks › "before all" hook for "behind"',
				'other › left out',
				'/broken.test.mts › loading the tests',
			],
		);
		assert.deepEqual(notRun, ['chain › three', 'chain › inner › four', 'hooks › behind']);
	});

	test('reports a test of a missing feature as skipped, with its reason', async () => {
		const worker = start();
		const end = await worker.run(
			made(
				'lacking',
				`import { leaveOut } from '${leaving}';
				test('assigns', function () { leaveOut(this, 'trackers.assign'); });
				test('reads', () => {});`,
			),
		);
		await worker.end();
		assert.deepEqual({ ...end, ms: 0 }, { kind: 'ended', ms: 0, passed: 1, failed: 0, skipped: 1, notRun: 0 });
		const { passed, skipped } = readReport(join(folder, 'report.jsonl'));
		assert.deepEqual([passed, skipped], [['reads'], [{ title: 'assigns', lack: 'trackers.assign' }]]);
	});

	test('selects tests by words in file and title, with their earlier steps', async () => {
		const text = `import { chainedSuite } from '${chain}';
			chainedSuite('Lists', () => {
				test('opens', () => {});
				test('marks', () => {});
				test('closes', () => {});
			});
			suite('others', () => {
				test('marks, too', () => {});
				test('opens', () => {});
			});`;
		const worker = start(['chosen', 'MARKS']);
		await worker.run(made('chosen', text));
		await worker.run(made('other', text));
		await worker.end();
		assert.deepEqual(readReport(join(folder, 'report.jsonl')).passed, [
			'Lists › opens',
			'Lists › marks',
			'others › marks, too',
		]);
	});

	test('fails on an unhandled rejection, also after other files', async () => {
		const worker = start();
		for (let file = 0; file < 12; file += 1) {
			await worker.run(made(`fine${file}`, `test('fine', () => {});`));
		}
		const end = await worker.run(
			made(
				'rejects',
				`test('forgets', async () => { Promise.reject(new Error('why')); await new Promise(setImmediate); });`,
			),
		);
		assert.deepEqual({ ...end, ms: 0 }, { kind: 'ended', ms: 0, passed: 1, failed: 1, skipped: 0, notRun: 0 });
		await worker.end();
		const { failed } = readReport(join(folder, 'report.jsonl'));
		assert.deepEqual(
			failed.map(({ title }) => title),
			['forgets › a rejection that nobody handled'],
		);
	});

	test('reports a process that exits during a test, with the test and its output', async () => {
		const end = await start().run(
			made('dies', `suite('dying', () => test('badly', () => { console.log('last words'); process.exit(3); }));`),
		);
		assert.ok(end.kind === 'lost');
		assert.equal(end.at, 'dying › badly');
		assert.match(end.seen, /code 3[^]*last words/);
	});

	test('kills a hanging process, and reports it', async () => {
		const hanging = `suite('hanging', () => test('for ever', () => {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
		}));`;
		const end = await start([], 300).run(made('hangs', hanging));
		assert.ok(end.kind === 'lost');
		assert.match(end.seen, /SIGKILL[^]*It said nothing for \d+ s and was ended/);
	});

	test('a stage continues with the remaining files in a new process after a crash', async () => {
		const files = [
			made('trial-dies', `test('dies', () => process.exit(3)); // the longest file goes first ${'.'.repeat(500)}`),
			made('trial-fails', `test('fails', () => { throw new Error('why'); });`),
			made('trial-passes', `test('passes', () => {});`),
		].map((file) => relative(root, file));
		const stage = ringStage(
			{ name: 'trial', needs: [], timeoutMs: 10_000 },
			{ env: {}, silenceMs: 60_000, words: ['trial'], files: { trial: files }, lanes: 1 },
		);
		const [result] = await runStages([stage], { children, slots: openSlots(2), leftoversMs: 0 });
		assert.equal(result?.problem, '2 failed');
		assert.deepEqual(result.tally?.passed, ['passes']);
		assert.deepEqual(
			result.tally.failed.map(({ title }) => title),
			[`${files[0]} › dies`, 'fails'],
		);
		assert.match(result.output ?? '', /code 3[^]*Error: why/);
	});
});
