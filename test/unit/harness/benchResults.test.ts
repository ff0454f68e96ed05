import assert from 'node:assert/strict';
import type { Figure, Outcome, Verdict } from '../../bench/measurement.ts';
import { benchmarksPage, exitStatus, printedResults, type RunFacts } from '../../bench/results.ts';

function figure(name: string, verdict: Verdict): Figure {
	return { name, goal: '≤ 1', measured: 1.5, shown: '1.500', verdict, detail: `all of ${name}` };
}

const measured: Outcome = {
	kind: 'measured',
	name: 'list',
	figures: [figure('a', 'met'), figure('b', 'not met'), figure('c', 'drifted')],
	attempts: 4,
	tookMs: 61_400,
};
const broken: Outcome = { kind: 'broken', name: 'walk', reason: 'Error: no | walk\n    at nowhere', tookMs: 1000 };

const skipped: Outcome = { kind: 'skipped', name: 'b4', reason: 'b4 does not start.', tookMs: 300 };

const facts: RunFacts = {
	date: new Date(Date.UTC(2026, 10, 21, 12)),
	commit: '4c4580d',
	version: '0.1.0',
	node: '24.1.0',
	machine: 'linux x64, 2 cores',
	tookMs: 600_000,
};

suite('benchmark results', () => {
	test('only a broken measurement fails the command, not a missed or drifted goal, nor an absent peer', () => {
		assert.equal(exitStatus([measured]), 0);
		assert.equal(exitStatus([measured, skipped]), 0);
		assert.equal(exitStatus([measured, broken]), 1);
	});

	test('prints each figure with its verdict, and the broken measurements with reasons in the last line', () => {
		assert.deepEqual(printedResults([measured, broken], 'full'), [
			'met     a: 1.500 (goal ≤ 1); all of a',
			'NOT MET b: 1.500 (goal ≤ 1); all of b',
			'drifted c: 1.500 (goal ≤ 1); all of c',
			'broken  walk: Error: no | walk\n    at nowhere',
			'Figures: 1 met, 1 not met, 1 drifted',
			'1 measurement works; 1 broken: walk (Error: no | walk)',
		]);
	});

	test('prints each skipped measurement with its reason, and never as one that works', () => {
		assert.deepEqual(printedResults([measured, skipped, broken], 'smallest'), [
			'skipped b4: b4 does not start.',
			'broken  walk: Error: no | walk\n    at nowhere',
			'1 measurement works; 1 broken: walk (Error: no | walk); 1 skipped: b4 (b4 does not start.)',
		]);
		const rows = benchmarksPage([measured, skipped], facts).split('\n');
		assert.ok(rows.includes('| result | good |'));
		assert.ok(rows.includes('| `b4` | 0 s | skipped |'));
	});

	test('prints no figures at the smallest size', () => {
		assert.deepEqual(printedResults([measured, { ...measured, name: 'walk' }], 'smallest'), ['2 measurements work']);
	});

	test('the page has the date, the commit and a good result', () => {
		const rows = benchmarksPage([measured], facts).split('\n');
		for (const row of [
			'| date | 2026-11-21T12:00:00.000Z |',
			'| commit | 4c4580d |',
			'| Forge Desk | 0.1.0 |',
			'| result | good |',
			'| a | who opens a tracker for the first time | ≤ 1 | 1.500 | met | all of a |',
			'| b | who opens a tracker for the first time | ≤ 1 | 1.500 | not met | all of b |',
			'| c | who opens a tracker for the first time | ≤ 1 | 1.500 | drifted | all of c; the baseline drifted too far to judge, 4 times |',
			'| `list` | 61 s | 4 times |',
		]) {
			assert.ok(rows.includes(row), row);
		}
	});

	test('the page has a broken result and its reason', () => {
		const rows = benchmarksPage([measured, broken], facts).split('\n');
		assert.ok(rows.includes('| result | broken |'));
		assert.ok(rows.includes('| walk | who opens or searches a remote folder |  |  | broken | Error: no \\| walk |'));
		assert.ok(rows.includes('| `walk` | 1 s | broken |'));
	});
});
