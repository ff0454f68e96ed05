import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { fixUpLines } from '../../src/review/fixUp.ts';
import { suggestedHunks, type SuggestedHunk } from '../../src/review/suggestedHunks.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';

const hunksOf = (before: string, after: string): readonly SuggestedHunk[] => runAtOnce(suggestedHunks(before, after));

const ten = Array.from({ length: 10 }, (_, at) => `line ${at}\n`);

suite('suggested hunks', () => {
	test('combine close changes into one hunk on the lines that it touches', () => {
		const changed = ten.with(4, 'another\n').toSpliced(6, 1).join('');
		assert.deepEqual(hunksOf(ten.join(''), changed), [
			{
				touched: { start: 4, end: 6 },
				start: 1,
				rows: [
					' line 1',
					' line 2',
					' line 3',
					'-line 4',
					'+another',
					' line 5',
					'-line 6',
					' line 7',
					' line 8',
					' line 9',
				],
			},
		]);
	});

	test('touch the line above an insertion, or the first line', () => {
		const touched = (at: number): unknown =>
			hunksOf(ten.join(''), ten.toSpliced(at, 0, 'added\n').join('')).map((hunk) => hunk.touched);
		assert.deepEqual(touched(5), [{ start: 4, end: 4 }]);
		assert.deepEqual(touched(10), [{ start: 9, end: 9 }]);
		assert.deepEqual(touched(0), [{ start: 0, end: 0 }]);
	});

	test('separate distant changes, and are empty without a difference', () => {
		const long = [...ten, ...ten, ...ten];
		const hunks = hunksOf(long.join(''), long.with(0, 'first\n').with(29, 'last\n').join(''));
		assert.deepEqual(
			hunks.map((hunk) => hunk.touched),
			[
				{ start: 0, end: 0 },
				{ start: 29, end: 29 },
			],
		);
		assert.deepEqual(hunksOf('a\r\nb\r\n', 'a\nb\n'), [], 'how an editor ends lines is no difference');
	});

	test('apply in git as fix-ups, hunk by hunk', function () {
		// Each text needs a run of git.
		this.timeout(counts({ least: 20_000, small: 20_000, full: 240_000 }));
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-fix-up-'));
		try {
			const random = createRandom(seed());
			for (let round = 0; round < counts({ small: 40, full: 1000 }); round += 1) {
				const [before, after] = changedTexts(random);
				writeFileSync(join(folder, 'a.c'), before);
				for (const { start, rows } of hunksOf(before, after).toReversed()) {
					const fixUp = fixUpLines('a.c', { firstLine: start + 1, rows }).map((line) => line.replace(/^ {4}/, ''));
					gitIn(folder, ['apply', '-'], `${fixUp.join('\n')}\n`);
				}
				assert.equal(readFileSync(join(folder, 'a.c'), 'utf8'), after, JSON.stringify([before, after]));
			}
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('cover an empty file, and a diff names the line before an empty side', () => {
		assert.deepEqual(hunksOf('', 'a\n'), [{ touched: { start: 0, end: 0 }, start: 0, rows: ['+a'] }]);
		assert.deepEqual(hunksOf('a\n', ''), [{ touched: { start: 0, end: 0 }, start: 0, rows: ['-a'] }]);
		assert.equal(fixUpLines('x', { firstLine: 3, rows: ['+a'] })[2], '    @@ -2,0 +3,1 @@');
	});
});

/** A text and a random edit of it. */
function changedTexts(random: Random): readonly [string, string] {
	const below = (count: number): number => random.below(count);
	const line = (): string => ['', '}', '\treturn;', `int a${below(9)};`, '- a', '+ b', '--- x'][below(7)] ?? '';
	const before = Array.from({ length: 1 + below(40) }, line);
	const after = [...before];
	for (let edits = 1 + below(4); edits > 0; edits -= 1) {
		after.splice(below(after.length + 1), below(3), ...Array.from({ length: below(3) }, line));
	}
	const end = (): string => (below(4) === 0 ? 'x' : '\n');
	return [before.join('\n') + end(), after.join('\n') + end()];
}
