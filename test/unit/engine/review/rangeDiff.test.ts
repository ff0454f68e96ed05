import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '../../../support/runAtOnce.ts';
import { assignPairs } from '../../../../src/engine/review/assignPairs.ts';
import { rangeDiff } from '../../../../src/engine/review/rangeDiff.ts';
import { rangeDiffText } from '../../../../src/engine/review/rangeDiffText.ts';
import type { RangePatch } from '../../../../src/engine/review/rangePatch.ts';
import { createRandom } from '../../../support/sampleForge/worlds/random.ts';
import { compared, comparedAsGit } from '../../../support/comparedVersions.ts';
import { counts, seed } from '../../../support/counts.ts';

suite('two versions of a series', function () {
	this.timeout(600_000);
	const folder = mkdtempSync(join(tmpdir(), 'range-diff-'));
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	test('are compared from their mails as git range-diff compares the commits', async () => {
		const { count, different } = await comparedAsGit(
			folder,
			createRandom(seed()),
			counts({ least: 1, small: 4, full: 200 }),
		);
		assert.deepEqual(different, []);
		console.log(`      ${count} of ${count} pairs as git has them`);
	});

	const made = (title: string, diff: readonly string[], binaries = ''): RangePatch => {
		const head = [' ## Metadata ##', 'Author: A <a@forge.test>', '', ' ## Commit message ##', `    ${title}`, ''];
		return { id: undefined, title, lines: [...head, ...diff], diffFrom: head.length, diffSize: diff.length, binaries };
	};

	test('say where only a binary file differs, of which git tells nothing', () => {
		const diff = [' ## a.png ##', ' Binary files a.png and a.png differ'];
		const [before, after] = [[made('One', diff, 'a.png 1111111')], [made('One', diff, 'a.png 2222222')]];
		assert.deepEqual(compared(before, after).pairs, [{ kind: 'same', old: 0, new: 0, isBinaryChanged: true }]);
		assert.equal(rangeDiffText(compared(before, after).pairs, before, after), '1:  ------- = 1:  ------- One\n');
	});

	test('name a section with as many bytes as git has room for, and with whole characters', () => {
		const shown = (section: string): string => {
			const diff = (last: string): readonly string[] => [' ## a ##', `@@ ${section}`, ' 1', ' 2', ' 3', ' 4', last];
			const [before, after] = [[made('One', diff('+five'))], [made('One', diff('+six'))]];
			return rangeDiffText(compared(before, after).pairs, before, after).split('\n')[1] ?? '';
		};
		const room = 'a'.repeat(77);
		assert.equal(shown(`${room} → b`), `    @@ ${room} `);
		assert.equal(shown(`${room}→b`), `    @@ ${room}→`);
		assert.equal(shown(`${room}  \t`), `    @@ ${room}`);
		assert.equal(shown(`${room}   b`), `    @@ ${room}`);
	});

	test('without any patch on one side are all gone or all new', () => {
		const patches = [made('One', ['+a']), made('Two', ['+b'])];
		assert.deepEqual(compared(patches, []).pairs, [
			{ kind: 'removed', old: 0 },
			{ kind: 'removed', old: 1 },
		]);
		assert.deepEqual(compared([], patches).pairs, [
			{ kind: 'added', new: 0 },
			{ kind: 'added', new: 1 },
		]);
		assert.deepEqual(compared([], []).pairs, []);
	});

	test('pair patches of the same diff from the last to the first', () => {
		const same = ['One', 'Two', 'Three'].map((title) => made(title, ['+a']));
		assert.deepEqual(
			compared(same, same.slice(0, 2)).pairs.map((pair) => `${pair.kind} ${pair.kind === 'added' ? '' : pair.old}`),
			['removed 0', 'changed 2', 'same 1'],
		);
	});

	test('count a patch as changed where that costs as much as one that is gone and one that is new', () => {
		assert.deepEqual(runAtOnce(assignPairs({ size: 2, costs: Int32Array.of(50, 35, 15, 0) })), Int32Array.of(0, 1));
	});

	test('are not compared where there are too many lines, and roughly where it would take too long', () => {
		const random = createRandom(seed());
		const lines = (count: number): readonly string[] => Array.from({ length: count }, () => `+${random.below(9)}`);
		assert.equal(runAtOnce(rangeDiff([made('One', lines(60_000))], [made('Two', lines(60_000))])).kind, 'tooLarge');
		const series = (): readonly RangePatch[] => Array.from({ length: 40 }, (_, at) => made(`${at}`, lines(1000)));
		const [before, after] = [series(), series()];
		const steps = rangeDiff(before, after);
		let count = 0;
		let step = steps.next();
		for (; step.done !== true; step = steps.next()) {
			count += 1;
		}
		assert.equal(step.value.kind === 'compared' && step.value.isRough, true);
		assert.ok(count < 70_000, `${count} steps`);
	});

	test('cost the least for all together, in any order of their costs', () => {
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

	test('tell a change in a hunk without a section', () => {
		const diff = (last: string): readonly string[] => ['1', '2', '3', '4', '5', last];
		const head = { id: undefined, title: 'One', diffFrom: 0, diffSize: 6, binaries: '' };
		const [before, after] = [[{ ...head, lines: diff('+a') }], [{ ...head, lines: diff('+b') }]];
		assert.equal(rangeDiffText(compared(before, after).pairs, before, after).split('\n')[1], '    @@');
	});

	test('are told with what is gone and new, under ids as long as the first', () => {
		const [before, after] = [[{ ...made('One', ['+a']), id: 'abcdef0' }], [{ ...made('Two', ['+b']), id: undefined }]];
		const pairs = [
			{ kind: 'removed', old: 0 },
			{ kind: 'added', new: 0 },
		] as const;
		assert.equal(rangeDiffText(pairs, before, after), '1:  abcdef0 < -:  ------- One\n-:  ------- > 1:  ------- Two\n');
		assert.match(rangeDiffText([pairs[1]], before, [{ ...after[0]!, id: 'abc' }]), /^-: {2}--- > 1: {2}abc Two\n$/);
	});
});
