import assert from 'node:assert/strict';
import { openChildren } from '../../harness/children.ts';
import { withNeeds } from '../../harness/choice.ts';
import { openSlots } from '../../harness/slots.ts';
import { type Outcome, runStages, type Stage, type StageResult } from '../../harness/stages.ts';

/** Runs stages and returns their results in order. */
async function run(
	stages: readonly Stage[],
	slots = 2,
): Promise<readonly Pick<StageResult, 'name' | 'problem' | 'cpuMs'>[]> {
	return runStages(stages, {
		children: openChildren(`${process.pid}-stages-test`),
		slots: openSlots(slots),
		leftoversMs: 0,
	});
}

function stage(name: string, needs: readonly string[], work: () => Promise<Outcome>): Stage {
	return { name, needs, run: ({ inSlot }) => inSlot(work) };
}

suite('stages of a run', () => {
	test('a stage starts when its needs have ended, while other stages run', async () => {
		const seen: string[] = [];
		const long = Promise.withResolvers<void>();
		const stages = [
			stage('long', [], async () => {
				await long.promise;
				seen.push('long');
				return {};
			}),
			stage('build', [], async () => {
				seen.push('build');
				return {};
			}),
			stage('tests', ['build'], async () => {
				seen.push('tests');
				long.resolve();
				return {};
			}),
		];
		const results = await run(stages);
		assert.deepEqual(seen, ['build', 'tests', 'long']);
		assert.deepEqual(
			results.map(({ name, problem }) => [name, problem]),
			[
				['long', undefined],
				['build', undefined],
				['tests', undefined],
			],
		);
	});

	test('stages that need a failed one do not run, and all others do', async () => {
		const results = await run([
			stage('build', [], () => Promise.reject(new Error('no'))),
			stage('tests', ['build'], async () => ({})),
			stage('more', ['tests'], async () => ({})),
			stage('lint', [], async () => ({})),
		]);
		const [build, ...others] = results;
		assert.match(build?.problem ?? '', /^Error: no/);
		assert.deepEqual(
			others.map(({ name, problem }) => [name, problem]),
			[
				['tests', 'not run'],
				['more', 'not run'],
				['lint', undefined],
			],
		);
	});

	test('lanes of a stage and the next stage share the slots', async () => {
		let most = 0;
		let now = 0;
		const work = async (): Promise<void> => {
			most = Math.max(most, ++now);
			await new Promise((resolve) => {
				setImmediate(resolve);
			});
			now--;
		};
		const wide = (name: string): Stage => ({
			name,
			needs: [],
			run: async ({ inSlot }) => {
				await Promise.all([inSlot(work), inSlot(work), inSlot(work)]);
				return {};
			},
		});
		await run([wide('one'), wide('two')]);
		assert.equal(most, 2);
	});

	test('CPU time of programs counts for the stage that started them', async () => {
		const results = await run([
			{
				name: 'busy',
				needs: [],
				run: async ({ children, inSlot }) => {
					const { code } = await inSlot(() => children.run(process.execPath, ['-e', ''], { limitMs: 60_000 }));
					return code === 0 ? {} : { problem: 'it failed' };
				},
			},
			stage('idle', ['busy'], async () => ({})),
		]);
		const cpuMs = Object.fromEntries(results.map((result) => [result.name, result.cpuMs]));
		assert.equal(cpuMs['idle'], 0);
		assert.ok(process.platform !== 'linux' || (cpuMs['busy'] ?? 0) > 0, `${cpuMs['busy']} ms`);
	});

	test('a leftover process fails its stage, which names and ends it', async function () {
		if (process.platform !== 'linux') {
			return;
		}
		const orphan = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' }).unref()`;
		const [result] = await runStages(
			[
				{
					name: 'careless',
					needs: [],
					run: async ({ children, inSlot }) => {
						await inSlot(() => children.run(process.execPath, ['-e', orphan], { limitMs: 60_000 }));
						return {};
					},
				},
			],
			{ children: openChildren(`${process.pid}-stages-test`), slots: openSlots(1), leftoversMs: 0 },
		);
		assert.equal(result?.problem, 'processes were left behind: 1');
		assert.match(result?.output ?? '', /left behind: \d+ .*setInterval/);
	});

	test('named stages include all their needs, in order', () => {
		const none = async (): Promise<Outcome> => ({});
		const stages = [
			stage('programs', [], none),
			stage('build', [], none),
			stage('lint', [], none),
			stage('bundle', ['build'], none),
			stage('ui', ['programs', 'bundle'], none),
		];
		const names = (...wanted: readonly string[]): readonly string[] =>
			withNeeds(stages, wanted).map(({ name }) => name);
		assert.deepEqual(names('ui'), ['programs', 'build', 'bundle', 'ui']);
		assert.deepEqual(names('lint', 'build'), ['build', 'lint']);
	});
});
