import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { applyDiff, type ApplyOutcome } from '../../../src/patch/applyDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../src/sampleForge/worlds/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { runCases } from '../../support/shellCases.ts';

/** Not on every machine; git is. */
const hasPatch = spawnSync('patch', ['--version']).status === 0;

interface Texts {
	/** What the diff was made of, and to. */
	readonly before: string;
	readonly after: string;
	/** What it is to be applied to: the same, or a text that has moved on. */
	readonly onto: string;
}

interface Small extends Texts {
	readonly diff: string;
}

/** What programs make of a diff; `undefined` where they refuse it. */
interface Programs {
	readonly git: string | undefined;
	readonly gnu: string | undefined;
}

const letters = ['a', 'b', 'c', '', 'x', '  ', '}'] as const;

function pickLines(random: Random): readonly string[] {
	return Array.from({ length: 2 + random.below(24) }, () => random.pick<string>(letters));
}

function changed(lines: readonly string[], random: Random): readonly string[] {
	const result = [...lines];
	for (let steps = 1 + random.below(3); steps > 0; steps--) {
		const at = random.below(result.length + 1);
		const isGone = random.chance(33);
		const isNew = !isGone && random.chance(50);
		result.splice(at, isNew ? 0 : 1, ...(isGone ? [] : [`${random.pick<string>(letters)}${random.below(5)}`]));
	}
	return result;
}

function textOf(lines: readonly string[], random: Random): string {
	return lines.join('\n') + (random.chance(20) ? '' : '\n');
}

function makeTexts(random: Random): Texts {
	const lines = pickLines(random);
	const before = textOf(lines, random);
	const after = textOf(changed(lines, random), random);
	return { before, after, onto: random.chance(35) ? before : textOf(changed(lines, random), random) };
}

/** Diffs that git makes, of texts that differ. */
function made(random: Random, contextOf: () => number): readonly Small[] {
	const cases = Array.from({ length: counts({ least: 20, small: 50, full: 800 }) }, () => ({
		context: String(contextOf()),
		...makeTexts(random),
	}));
	const results = runCases('git diff --no-index "-U$(cat context)" before after', cases);
	return cases.flatMap(({ before, after, onto }, at) => {
		const told = results[at]?.stdout.toString() ?? '';
		const hunks = told.indexOf('\n@@ ');
		return hunks === -1 ? [] : [{ diff: `--- a/file\n+++ b/file${told.slice(hunks)}`, before, after, onto }];
	});
}

function apply(before: string, diff: string): ApplyOutcome {
	const [file] = parseDiff(diff).files;
	assert.ok(file);
	return applyDiff(before, diff, file);
}

/** `git apply`, which has to be told that a diff has no context, and GNU patch, one pair for each. */
function byPrograms(all: readonly Small[], isZero: boolean): readonly Programs[] {
	const script = `
		git apply --whitespace=nowarn ${isZero ? '--unidiff-zero' : ''} diff && mv file git
		${hasPatch ? 'patch --binary --force --silent --fuzz=2 --reject-file=- --output=gnu input diff || rm -f gnu' : ''}`;
	const results = runCases(
		script,
		all.map(({ diff, onto }) => ({ diff, file: onto, input: onto })),
	);
	return results.map((each) => ({ git: each.file('git')?.toString(), gnu: each.file('gnu')?.toString() }));
}

function afterOf(outcome: ApplyOutcome): string | undefined {
	return outcome.kind === 'applied' ? outcome.after : undefined;
}

/** Without context, git takes a removed line without a line end for the beginning of any line. GNU patch does not. */
function isAtOpenEnd({ diff }: Small): boolean {
	return /\n-[^\n]*\n\\ /.test(diff);
}

/** Every hunk stands exactly where its header says. */
function isInPlace(outcome: ApplyOutcome): boolean {
	return outcome.kind === 'applied' && outcome.hunks.every(({ offset, fuzz }) => offset === 0 && fuzz === 0);
}

