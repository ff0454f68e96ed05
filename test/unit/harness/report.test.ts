import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, readReport, type ReportLine, type Tally } from '../../harness/report.ts';
import { shownSkipped } from '../../harness/stages.ts';
import { closingLine, failures, summaryOf, timeTable } from '../../harness/summary.ts';

function tallyOf(...lines: readonly ReportLine[]): Tally {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-report-'));
	try {
		const file = join(folder, 'report.jsonl');
		writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
		return readReport(file);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const passed = (...path: readonly string[]): ReportLine => ({ state: 'passed', path: [...path], ms: 1 });
const failed: ReportLine = { state: 'failed', path: ['tickets', 'open'], ms: 1, error: 'why' };

suite('test report', () => {
	test('a truncated report has not ended', () => {
		assert.equal(tallyOf(passed('a')).ended, false);
		assert.equal(tallyOf(passed('a'), { state: 'done' }).ended, true);
	});

	test('a missing report has no tests', () => {
		assert.deepEqual(readReport('/nowhere'), {
			passed: [],
			failed: [],
			skipped: [],
			notRun: [],
			passedIn: { field: 0, document: 0, graphql: 0 },
			skippedIn: { field: 0, document: 0, graphql: 0 },
			ended: false,
		});
	});

	test('a failed test has the name of its suite and does not count as passed', () => {
		const tally = tallyOf(passed('a'), failed, { state: 'done' });
		assert.deepEqual(tally.failed, [{ title: 'tickets › open', error: 'why' }]);
		assert.deepEqual(tally.passed, ['a']);
	});

	test('the closing line counts every stage, and contract tests per dialect', () => {
		const contract = tallyOf(passed('field: tickets', 'open'), passed('document: tickets', 'open'), passed('other'));
		const results = [
			{ name: 'unit', ms: 1, cpuMs: 1, tally: tallyOf(passed('a'), passed('b')) },
			{ name: 'sampleForge', ms: 1, cpuMs: 1, tally: tallyOf(passed('e')) },
			{ name: 'contract', ms: 1, cpuMs: 1, tally: contract },
			{ name: 'editor', ms: 1, cpuMs: 1, tally: tallyOf(passed('c')) },
			{ name: 'ui', ms: 1, cpuMs: 1, tally: tallyOf(passed('d')) },
		];
		assert.equal(
			closingLine(results, 1_234),
			'forge-desk: 2 unit, 1 sample forge, 3 contract (field 1, document 1, graphql 0), 2 in-editor (extension host 1, workbench 1) passed in 1.2 s',
		);
		assert.match(closingLine([{ name: 'types', ms: 1, cpuMs: 1, problem: 'no' }], 1), /not all is well$/);
	});

	test('the closing line counts skipped tests per dialect, and another text counts them per missing feature', () => {
		const skipped = (dialect: string, lack: string): ReportLine => ({
			state: 'skipped',
			path: [`${dialect}: tickets`, 'assign'],
			lack,
		});
		const tally = tallyOf(
			passed('field: tickets', 'open'),
			skipped('field', 'trackers.assign'),
			skipped('field', 'projects'),
			skipped('document', 'trackers.assign'),
			{ state: 'done' },
		);
		const results = [{ name: 'contract', ms: 1, cpuMs: 1, ...judge(tally, true) }];
		assert.equal(
			closingLine(results, 1_234),
			'forge-desk: 1 contract (field 1 and 2 skipped, document 0 and 1 skipped, graphql 0) passed in 1.2 s',
		);
		assert.equal(shownSkipped(tally), ', 3 skipped without projects 1, trackers.assign 2');
		assert.equal(shownSkipped(tallyOf(passed('a'))), '');
	});

	test('a stage with only skipped tests fails', () => {
		const tally = tallyOf({ state: 'skipped', path: ['a'], lack: 'projects' }, { state: 'done' });
		assert.equal(judge(tally, true).problem, 'there was no test to run');
	});

	test('the closing line counts tests that did not run, and failures list them', () => {
		const tally = tallyOf(passed('a'), failed, { state: 'notRun', path: ['tickets', 'close'] }, { state: 'done' });
		const results = [{ name: 'ui', ms: 1, cpuMs: 1, ...judge(tally, true) }];
		assert.match(closingLine(results, 1), /workbench 1\) passed in 0\.0 s, 1 not run, but not all is well$/);
		assert.deepEqual(failures(results), [
			'FAILED ui: 1 failed, 1 not run',
			'       tickets › open',
			'         why',
			'       not run: tickets › close',
		]);
	});

	test('failures shorten a long error', () => {
		const error = `Timeout\n\n${'waiting for the row\n'.repeat(50)}`;
		const tally = tallyOf({ state: 'failed', path: ['open'], ms: 1, error }, { state: 'done' });
		const told = failures([{ name: 'ui', ms: 1, cpuMs: 1, ...judge(tally, true) }]);
		assert.deepEqual(told.slice(0, 4), [
			'FAILED ui: 1 failed',
			'       open',
			'         Timeout',
			'         waiting for the row',
		]);
		assert.equal(told.length, 14);
		assert.ok(told.every((line) => line.length <= 200));
		const [, , long] = failures([
			{ name: 'ui', ms: 1, cpuMs: 1, problem: 'no', tally: tallyOf({ ...failed, error: 'x'.repeat(5_000) }) },
		]);
		assert.equal(long?.length, 200);
	});

	test('a test stage fails without tests, without an end, or with a bad exit', () => {
		const problem = (isWellEnded: boolean, ...lines: readonly ReportLine[]): string | undefined =>
			judge(tallyOf(...lines), isWellEnded).problem;
		assert.equal(problem(true, passed('a'), { state: 'done' }), undefined);
		assert.equal(problem(true, { state: 'done' }), 'there was no test to run');
		assert.equal(judge(tallyOf({ state: 'done' }), true, true).problem, undefined);
		assert.equal(judge(tallyOf(), true, true).problem, 'it ended before its tests did');
		assert.equal(problem(true, passed('a')), 'it ended before its tests did');
		assert.equal(problem(false, passed('a'), { state: 'done' }), 'all tests passed, but the run did not end well');
		assert.equal(problem(true, failed, { state: 'done' }), '1 failed');
	});

	test('a table has the times of each stage', () => {
		const results = [
			{ name: 'unit', ms: 1_234, cpuMs: 2_345, tally: tallyOf(passed('a')) },
			{ name: 'lint', ms: 500, cpuMs: 655 },
			{ name: 'ui', ms: 0, cpuMs: 0, problem: 'not run' },
		];
		assert.deepEqual(
			timeTable(results).map((line) => line.trim().split(/ {2,}/)),
			[
				['stage', 'tests', 'wall s', 'CPU s'],
				['unit', '1', '1.2', '2.3'],
				['lint', '0.5', '0.7'],
				['all', '3.0'],
			],
		);
		assert.deepEqual(summaryOf(results, 2_000), {
			wall: 2,
			cpu: 3,
			stages: [
				{ stage: 'unit', wall: 1.2, cpu: 2.3, passed: 1, failed: 0, skipped: 0 },
				{ stage: 'lint', wall: 0.5, cpu: 0.7 },
				{ stage: 'ui', wall: 0, cpu: 0, problem: 'not run' },
			],
		});
	});
});
