import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { hunksOf, lineChanges, LineNumbers, type LineHunk } from '../../src/patch/lineDiff.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { root } from '../../../../test/harness/places.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { contentsOf } from '../../../../test/support/ownHistory.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';

function linesIn(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The output of `git diff` below the file header; both texts end with a line feed. */
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

function textOf(lines: readonly string[]): string {
	return lines.map((line) => `${line}\n`).join('');
}

function fromGit(folder: string, sides: readonly string[], hasIndents: boolean): string {
	const args = ['diff', '--no-index', '--no-ext-diff', hasIndents ? '--indent-heuristic' : '--no-indent-heuristic'];
	return spawnSync('git', [...args, '--', ...sides], { cwd: folder, maxBuffer: 1 << 28 }).stdout.toString();
}

/** Git’s hunks without function names. */
function hunksIn(patch: string): string {
	const start = patch.search(/^@@ /m);
	return start === -1 ? '' : patch.slice(start).replaceAll(/^(@@ -\S+ \+\S+ @@).*$/gm, '$1');
}

interface Pair {
	readonly before: readonly string[];
	readonly after: readonly string[];
	/** Too long for another comparison with indents. */
	readonly isLong?: true;
}

/** Long runs of equal lines behind many changes, where git cuts at a run. */
function pairWithRuns(random: Random, [first, one, middle, other, last]: readonly number[]): Pair {
	const lines = (name: string, length = 0): readonly string[] => Array.from({ length }, (_, at) => `${name} ${at}`);
	const shuffled = (all: readonly string[]): readonly string[] =>
		all
			.map((line) => ({ line, key: random.below(2 ** 31) }))
			.toSorted((a, b) => a.key - b.key)
			.map(({ line }) => line);
	const made = (): readonly string[] => [
		...shuffled(lines('first', first)),
		...lines('one', one),
		...shuffled(lines('middle', middle)),
		...lines('other', other),
		...shuffled(lines('last', last)),
	];
	return { before: made(), after: made(), isLong: true };
}

/** Little in common, so that git uses heuristics. */
function pairWithLittleInCommon(random: Random, variety: number): Pair {
	const made = (length: number): readonly string[] => Array.from({ length }, () => `line ${random.below(variety)}`);
	const shared = made(400);
	const before = [...made(900), ...shared, ...made(random.below(700))];
	return { before, after: [...made(1100), ...shared, ...made(random.below(700))] };
}

/** Pairs of texts by title. Git compares all of them in two processes. */
function pairsOf(random: Random): Readonly<Record<string, readonly Pair[]>> {
	const times = (count: number, make: () => Pair): readonly Pair[] => Array.from({ length: count }, make);
	const words = ['', '', '}', '\t}', '\tif (a) {', '\t\tb();', 'function c() {', '  d', '\t\t\te', '\f', ' ', 'x'];
	const [deep, blanks] = [`${' '.repeat(220)}x`, Array.from({ length: 25 }, () => '')];
	return {
		'with many equal lines': times(counts({ least: 300, small: 300, full: 4000 }), () => {
			const before = Array.from({ length: random.below(60) }, () => words[random.below(words.length)] ?? '');
			return { before, after: edited(before, words, random) };
		}),
		'with frequent lines between lines that the other one lacks': times(
			counts({ least: 100, small: 100, full: 1000 }),
			() => {
				const made = (name: string): readonly string[] =>
					Array.from({ length: 20 + random.below(150) }, (_, at) =>
						random.chance(30) ? '}' : random.chance(15) ? `both ${random.below(20)}` : `${name} ${at}`,
					);
				return { before: made('before'), after: made('after') };
			},
		),
		'with a block that comes again, between blank lines and indents': times(
			counts({ least: 200, small: 200, full: 2000 }),
			() => {
				const lines = (most: number): readonly string[] =>
					Array.from({ length: random.below(most) }, () =>
						random.chance(30) ? '' : `${' '.repeat(random.below(4))}${random.pick(['a', 'b', '}'])}`,
					);
				const [above, block, below] = [lines(4), [...lines(5), 'x'], lines(4)];
				return { before: [...above, ...block, ...below], after: [...above, ...block, ...block, ...below] };
			},
		),
		...Object.fromEntries(
			[3, 20, 150, 1500].map((variety) => [
				`of ${variety} different lines with little in common`,
				times(counts({ small: 1, full: 15 }), () => pairWithLittleInCommon(random, variety)),
			]),
		),
		'with a long run behind many changes': [pairWithRuns(createRandom(7), [170, 16_500, 400, 16_500, 600])],
		'with a long run before many changes': [pairWithRuns(createRandom(7), [600, 16_500, 400, 16_500, 170])],
		// Diagonals beside the last run reach as far, but without a run.
		'with a long run and a short one': [pairWithRuns(createRandom(7), [60, 33_000, 400, 30, 200])],
		'with form feeds, which are no blanks to it': [
			{ before: ['x', '\f', '\t}'], after: ['x', '\f', '\f', '\t}'] },
			{ before: ['\t}', '\v', '\v', '\t}'], after: ['\t}', '\v', '\t}'] },
			{ before: ['\t}', '\r', '\r', '\t}'], after: ['\t}', '\r', '\t}'] },
		],
		'with deep indents and many blank lines, of which it counts some': [
			{ before: [deep, '}', 'end'], after: [deep, '}', deep, '}', 'end'] },
			{ before: ['x', ...blanks, 'y'], after: ['x', '', '', ...blanks, 'y'] },
			...[199, 200, 201].map((columns) => {
				const block = [`${' '.repeat(columns)}x`, `${' '.repeat(200)}y`];
				return { before: [...block, 'end'], after: [...block, ...block, 'end'] };
			}),
			...[19, 20, 21].map((count) => {
				const block = ['  x', ...blanks.slice(0, count), ' y'];
				return { before: [...block, 'end'], after: [...block, ...block, 'end'] };
			}),
		],
	};
}

suite('line changes between two texts', () => {
	let folder: string;
	let pairs: ReturnType<typeof pairsOf> = {};
	/** Hunks by name of the pair. */
	const [plain, indented] = [new Map<string, string>(), new Map<string, string>()];

	suiteSetup(() => {
		folder = mkdtempSync(join(tmpdir(), 'line-diff-'));
		pairs = pairsOf(createRandom(seed()));
		['before', 'after'].forEach((side) => mkdirSync(join(folder, side)));
		for (const [title, all] of Object.entries(pairs)) {
			for (const [at, { before, after }] of all.entries()) {
				writeFileSync(join(folder, 'before', `${title} ${at}`), textOf(before));
				writeFileSync(join(folder, 'after', `${title} ${at}`), textOf(after));
			}
		}
		for (const [hunks, hasIndents] of [
			[plain, false],
			[indented, true],
		] as const) {
			for (const patch of fromGit(folder, ['before', 'after'], hasIndents).split(/^diff --git /m)) {
				const name = /^\+\+\+ (?:"?b\/)?after\/(.*?)\t?$/m.exec(patch)?.[1] ?? '';
				hunks.set(name, hunksIn(patch));
			}
		}
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	for (const title of Object.keys(pairsOf(createRandom(0)))) {
		test(`match git for texts ${title}`, () => {
			for (const [at, { before, after, isLong }] of pairs[title]!.entries()) {
				const name = `${title} ${at}`;
				assert.equal(told(before, after, false), plain.get(name) ?? '', name);
				if (!isLong) {
					assert.equal(told(before, after, true), indented.get(name) ?? '', name);
				}
			}
		});
	}

	test('match git in the history of this project', function () {
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
