import assert from 'node:assert/strict';
import { assignPairs } from '../../src/review/assignPairs.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { createRandom } from '../../../../test/support/random.ts';

suite('minimum-cost pairs', () => {
	/**
	 * Costs by row, and the row that `compute_assignment` of git's linear-assignment.c gives each
	 * column.
	 */
	const asGit: readonly (readonly [costs: string, rows: string])[] = [
		['', ''],
		['7', '0'],
		// A changed patch costs as much as a removed plus an added one.
		['50 35 / 15 0', '0 1'],
		['2 1 / 1 0', '0 1'],
		['20 7 / 10 0', '1 0'],
		['2 1 1 / 0 0 0 / 1 0 0', '1 0 2'],
		['6 8 1 / 1 6 0 / 1 6 0', '2 1 0'],
		['4 5 5 / 8 8 8 / 1 0 0', '0 1 2'],
		['2 1 0 / 6 1 6 / 5 8 5', '2 1 0'],
		['2 0 1 / 0 2 1 / 1 2 2', '1 0 2'],
		['15 0 8 23 / 23 1 25 0 / 23 1 25 0 / 23 1 25 0', '3 2 0 1'],
		['1 0 3 1 / 1 1 3 0 / 1 1 3 0 / 1 1 3 0', '2 0 3 1'],
		['1 1 3 3 3 / 2 1 0 0 0 / 0 3 0 0 0 / 1 0 0 0 0 / 1 0 0 0 0', '0 3 4 2 1'],
		['1 3 2 7 5 3 / 3 5 2 2 8 7 / 0 0 2 6 3 0 / 0 8 3 3 7 1 / 2 6 1 2 4 6 / 8 2 8 5 6 0', '3 2 4 1 0 5'],
		['1 1 0 2 1 1 / 1 2 2 0 2 2 / 2 1 0 1 2 2 / 0 0 1 1 1 0 / 1 0 0 2 0 2 / 2 1 2 0 0 0', '0 4 2 1 5 3'],
		[
			[
				'17 14 10 0 7 2 17 15 6 1',
				'16 15 10 0 7 1 18 15 6 1',
				'16 14 11 0 7 1 18 16 6 1',
				'16 14 10 0 7 1 17 15 5 1',
				'14 6 11 15 14 12 14 8 0 14',
				'13 7 11 15 15 12 14 8 0 14',
				'14 7 11 15 15 12 13 8 0 14',
				'16 14 10 0 7 1 18 14 6 1',
				'16 14 10 0 7 1 17 15 6 1',
				'16 14 10 0 7 2 17 15 6 1',
			].join(' / '),
			'7 4 8 3 2 1 9 5 6 0',
		],
	];

	test('match git, even at equal cost', () => {
		const assigned = (rows: string): string => {
			const costs = rows.split(' / ').flatMap((row) => (row === '' ? [] : row.split(' ').map(Number)));
			const size = Math.sqrt(costs.length);
			return runAtOnce(assignPairs({ size, costs: Int32Array.from(costs) })).join(' ');
		};
		assert.deepEqual(
			asGit.map(([costs]) => [costs, assigned(costs)]),
			asGit,
		);
	});

	test('have the minimum total cost in any order of the costs', () => {
		const random = createRandom(11);
		for (let round = 0; round < 400; round += 1) {
			const [size, most] = [2 + random.below(4), [3, 9, 60][round % 3]!];
			const costs = Int32Array.from({ length: size * size }, () => random.below(most));
			const rowOf = runAtOnce(assignPairs({ size, costs }));
			assert.equal(new Set(rowOf).size, size);
			const costOf = (rows: readonly number[]): number =>
				rows.reduce((sum, row, column) => sum + costs[column + size * row]!, 0);
			const orders = (rows: readonly number[]): readonly (readonly number[])[] =>
				rows.length === 0
					? [[]]
					: rows.flatMap((row) => orders(rows.filter((each) => each !== row)).map((rest) => [row, ...rest]));
			const least = Math.min(...orders(Array.from({ length: size }, (_, row) => row)).map(costOf));
			assert.equal(costOf(Array.from(rowOf)), least, `${size}: ${costs.join(' ')}`);
		}
	});
});
