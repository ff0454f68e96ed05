import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '../../../support/runAtOnce.ts';
import { hunksOf, lineChanges, LineNumbers, type LineHunk } from '../../../../src/engine/patch/lineDiff.ts';
import { createRandom, type Random } from '../../../support/sampleForge/worlds/random.ts';
import { root } from '../../../harness/places.ts';
import { counts, seed } from '../../../support/counts.ts';
import { contentsOf } from '../../../support/ownHistory.ts';
import { gitIn } from '../../../support/patchMakerGit.ts';

function linesIn(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** What `git diff` writes below the header of a file; both texts end with a line feed. */
function told(before: readonly string[], after: readonly string[], hasIndents: boolean): string {
	const numbers = new LineNumbers();
	const [old, young] = [numbers.of(before), numbers.of(after)];
	const changes = runAtOnce(lineChanges(old, young, hasIndents ? numbers.indentOf : undefined));
	return hunksOf(changes, { before: old.length, after: young.length })
		.map((hunk) => `${header(hunk)}\n${body(hunk, before, after)}`)
		.join('');
}

function header({ oldFrom, oldTo, newFrom, newTo }: LineHunk): string {
	const side = (from: number, to: number): string =>
		to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`;
	return `@@ -${side(oldFrom, oldTo)} +${side(newFrom, newTo)} @@`;
}

function body({ changes, oldFrom, oldTo }: LineHunk, before: readonly string[], after: readonly string[]): string {
	const lines: string[] = [];
	let at = oldFrom;
	for (const { oldFrom: from, removed, newFrom, added } of changes) {
		lines.push(...before.slice(at, from).map((line) => ` ${line}\n`));
		lines.push(...before.slice(from, from + removed).map((line) => `-${line}\n`));
		lines.push(...after.slice(newFrom, newFrom + added).map((line) => `+${line}\n`));
		at = from + removed;
	}
	return [...lines, ...before.slice(at, oldTo).map((line) => ` ${line}\n`)].join('');
}

/** Hunks as git has them, without the names of functions. */
function hunksIn(patch: string): string {
	const start = patch.search(/^@@ /m);
	return start === -1 ? '' : patch.slice(start).replaceAll(/^(@@ -\S+ \+\S+ @@).*$/gm, '$1');
}

suite('the changes from one text to another', () => {
	let folder: string;

	suiteSetup(() => {
		folder = mkdtempSync(join(tmpdir(), 'line-diff-'));
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	function fromGit(before: string, after: string, hasIndents: boolean): string {
		writeFileSync(join(folder, 'before'), before);
		writeFileSync(join(folder, 'after'), after);
		const args = ['diff', '--no-index', '--no-ext-diff', hasIndents ? '--indent-heuristic' : '--no-indent-heuristic'];
		const { stdout } = spawnSync('git', [...args, '--', 'before', 'after'], { cwd: folder, maxBuffer: 1 << 28 });
		return hunksIn(stdout.toString());
	}

	function check(before: readonly string[], after: readonly string[], hasIndents: boolean): void {
		const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
		assert.equal(told(before, after, hasIndents), fromGit(text(before), text(after), hasIndents));
	}

	test('are those that git tells of texts with many equal lines, with and without indents', function () {
		// Each text is a run of git.
		this.timeout(counts({ least: 20_000, small: 20_000, full: 240_000 }));
		const random = createRandom(seed());
		const words = ['', '', '}', '\t}', '\tif (a) {', '\t\tb();', 'function c() {', '  d', '\t\t\te', '\f', ' ', 'x'];
		for (let round = 0; round < counts({ least: 20, small: 150, full: 2000 }); round += 1) {
			const before = Array.from({ length: random.below(60) }, () => words[random.below(words.length)] ?? '');
			check(before, edited(before, words, random), round % 2 === 0);
		}
	});

	test('are those that git tells where form feeds stand alone, which are no blanks to it', () => {
		check(['x', '\f', '\t}'], ['x', '\f', '\f', '\t}'], true);
		check(['\t}', '\v', '\v', '\t}'], ['\t}', '\v', '\t}'], true);
		check(['\t}', '\r', '\r', '\t}'], ['\t}', '\r', '\t}'], true);
	});

	test('are those that git tells of long texts that have little in common, where it guesses', () => {
		const random = createRandom(seed() + 1);
		for (let round = 0; round < counts({ least: 1, small: 2, full: 60 }); round += 1) {
			const variety = [3, 20, 150, 1500][round % 4] ?? 3;
			const made = (length: number): readonly string[] => Array.from({ length }, () => `line ${random.below(variety)}`);
			const shared = made(400);
			const before = [...made(900), ...shared, ...made(random.below(700))];
			const after = [...made(1100), ...shared, ...made(random.below(700))];
			check(before, after, true);
		}
	});

	test('are those that git tells where long runs of equal lines follow many changes, and it cuts at a run', () => {
		const random = createRandom(7);
		const lines = (name: string, length: number): readonly string[] =>
			Array.from({ length }, (_, at) => `${name} ${at}`);
		const shuffled = (all: readonly string[]): readonly string[] =>
			all
				.map((line) => ({ line, key: random.below(2 ** 31) }))
				.toSorted((one, other) => one.key - other.key)
				.map(({ line }) => line);
		for (const [first, last] of [
			[170, 600],
			[600, 170],
		] as const) {
			const made = (): readonly string[] => [
				...shuffled(lines('first', first)),
				...lines('one', 16_500),
				...shuffled(lines('middle', 400)),
				...lines('other', 16_500),
				...shuffled(lines('last', last)),
			];
			check(made(), made(), false);
		}
		// Diagonals beside the last run come as far, but not by a run.
		const made = (): readonly string[] => [
			...shuffled(lines('first', 60)),
			...lines('one', 33_000),
			...shuffled(lines('middle', 400)),
			...lines('other', 30),
			...shuffled(lines('last', 200)),
		];
		check(made(), made(), false);
	});

	test('are those that git tells beside deep indents and many blank lines, of which it counts some', () => {
		const [deep, blanks] = [`${' '.repeat(220)}x`, Array.from({ length: 25 }, () => '')];
		check([deep, '}', 'end'], [deep, '}', deep, '}', 'end'], true);
		check(['x', ...blanks, 'y'], ['x', '', '', ...blanks, 'y'], true);
	});

	test('are those that git tells of the history of this project', function () {
		this.timeout(120_000);
		const commits = spread(
			gitIn(root, ['rev-list', '--no-merges', 'HEAD']).toString().trim().split('\n'),
			counts({ least: 40, small: 40, full: 400 }),
		);
		const input = commits.map((commit) => `${commit}\n`).join('');
		const args = ['diff-tree', '--stdin', '-r', '--no-renames', '--no-commit-id', '--diff-filter=M'];
		const raw = gitIn(root, [...args, '--no-abbrev'], input).toString();
		const bodies = gitIn(root, [...args, '-p', '--no-ext-diff'], input)
			.toString()
			.split(/^diff --git .*\n/m)
			.slice(1);
		const ids = [...raw.matchAll(/^:100\d{3} 100\d{3} (\w+) (\w+) M\t.*$/gm)].map(([, one = '', other = '']) => [
			one,
			other,
		]);
		const texts = contentsOf(ids.flat());
		let compared = 0;
		for (const [at, body] of bodies.entries()) {
			const [before = '', after = ''] = texts.slice(2 * at, 2 * at + 2);
			if (!body.includes('\nBinary files ') && !body.includes('\n\\ No newline')) {
				assert.equal(told(linesIn(before), linesIn(after), true), hunksIn(body));
				compared += 1;
			}
		}
		assert.ok(compared > 100);
		console.log(`      ${compared} files as git has them`);
	});
});

function edited(lines: readonly string[], words: readonly string[], random: Random): readonly string[] {
	const after = [...lines];
	for (let step = random.below(12); step > 0; step -= 1) {
		const at = random.below(after.length + 1);
		const some = Array.from({ length: random.below(5) }, () => words[random.below(words.length)] ?? '');
		after.splice(at, random.below(4), ...some);
	}
	return after;
}

function spread<T>(all: readonly T[], most: number): readonly T[] {
	const step = Math.max(1, all.length / most);
	return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