suite('patches for small texts of equal lines', function () {
	this.timeout(600_000);

	test('carry the text that they were made of to the other one', () => {
		const random = createRandom(seed() + 11);
		for (const { diff, before, after } of made(random, () => random.below(4))) {
			const outcome = apply(before, diff);
			assert.equal(afterOf(outcome), after, `${diff}\n${JSON.stringify(before)}`);
			assert.ok(isInPlace(outcome), diff);
		}
	});

	test('without context go only where git apply puts them', () => {
		let [applied, moved, refused] = [0, 0, 0];
		const all = made(createRandom(seed() + 12), () => 0);
		const programs = byPrograms(all, true);
		for (const [at, each] of all.entries()) {
			const outcome = apply(each.onto, each.diff);
			const ours = afterOf(outcome);
			const { git, gnu } = programs[at]!;
			if (ours !== undefined && !(isAtOpenEnd(each) && hasPatch && ours === gnu)) {
				assert.equal(ours, git, `${each.diff}\n${JSON.stringify(each.onto)}`);
			}
			applied += ours === undefined ? 0 : 1;
			moved += ours === undefined || isInPlace(outcome) ? 0 : 1;
			refused += ours === undefined ? 1 : 0;
		}
		assert.ok(applied > 10 && refused > 0 && moved > 0, `${applied} ${moved} ${refused}`);
	});

	test('with context apply where git apply and GNU patch agree, and nowhere that neither goes', () => {
		const random = createRandom(seed() + 13);
		let [agreed, refused] = [0, 0];
		const all = made(random, () => 1 + random.below(3));
		const programs = byPrograms(all, false);
		for (const [at, each] of all.entries()) {
			const outcome = apply(each.onto, each.diff);
			const ours = afterOf(outcome);
			const { git } = programs[at]!;
			const gnu = hasPatch ? programs[at]!.gnu : git;
			const told = `${each.diff}\n${JSON.stringify({ onto: each.onto, outcome, git, gnu })}`;
			if (git !== undefined && git === gnu) {
				assert.equal(ours, git, told);
				agreed += 1;
			} else if (ours !== undefined && hasPatch) {
				assert.ok(ours === git || ours === gnu, told);
			}
			refused += ours === undefined ? 1 : 0;
		}
		assert.ok(agreed > 0 && refused > 0, `${agreed} agreed, ${refused} refused`);
	});

	test('without context and with equal lines elsewhere are refused where their line is not the stated one', () => {
		const diff = '--- a/file\n+++ b/file\n@@ -3 +3 @@\n-x\n+y\n';
		assert.equal(afterOf(apply('x\n-\nx\n-\nx\n', diff)), 'x\n-\ny\n-\nx\n');
		assert.deepEqual(apply('x\nx\n-\n-\nx\n', diff), { kind: 'refused', hunk: 0, reason: 'noMatch' });
		assert.deepEqual(apply('-\n-\n-\n-\nx\n', diff), {
			kind: 'applied',
			after: '-\n-\n-\n-\ny\n',
			hunks: [{ offset: 2, fuzz: 0 }],
		});
	});

	test('without context that only add lines are refused behind a hunk that has moved', () => {
		const diff = '--- a/file\n+++ b/file\n@@ -1 +0,0 @@\n-x\n@@ -3,0 +3 @@\n+y\n';
		assert.equal(afterOf(apply('x\na\nb\nc\n', diff)), 'a\nb\ny\nc\n');
		assert.deepEqual(apply('a\nx\na\nb\nc\n', diff), { kind: 'refused', hunk: 1, reason: 'noMatch' });
	});

	test('never make one line of two where a text has no line end', () => {
		const added = '--- a/file\n+++ b/file\n@@ -2,0 +3 @@\n+c\n';
		assert.deepEqual(apply('a\nb', added), { kind: 'refused', hunk: 0, reason: 'noMatch' });
		assert.equal(afterOf(apply('a\nb\n', added)), 'a\nb\nc\n');
		const open = '--- a/file\n+++ b/file\n@@ -1,0 +2 @@\n+c\n\\ No newline at end of file\n';
		assert.deepEqual(apply('a\nb\n', open), { kind: 'refused', hunk: 0, reason: 'noMatch' });
		assert.equal(afterOf(apply('a\n', open)), 'a\nc');
		const inside = '--- a/file\n+++ b/file\n@@ -1,2 +1,3 @@\n a\n+c\n\\ No newline at end of file\n b\n';
		assert.deepEqual(apply('a\nb\n', inside), { kind: 'refused', hunk: 0, reason: 'noMatch' });
		const behind = '--- a/file\n+++ b/file\n@@ -1,2 +1,3 @@\n a\n b\n\\ No newline at end of file\n+c\n';
		assert.deepEqual(apply('a\nb', behind), { kind: 'refused', hunk: 0, reason: 'noMatch' });
	});
});
