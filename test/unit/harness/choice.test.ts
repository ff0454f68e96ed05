import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openChildren } from '../../harness/children.ts';
import { choiceOf, runsAnew } from '../../harness/choice.ts';
import { carriesMark } from '../../harness/leftovers.ts';
import { openCpuSampler, ticksIn } from '../../harness/cpuClock.ts';
import { longestFirst, usualDurations } from '../../harness/durations.ts';
import { hasAllWords, knownPath } from '../../harness/matching.ts';
import { root } from '../../harness/places.ts';
import { editorFilesWith } from '../../harness/toolStages.ts';
import { howToWatch } from '../../harness/watching.ts';

suite('selection of stages and tests', () => {
	test('names of stages select stages, other words tests', () => {
		const stages = ['unit', 'ui', 'lint'];
		assert.deepEqual(choiceOf(['ui', 'resolve ticket', '--seed=3', 'UI'], stages), {
			stages: ['ui'],
			words: ['resolve', 'ticket', 'UI'],
		});
		assert.deepEqual(choiceOf([], stages), { stages: [], words: [] });
	});

	test('only a plain command on a machine of a person skips tests that passed before', () => {
		assert.equal(runsAnew([], {}), false);
		assert.equal(runsAnew([], { CI: '' }), false);
		assert.equal(runsAnew(['--all'], {}), true);
		assert.equal(runsAnew([], { CI: 'true' }), true);
	});

	test('all words must match, in any case and place', () => {
		assert.equal(hasAllWords('ui/lists Mailing lists come', ['LISTS', 'come']), true);
		assert.equal(hasAllWords('ui/lists Mailing lists come', ['lists', 'go']), false);
	});

	test('words find tests of packages by the name of the package', () => {
		assert.equal(
			knownPath('/code/test/desk/packages/patchmail/test/mail/a.test.ts'),
			'packages/patchmail/test/mail/a.test.ts',
		);
		assert.equal(knownPath('/code/desk/dist/test/ui/test/a.test.ts'), 'a.test.ts');
	});

	test('words find tests of the extension host by their sources', () => {
		assert.deepEqual(editorFilesWith(['editor/activation']), ['test/editor/activation.test.ts']);
		assert.deepEqual(editorFilesWith(['no test is called so']), []);
	});

	test('the longest file runs first, with unknown durations estimated by size', () => {
		const sizes = { short: 100, long: 200, unknown: 500 };
		assert.deepEqual(longestFirst(['short', 'long', 'unknown'], { short: 10, long: 20 }, sizes), [
			'unknown',
			'long',
			'short',
		]);
		assert.deepEqual(longestFirst(['short', 'long', 'unknown'], { short: 100, long: 20, unknown: 50 }, sizes), [
			'short',
			'unknown',
			'long',
		]);
		assert.deepEqual(longestFirst(['short', 'unknown'], {}, sizes), ['unknown', 'short']);
	});

	test('a single known duration does not change the estimates of other files', () => {
		const sizes = { short: 100, long: 200, unknown: 500 };
		assert.deepEqual(longestFirst(['short', 'unknown', 'long'], { long: 900 }, sizes), ['long', 'unknown', 'short']);
	});

	test('the list of usual durations has only existing files', () => {
		const files = Object.values(usualDurations).flatMap((durations) => Object.keys(durations));
		assert.deepEqual(
			files.filter((file) => !existsSync(join(root, file))),
			[],
		);
	});

	test('watching shows the browser on a display, and records a trace elsewhere', () => {
		assert.equal(howToWatch({ DISPLAY: ':0' }, 'linux'), 'visible');
		assert.equal(howToWatch({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), 'visible');
		assert.equal(howToWatch({ DISPLAY: '' }, 'linux'), 'trace');
		assert.equal(howToWatch({}, 'darwin'), 'visible');
		assert.equal(howToWatch({ FORGE_DESK_WATCH: 'trace', DISPLAY: ':0' }, 'linux'), 'trace');
	});
});

suite('processes of a run', () => {
	test('belong to a stage by its mark or a mark below it', () => {
		const mark = '12-34/ui';
		assert.equal(carriesMark('A=1 FORGE_DESK_RUN=12-34/ui B=2', mark), true);
		assert.equal(carriesMark('FORGE_DESK_RUN=12-34/ui/56-78/unit B=2', mark), true);
		assert.equal(carriesMark('A=1 FORGE_DESK_RUN=12-34/ui', mark), true);
		assert.equal(carriesMark('FORGE_DESK_RUN=12-34/uitwo', mark), false);
		assert.equal(carriesMark('FORGE_DESK_RUN=12-34/unit', mark), false);
		assert.equal(carriesMark('XFORGE_DESK_RUN=12-34/ui', mark), false);
	});

	test('get their CPU time from the system, with any program name', () => {
		const fields = Array.from({ length: 50 }, (_, at) => at + 3);
		// The manual counts fields from 1: 16 and 17 are the times of children after a wait.
		assert.equal(ticksIn(`7 (a) b 1 2) ${fields.join(' ')}`, 16), (16 + 17) * 10);
	});

	test('count while they run, also after a kill', async function () {
		if (process.platform !== 'linux') {
			return;
		}
		const children = openChildren(`${process.pid}-sampled`);
		const own = children.part('killed');
		const child = own.start(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1000)']);
		const sampler = openCpuSampler(children.mark);
		await once(child.stdout!, 'data');
		sampler.sample();
		const whileRunning = sampler.cpuMs(own.mark);
		assert.ok(whileRunning > 0);
		const closed = once(child, 'close');
		children.stopAll();
		await closed;
		sampler.sample();
		assert.equal(sampler.cpuMs(own.mark), whileRunning);
		assert.equal(sampler.cpuMs(children.mark), whileRunning);
		assert.equal(sampler.cpuMs(`${children.mark}/other`), 0);
	});

	test('count for the stage of their parent if they hide their environment', async () => {
		if (process.platform !== 'linux') {
			return;
		}
		const children = openChildren(`${process.pid}-hidden`);
		const own = children.part('browser');
		const busy = 'while (process.cpuUsage().user < 100_000); console.log(1); setInterval(() => 0, 1000)';
		const hidden = `require('node:child_process').spawn(process.execPath, ['-e', '${busy}'], { env: {}, stdio: 'inherit' })`;
		const child = own.start(process.execPath, ['-e', hidden]);
		await once(child.stdout!, 'data');
		const sampler = openCpuSampler(children.mark);
		sampler.sample();
		assert.ok(sampler.cpuMs(own.mark) >= 100, `${sampler.cpuMs(own.mark)} ms`);
		const closed = once(child, 'close');
		children.stopAll();
		await closed;
	});
});
