import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport, type ReportLine, type Tally } from '../../harness/report.ts';
import { closingLine } from '../../harness/summary.ts';

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

suite('the count of the tests', () => {
	test('a report that stops in the middle has not ended', () => {
		assert.equal(tallyOf(passed('a')).ended, false);
		assert.equal(tallyOf(passed('a'), { state: 'done' }).ended, true);
	});

	test('a run that left no report has no test', () => {
		assert.deepEqual(readReport('/nowhere'), {
			passed: [],
			failed: [],
			notRun: [],
			passedIn: { field: 0, document: 0 },
			ended: false,
		});
	});

	test('failed tests are named with their suites and not counted', () => {
		const tally = tallyOf(passed('a'), failed, { state: 'done' });
		assert.deepEqual(tally.failed, [{ title: 'tickets › open', error: 'why' }]);
		assert.deepEqual(tally.passed, ['a']);
	});

	test('the closing line counts every ring, and the contract in both dialects', () => {
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
			'forge-desk: 2 unit, 1 sample forge, 3 contract (field 1, document 1), 2 in-editor (extension host 1, workbench 1) passed in 1.2 s',
		);
		assert.match(closingLine([{ name: 'types', ms: 1, cpuMs: 1, problem: 'no' }], 1), /not all is well$/);
	});
});
