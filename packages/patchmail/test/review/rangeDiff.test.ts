import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { rangeDiff } from '../../src/review/rangeDiff.ts';
import { rangeDiffText } from '../../src/review/rangeDiffText.ts';
import type { RangePatch } from '../../src/review/rangePatch.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { compared, comparedAsGit } from '../../../../test/support/comparedVersions.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';

suite('range-diff of two versions', function () {
	this.timeout(600_000);
	const folder = mkdtempSync(join(tmpdir(), 'range-diff-'));
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	testInBoth('from mails matches git range-diff of the commits', async () => {
		const { count, different } = await comparedAsGit(
			folder,
			createRandom(seed()),
			counts({ least: 1, first: 1, small: 4, full: 200 }),
		);
		assert.deepEqual(different, []);
		console.log(`      ${count} of ${count} pairs as git has them`);
	});

	const made = (title: string, diff: readonly string[], binaries = ''): RangePatch => {
		const head = [' ## Metadata ##', 'Author: A <a@forge.test>', '', ' ## Commit message ##', `    ${title}`, ''];
		return { id: undefined, title, lines: [...head, ...diff], diffFrom: head.length, diffSize: diff.length, binaries };
	};

	test('reports a change of only a binary file, which git does not', () => {
		const diff = [' ## a.png ##', ' Binary files a.png and a.png differ'];
		const [before, after] = [[made('One', diff, 'a.png 1111111')], [made('One', diff, 'a.png 2222222')]];
		const same = { kind: 'same', old: 0, new: 0 } as const;
		assert.deepEqual(compared(before, after).pairs, [{ ...same, isBinaryChanged: true }]);
		assert.deepEqual(compared(before, before).pairs, [{ ...same, isBinaryChanged: false }]);
		assert.equal(rangeDiffText(compared(before, after).pairs, before, after), '1:  ------- = 1:  ------- One\n');
	});

	test('truncates a section to git’s limit in bytes, at a whole character', () => {
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

	test('lists all patches as removed or added without a counterpart', () => {
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

	test('pairs patches with equal diffs from last to first', () => {
		const same = ['One', 'Two', 'Three'].map((title) => made(title, ['+a']));
		assert.deepEqual(
			compared(same, same.slice(0, 2)).pairs.map((pair) => `${pair.kind} ${pair.kind === 'added' ? '' : pair.old}`),
			['removed 0', 'changed 2', 'same 1'],
		);
	});

	test('refuses more than 500 patches or 100,000 lines', () => {
		const series = (patches: number, lines = 0): readonly RangePatch[] => {
			const shared = Array<string>(lines).fill('+a');
			return Array.from({ length: patches }, () => ({ ...made('One', []), lines: shared }));
		};
		const isRefused = (before: readonly RangePatch[], after: readonly RangePatch[]): boolean => {
			const steps = rangeDiff(before, after);
			const first = steps.next();
			// Reads more lines.
			steps.next();
			assert.ok(first.done !== true || first.value.kind === 'tooLarge');
			return first.done === true;
		};
		assert.deepEqual(
			[
				isRefused(series(250), series(250)),
				isRefused(series(250), series(251)),
				isRefused(series(1, 50_000), series(1, 50_000)),
				isRefused(series(1, 50_001), series(1, 50_000)),
			],
			[false, true, false, true],
		);
	});

	/** The kind of each pair, with its indexes in both versions. */
	const fates = (before: readonly RangePatch[], after: readonly RangePatch[], limit?: number): readonly string[] => {
		const diff = runAtOnce(rangeDiff(before, after, limit));
		assert.ok(diff.kind === 'compared');
		const pairs = diff.pairs.map((pair) =>
			[pair.kind, 'old' in pair ? pair.old : '-', 'new' in pair ? pair.new : '-'].join(' '),
		);
		return diff.isRough ? ['rough', ...pairs] : pairs;
	};
	const rows = (name: string, count: number): readonly string[] =>
		Array.from({ length: count }, (_, at) => `+${name} ${at}`);

	test('treats a patch as new if more than 60% of both patches differ', () => {
		// Including a hunk header and three context lines.
		const fateOf = (changed: number, ...rest: readonly string[]): readonly string[] =>
			fates(
				[made('One', [...rows('old', changed), ...rows('same', 10 - changed), ...rest])],
				[made('One', [...rows('new', changed), ...rows('same', 10 - changed), ...rest])],
			);
		const twice = (changed: number): readonly string[] => {
			const version = (name: string): readonly RangePatch[] => [
				made('One', [...rows(name, changed), ...rows('same', 20 - 2 * changed), ...rows(`${name} end`, changed)]),
			];
			return fates(version('old'), version('new'));
		};
		const [isChanged, isNew] = [['changed 0 0'], ['removed 0 -', 'added - 0']];
		assert.deepEqual([fateOf(3), fateOf(4), fateOf(5), fateOf(9)], [isChanged, isChanged, isNew, isNew]);
		assert.deepEqual([twice(3), twice(4), twice(5)], [isChanged, isChanged, isNew]);
	});

	test('pairs patches by equal diffs, then by the least total difference', () => {
		const [a, b, c] = ['a', 'b', 'c'].map((name) => made(name, rows(name, 12)));
		assert.ok(a && b && c);
		const changed = (name: string, count: number): RangePatch =>
			made(name, [...rows(name, 12 - count), ...rows(`${name} new`, count)]);
		assert.deepEqual(fates([a, b, c], [c, a]), ['same 2 0', 'same 0 1', 'removed 1 -']);
		assert.deepEqual(fates([a, b, c], [a, c]), ['same 0 0', 'removed 1 -', 'same 2 1']);
		assert.deepEqual(fates([a], [a, a]), ['same 0 0', 'added - 1']);
		assert.deepEqual(fates([a, b], [changed('b', 2), b, changed('a', 1)]), ['added - 0', 'same 1 1', 'changed 0 2']);
		assert.deepEqual(fates([a, b, c], [changed('c', 3), changed('b', 2), changed('a', 1)]), [
			'changed 2 0',
			'changed 1 1',
			'changed 0 2',
		]);
		assert.deepEqual(fates([a, changed('a', 3)], [changed('a', 2), changed('a', 4)]), ['changed 0 0', 'changed 1 1']);
	});

	test('is rough above a step limit; longer patches and reordered lines take more steps, patches without common lines none', () => {
		const rest = rows('same', 20);
		const one = (...lines: readonly string[]): readonly RangePatch[] => [made('One', [...lines, ...rest])];
		const long = (name: string): readonly RangePatch[] => [made('One', [...rows(name, 50), ...rows('same', 250)])];
		const two = (name: string): readonly RangePatch[] =>
			['first', 'second'].map((each) => made('One', [...rows(`${each} ${name}`, 3), ...rows(each, 20)]));
		const [rough, changed] = [['rough', 'removed 0 -', 'added - 0'], ['changed 0 0']];
		const cases = [
			[one('a'), one('b'), 1, changed, rough],
			[long('old'), long('new'), 2, changed, rough],
			[one('a', 'b', 'c', 'd'), one('b', 'a', 'd', 'c'), 4, changed, rough],
			[two('old'), two('new'), 2, ['changed 0 0', 'changed 1 1'], ['rough', 'changed 0 0', 'removed 1 -', 'added - 1']],
		] as const;
		for (const [before, after, steps, exact, less] of cases) {
			assert.deepEqual([fates(before, after, steps), fates(before, after, steps - 1)], [exact, less]);
		}
	});

	test('is rough if it would take too long', () => {
		const random = createRandom(seed());
		const lines = (count: number): readonly string[] => Array.from({ length: count }, () => `+${random.below(9)}`);
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

	test('shows a change in a hunk without a section', () => {
		const diff = (last: string): readonly string[] => ['1', '2', '3', '4', '5', last];
		const head = { id: undefined, title: 'One', diffFrom: 0, diffSize: 6, binaries: '' };
		const [before, after] = [[{ ...head, lines: diff('+a') }], [{ ...head, lines: diff('+b') }]];
		assert.equal(rangeDiffText(compared(before, after).pairs, before, after).split('\n')[1], '    @@');
	});

	test('shows each change below the last section with three context lines', () => {
		const diff = (third: string, last: string): readonly string[] => [
			' ## a.c ##',
			'@@ a.c: f',
			' one',
			'-two',
			third,
			' ## no file ## here',
			'+ ## no file ##',
			'+a @@ b',
			' seven',
			' eight',
			' nine',
			' ten',
			last,
			...rows('rest', 20),
		];
		const [before, after] = [[made('One', diff('+three', ' eleven'))], [made('One', diff('+3', ' 11'))]];
		assert.deepEqual(rangeDiffText(compared(before, after).pairs, before, after).split('\n'), [
			'1:  ------- ! 1:  ------- One',
			'    @@ a.c',
			'     @@ a.c: f',
			'      one',
			'     -two',
			'    -+three',
			'    ++3',
			'      ## no file ## here',
			'     + ## no file ##',
			'     +a @@ b',
			'    @@ a.c: f',
			'      eight',
			'      nine',
			'      ten',
			'    - eleven',
			'    + 11',
			'     +rest 0',
			'     +rest 1',
			'     +rest 2',
			'',
		]);
	});

	test('pads numbers to the width of the longer version plus one', () => {
		const nine = Array.from({ length: 9 }, () => made('One', ['+a']));
		const removed = [{ kind: 'removed', old: 0 }] as const;
		assert.equal(rangeDiffText(removed, nine, []), ' 1:  ------- <  -:  ------- One\n');
		assert.equal(rangeDiffText(removed, nine.slice(1), []), '1:  ------- < -:  ------- One\n');
		assert.equal(rangeDiffText([], [], []), '');
	});

	test('lists removed and added patches with ids as long as the first', () => {
		const [before, after] = [[{ ...made('One', ['+a']), id: 'abcdef0' }], [{ ...made('Two', ['+b']), id: undefined }]];
		const pairs = [
			{ kind: 'removed', old: 0 },
			{ kind: 'added', new: 0 },
		] as const;
		assert.equal(rangeDiffText(pairs, before, after), '1:  abcdef0 < -:  ------- One\n-:  ------- > 1:  ------- Two\n');
		assert.match(rangeDiffText([pairs[1]], before, [{ ...after[0]!, id: 'abc' }]), /^-: {2}--- > 1: {2}abc Two\n$/);
	});
});
