import assert from 'node:assert/strict';
import {
	diffSides,
	writtenOut,
	type DiffSide,
	type DiffSides,
	type Gap,
} from '../../../../src/editor/patchDocuments/diffSides.ts';
import type { Hunk } from 'patchmail/patch/fileDiff.ts';
import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { oddLines } from '../../../support/patchMaker.ts';
import { runCases } from '../../../support/shellCases.ts';

const gapText = ({ lines, next, section }: Gap): string =>
	`gap ${lines ?? '?'} ${next ? `${next.before}/${next.after}` : 'end'} ${section}`.trim();

function sidesOf(diff: string, isWhole = false): DiffSides {
	const [file] = parseDiff(diff).files;
	assert.ok(file?.content.kind === 'text');
	return diffSides(diff, file.content.hunks, isWhole, gapText);
}

function linesOf({ text }: DiffSide): readonly string[] {
	return text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** The patch's lines of a side: without gaps and git's marker. */
function shownOf(side: DiffSide): readonly (string | undefined)[] {
	return side.lines.map(({ line }) => linesOf(side)[line]);
}

const small = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -3,3 +3,4 @@ int main(void)
 three
-four
+FOUR
+and a half
 five
@@ -20,2 +21,1 @@
 twenty
-twenty one
`;

suite('two sides of a patched file', () => {
	test('hold unchanged, removed and added lines at their numbers in the file', () => {
		const { before, after } = sidesOf(small);
		const skipped = (count: number): readonly string[] => Array.from({ length: count }, () => '⋯');
		assert.deepEqual(linesOf(before), [
			...skipped(1),
			'gap 2 3/3 int main(void)',
			'three',
			'four',
			'five',
			...skipped(13),
			'gap 14 20/21',
			'twenty',
			'twenty one',
		]);
		assert.deepEqual(linesOf(after), [
			...skipped(1),
			'gap 2 3/3 int main(void)',
			'three',
			'FOUR',
			'and a half',
			'five',
			...skipped(13),
			'gap 14 20/21',
			'twenty',
		]);
		assert.deepEqual([before.gaps.length, before.gaps.slice(0, 3), before.gaps.at(-1)], [16, [0, 1, 5], 18]);
		assert.deepEqual([after.gaps.length, after.gaps.slice(0, 3), after.gaps.at(-1)], [16, [0, 1, 6], 19]);
	});

	test('have one line per gap if a very large number of lines is missing', () => {
		const far = (line: number): readonly string[] =>
			linesOf(sidesOf(`--- a/a\n+++ b/a\n@@ -${line},1 +${line},1 @@\n-x\n+y\n`).before);
		assert.equal(far(10_001).length, 10_002);
		assert.deepEqual(far(10_002), ['gap 10001 10002/10002', 'x', 'gap ? end']);
		assert.deepEqual(far(2_000_000_000), ['gap 1999999999 2000000000/2000000000', 'x', 'gap ? end']);
	});

	test('an added and a deleted file have no gap', () => {
		const added = '--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+one\n+two\n';
		const none = { text: '', gaps: [], lines: [] };
		const shown = (kind: string, starts: readonly number[]): unknown =>
			starts.map((start, line) => ({ line, kind, hunk: 0, start, end: start + 4 }));
		assert.deepEqual(sidesOf(added, true), {
			before: none,
			after: { text: 'one\ntwo\n', gaps: [], lines: shown('added', [40, 45]) },
		});
		const deleted = '--- a/old\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n';
		assert.deepEqual(sidesOf(deleted, true).before, {
			text: 'one\ntwo\n',
			gaps: [],
			lines: shown('removed', [40, 45]),
		});
		assert.deepEqual(sidesOf(deleted, true).after, none);
	});

	test('a side without a final line feed has git’s marker, and nothing follows', () => {
		const { before, after } = sidesOf(
			'--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n',
		);
		assert.equal(before.text, 'one\ntwo\n\\ No newline at end of file\n');
		assert.equal(after.text, 'one\ntwo\n');
	});

	test('a hunk without trailing context is the end of the file, because git applies it nowhere else', () => {
		const { after } = sidesOf('--- a/a\n+++ b/a\n@@ -5,2 +5,3 @@\n one\n two\n+three\n');
		assert.ok(after.text.endsWith('three\n'), after.text);
	});

	test('a file with CR LF has plain lines, and one with mixed line ends shows the difference', () => {
		assert.equal(sidesOf('--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\r\n+two\r\n').after.text, 'two\ngap ? end\n');
		const { before, after } = sidesOf('--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\r\n+one\n');
		assert.equal(before.text, 'one\u240D\ngap ? end\n');
		assert.equal(after.text, 'one\ngap ? end\n');
	});

	test('spells out characters that end a line elsewhere or look binary', () => {
		assert.equal(writtenOut('a\0b\rc\u2028d\u2029e'), 'a\u2400b\u240Dc⟨U+2028⟩d⟨U+2029⟩e');
		assert.equal(writtenOut('plain \u202E text'), 'plain \u202E text');
	});

	test('contradictory headers make a gap of unknown length', () => {
		const { before } = sidesOf('--- a/a\n+++ b/a\n@@ -10,1 +5,1 @@\n-one\n+two\n@@ -3,1 +3,1 @@\n-x\n+y\n');
		assert.equal(linesOf(before)[0], 'gap ? 10/5');
	});

	test('for a hundred diffs by git, both sides are slices of the real files at their positions', function () {
		this.timeout(60_000);
		const random = createRandom(4);
		const made = Array.from({ length: 100 }, () => {
			const old = makeLines(random, 80);
			return { old, changed: edited(random, old) };
		});
		const results = runCases(
			'git diff --no-index --no-color old new',
			made.map(({ old, changed }, run) => ({ old: textOf(old, run), new: textOf(changed, run >> 1) })),
		);
		let compared = 0;
		for (const [run, { old, changed }] of made.entries()) {
			const diff = results[run]?.stdout.toString() ?? '';
			if (diff !== '') {
				checkAgainst(diff, old, changed);
				compared += 1;
			}
		}
		assert.ok(compared > 80, `${compared}`);
	});
});

function checkAgainst(diff: string, old: readonly string[], changed: readonly string[]): void {
	const [file] = parseDiff(diff).files;
	assert.ok(file?.content.kind === 'text');
	const { hunks } = file.content;
	const { before, after } = diffSides(diff, hunks, false, gapText);
	const slices = (lines: readonly string[], side: 'old' | 'new'): readonly string[] =>
		hunks.flatMap((hunk) => {
			const [start, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
			return count === 0 ? [] : lines.slice(start - 1, start - 1 + count).map(writtenOut);
		});
	for (const [side, lines] of [
		[before, old],
		[after, changed],
	] as const) {
		const shown = side.lines.map(({ line }) => [line, linesOf(side)[line]]);
		assert.deepEqual(
			shown,
			shown.map(([at]) => [at, writtenOut(lines[Number(at)] ?? '')]),
		);
	}
	assert.deepEqual(shownOf(before), slices(old, 'old'));
	assert.deepEqual(shownOf(after), slices(changed, 'new'));
	assert.deepEqual(
		before.gaps.map((at) => linesOf(before)[at]),
		after.gaps.map((at) => linesOf(after)[at]),
	);
	// Each counted gap matches the missing lines.
	const counted = before.gaps.map((at) => /^gap (\d+)/.exec(linesOf(before)[at] ?? '')?.[1]);
	const skipped = counted.reduce((sum, each) => sum + Number(each ?? 0), 0);
	const last = hunks.at(-1);
	assert.ok(last);
	assert.equal(skipped + shownOf(before).length, endOf(last));
	checkHunks(diff, hunks, { before, after });
}

/** The reverse: the hunks' lines, in order, use up both sides exactly. */
function checkHunks(diff: string, hunks: readonly Hunk[], { before, after }: DiffSides): void {
	const left = [...shownOf(before)];
	const right = [...shownOf(after)];
	for (const hunk of hunks) {
		for (const line of hunkLines(diff, hunk)) {
			if (line.kind !== 'added') {
				assert.equal(left.shift(), writtenOut(line.text));
			}
			if (line.kind !== 'removed') {
				assert.equal(right.shift(), writtenOut(line.text));
			}
		}
	}
	assert.deepEqual([left, right], [[], []]);
}

function endOf({ oldStart, oldLines }: Hunk): number {
	return oldLines === 0 ? oldStart : oldStart + oldLines - 1;
}

function makeLines(random: Random, count: number): string[] {
	return Array.from({ length: count }, (_, at) =>
		random.below(5) === 0 ? (oddLines[random.below(oddLines.length)] ?? '') : `line ${at}`,
	);
}

function edited(random: Random, lines: readonly string[]): string[] {
	const result = [...lines];
	for (let edit = 1 + random.below(5); edit > 0; edit -= 1) {
		result.splice(random.below(result.length + 1), random.below(4), ...makeLines(random, random.below(4)));
	}
	return result;
}

function textOf(lines: readonly string[], run: number): string {
	return `${lines.join('\n')}${run % 2 === 0 ? '\n' : ''}`;
}
