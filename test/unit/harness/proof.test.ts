import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proofPage, withTables } from '../../harness/proof.ts';
import { keepFiles, keepRecord, recordsOf, type StageRecord, unfinishedOf } from '../../harness/proofRecords.ts';
import { root } from '../../harness/places.ts';
import type { Tally } from '../../harness/report.ts';
import type { StageResult } from '../../harness/stages.ts';
import { foldersOf } from '../../harness/testRing.ts';

const state = { commit: 'abc', changes: '' };
const good: StageRecord = {
	...state,
	stage: 'unit',
	seed: 7,
	date: '2026-11-22T10:00:00.000Z',
	problem: null,
	note: null,
	passed: 3,
	skipped: 0,
	failed: [],
	notRun: [],
	ms: 1_500,
	cpuMs: 2_500,
	files: {},
	skippedFiles: {},
};
const bad: StageRecord = {
	...good,
	stage: 'ui',
	date: '2026-11-22T11:00:00.000Z',
	problem: '1 failed, 1 not run',
	failed: ['lists › <b>a\n# title</b>'],
	notRun: ['lists › after it'],
};

function page(...records: readonly StageRecord[]): string {
	return proofPage({ state, stages: ['unit', 'ui'], records, facts: { counts: 'full' } });
}

suite('proof page', () => {
	test('is good if all stages are good', () => {
		const text = page(
			{ ...good, skipped: 2 },
			{ ...bad, problem: null, failed: [], notRun: [], note: '57 of 60 caught' },
		);
		assert.match(text, /^\| result \| good \|$/m);
		assert.match(text, /^\| commit \| abc \|$/m);
		assert.match(text, /^\| date \| 2026-11-22T11:00:00.000Z \|$/m);
		assert.match(text, /^\| seed \| 7 \|$/m);
		assert.match(text, /^\| counts \| full \|$/m);
		assert.match(text, /^\| unit \| abc \| 3 \| 2 \| 0 \| 0 \| 1\.5 s \| 2\.5 s \| good \|$/m);
		assert.match(text, /^\| ui \|.*\| good: 57 of 60 caught \|$/m);
	});

	test('replaces tables with the same titles, and keeps the others', () => {
		const once = withTables(page(good), ['## One\n', '## Two\n']);
		assert.ok(once.startsWith(page(good).trimEnd()));
		const twice = withTables(once, ['## Two\n\nnew\n', '## Three\n']);
		assert.deepEqual(twice.match(/^## .*$/gm), ['## One', '## Three', '## Two']);
		assert.match(twice, /^## Two\n\nnew$/m);
		assert.equal(withTables(page(good), [], once), once);
		assert.equal(withTables(once, []), once);
	});

	test('is incomplete without the result of a stage', () => {
		const text = page(good);
		assert.match(text, /^\| result \| incomplete \|$/m);
		assert.match(text, /^\| ui \|(?: +\|)+ not run \|$/m);
	});

	test('is bad if a stage failed, and names failed tests and those not run', () => {
		const text = page(bad);
		assert.match(text, /^\| result \| bad \|$/m);
		assert.match(text, /^\| ui \| abc \| 3 \| 0 \| 1 \| 1 \|.*\| 1 failed, 1 not run \|$/m);
		assert.match(text, /^- lists › \\<b\\>a \\# title\\<\/b\\>$/m);
		assert.match(text, /^- not run: lists › after it$/m);
	});

	test('mentions uncommitted changes', () => {
		const text = proofPage({ state: { commit: 'abc', changes: 'f' }, stages: [], records: [], facts: {} });
		assert.match(text, /^\| commit \| abc with uncommitted changes \|$/m);
	});
});

suite('proof records', () => {
	let folder = '';
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-proof-'));
	});
	teardown(() => rmSync(folder, { recursive: true }));

	const result: StageResult = { name: 'unit', ms: 1, cpuMs: 2 };
	const stagesAt = (at: typeof state): readonly string[] => recordsOf(folder, at).map(({ stage }) => stage);

	test('match the commit and the uncommitted changes', () => {
		keepRecord(folder, result, { ...state, seed: 1 });
		keepRecord(folder, { ...result, name: 'ui' }, { ...state, changes: 'f', seed: 1 });
		assert.deepEqual(stagesAt(state), ['unit']);
		assert.deepEqual(stagesAt({ ...state, changes: 'f' }), ['ui']);
		assert.deepEqual(stagesAt({ commit: 'other', changes: '' }), []);
	});

	test('stay valid at a later commit that changed no input of their stage', () => {
		const changed: Record<string, readonly string[] | undefined> = {
			tests: ['test/unit/a.test.ts', 'CONTRIBUTING.md'],
			support: ['test/unit/a.test.ts', 'test/support/a.ts'],
			// Only unit tests share the first; the runner of all tests needs the second.
			ofUnit: ['test/support/slowEditor.ts'],
			ofAll: ['test/support/pace.ts'],
			others: ['test/ui/a.test.ts'],
			told: ['docs/proof.md', 'docs/decisions/0001-a.md'],
			nothing: [],
		};
		for (const name of ['unit', 'contract', 'ui', 'types', 'mutants']) {
			keepRecord(folder, { ...result, name }, { ...state, seed: 1 });
		}
		const stagesAfter = (commit: string): readonly string[] =>
			recordsOf(folder, { commit, changes: '' }, (before, after) => (before === 'abc' ? changed[after] : undefined))
				.map(({ stage }) => stage)
				.toSorted();
		assert.deepEqual(stagesAfter('tests'), ['contract', 'ui']);
		// Some unit tests scan all files.
		assert.deepEqual(stagesAfter('others'), ['contract']);
		assert.deepEqual(stagesAfter('told'), ['contract', 'ui']);
		assert.deepEqual(stagesAfter('support'), []);
		assert.deepEqual(stagesAfter('ofUnit'), ['contract', 'ui']);
		assert.deepEqual(stagesAfter('ofAll'), []);
		assert.deepEqual(stagesAfter('nothing'), ['contract', 'mutants', 'types', 'ui', 'unit']);
		assert.deepEqual(stagesAfter('unknown'), []);
	});

	test('rely on test stages that import nothing from each other', () => {
		const folders = ['unit', 'contract', 'page', 'ui', 'editor', 'sampleForge', 'bundle'];
		for (const name of folders) {
			const files = foldersOf(name).flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
			assert.ok(files.length > 0, name);
			const others = folders.filter((other) => other !== name).flatMap(foldersOf);
			for (const file of files) {
				const text = readFileSync(join(root, file), 'utf8');
				const led = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, to = '']) => join(file, '..', to));
				assert.deepEqual(
					led.filter((path) => others.some((other) => path.startsWith(`${other}/`))),
					[],
					file,
				);
			}
		}
	});

	test('change with a later run, but not if the stage could not run', () => {
		keepRecord(folder, { ...result, problem: 'no' }, { ...state, seed: 1 });
		keepRecord(folder, result, { ...state, seed: 2 });
		keepRecord(folder, { ...result, problem: 'not run' }, { ...state, seed: 3 });
		assert.deepEqual(
			recordsOf(folder, state).map(({ problem, seed }) => [problem, seed]),
			[[null, 2]],
		);
	});

	suite('of an unfinished stage', () => {
		const lists = 'test/ui/mail.test.ts';
		const offline = 'test/ui/offline.test.ts';
		const outcomes = [
			{ file: lists, passed: 2, skipped: 1, isGood: true },
			{ file: offline, passed: 1, skipped: 0, isGood: false },
		];
		const tallyOf = (...passed: readonly string[]): Tally => ({
			passed,
			failed: [],
			skipped: [],
			notRun: [],
			passedIn: { field: 0, document: 0, graphql: 0 },
			skippedIn: { field: 0, document: 0, graphql: 0 },
			ended: true,
		});
		const failedRun: StageResult = {
			name: 'ui',
			ms: 10,
			cpuMs: 20,
			problem: '1 failed',
			tally: tallyOf('a', 'b', 'c'),
			files: outcomes,
		};
		const filesAfter = (...paths: readonly string[]): readonly string[] =>
			unfinishedOf(folder, { commit: 'next', changes: '' }, () => paths).flatMap(({ files }) => Object.keys(files));

		test('keep files whose tests all passed, and add them when the stage continues', () => {
			keepRecord(folder, failedRun, { ...state, seed: 1 });
			const [kept] = unfinishedOf(folder, state);
			assert.deepEqual(kept?.files, { [lists]: 2 });
			const rest = {
				...failedRun,
				ms: 3,
				cpuMs: 4,
				tally: tallyOf('c'),
				files: [{ file: offline, passed: 1, skipped: 0, isGood: true }],
			};
			const { problem: _, ...goodRest } = rest;
			keepRecord(folder, goodRest, { ...state, commit: 'next', seed: 1, kept });
			const [whole] = recordsOf(folder, { commit: 'next', changes: '' });
			assert.deepEqual(
				{ ...whole, date: '' },
				{
					...good,
					date: '',
					stage: 'ui',
					commit: 'next',
					seed: 1,
					ms: 13,
					cpuMs: 24,
					skipped: 1,
					files: { [lists]: 2, [offline]: 1 },
					skippedFiles: { [lists]: 1, [offline]: 0 },
				},
			);
			assert.deepEqual(unfinishedOf(folder, { commit: 'next', changes: '' }), []);
			// The stage was good, but a later change affects one of its files.
			const later = unfinishedOf(folder, { commit: 'later', changes: '' }, () => [offline]);
			assert.deepEqual(
				later.flatMap(({ files }) => Object.keys(files)),
				[lists],
			);
		});

		test('keep files that ended before the command stopped', () => {
			keepFiles(folder, 'ui', outcomes, { ...state, seed: 1 });
			assert.equal(recordsOf(folder, state)[0]?.problem, 'it did not end');
			assert.deepEqual(unfinishedOf(folder, state)[0]?.files, { [lists]: 2 });
		});

		test('keep no files if the result has none', () => {
			const { files: _, ...unknown } = failedRun;
			keepRecord(folder, unknown, { ...state, seed: 1 });
			assert.deepEqual(unfinishedOf(folder, state), []);
		});

		test('keep a file until one of its inputs changes', () => {
			keepRecord(folder, failedRun, { ...state, seed: 1 });
			assert.deepEqual(
				filesAfter(offline, 'test/ui/tickets/trackers.ts', 'test/support/slowEditor.ts', 'test/unit/words.test.ts'),
				[lists],
			);
			for (const path of [
				lists,
				'test/ui/mail/lists.ts',
				'test/ui/support/user.ts',
				'test/ui/gone.ts',
				'test/support/pace.ts',
				'src/app/net.ts',
			]) {
				assert.deepEqual(filesAfter(path), [], path);
			}
		});

		test('keep unit tests, except those that scan all files', () => {
			const files = [
				'test/unit/words.test.ts',
				'test/unit/harness/proof.test.ts',
				'packages/sourcehut/test/rest/path.test.ts',
			];
			const passed = files.map((file) => ({ file, passed: 1, skipped: 0, isGood: true }));
			keepRecord(folder, { ...failedRun, name: 'unit', files: passed }, { ...state, seed: 1 });
			assert.deepEqual(filesAfter(offline), ['packages/sourcehut/test/rest/path.test.ts']);
			assert.deepEqual(filesAfter('docs/proof.md'), ['packages/sourcehut/test/rest/path.test.ts']);
			assert.deepEqual(filesAfter('test/harness/proofStages.ts', 'CONTRIBUTING.md'), [
				'packages/sourcehut/test/rest/path.test.ts',
			]);
			assert.deepEqual(filesAfter('test/harness/worker.ts'), []);
		});

		test('keep no deleted file', () => {
			const gone = [{ file: 'test/ui/gone.test.ts', passed: 2, skipped: 1, isGood: true }];
			keepRecord(folder, { ...failedRun, files: gone }, { ...state, seed: 1 });
			assert.deepEqual(filesAfter(offline), []);
		});
	});

	test('contain the results of the tests', () => {
		const tally = {
			passed: ['a', 'b'],
			failed: [{ title: 'c', error: 'why' }],
			skipped: [{ title: 'e', lack: 'projects' }],
			notRun: ['d'],
			passedIn: { field: 0, document: 0, graphql: 0 },
			skippedIn: { field: 0, document: 0, graphql: 0 },
			ended: true,
		};
		keepRecord(folder, { ...result, tally, problem: '1 failed', note: 'so' }, { ...state, seed: 1 });
		const [known] = recordsOf(folder, state);
		assert.deepEqual(
			{ ...known, date: '' },
			{
				...good,
				date: '',
				seed: 1,
				problem: '1 failed',
				note: 'so',
				passed: 2,
				skipped: 1,
				failed: ['c'],
				notRun: ['d'],
				ms: 1,
				cpuMs: 2,
			},
		);
	});
});
