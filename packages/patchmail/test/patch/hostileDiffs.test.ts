import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { applyDiff } from '../../src/patch/applyDiff.ts';
import { binaryContent } from '../../src/patch/binaryContent.ts';
import type { FileDiff, Hunk } from '../../src/patch/fileDiff.ts';
import { hunkLines } from '../../src/patch/hunkLines.ts';
import { reversedPatchId } from '../../src/patch/reversedPatchId.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { growthOf, isSlowEachTime, mostGrowth } from '../../../../test/support/cpuTime.ts';
import { encodeBase85 } from '../support/encodeBase85.ts';
import { mutateText } from '../../../../test/support/mutateText.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { oddLines } from '../../../../test/support/patchMaker.ts';
import { tortureDiffs } from '../support/tortureDiffs.ts';

const slow = { limitMs: 50, repeats: 3 };
const longText = Array.from({ length: 300 }, (_, line) => `line ${line % 7}\n`).join('');
const longDiff = `diff --git a/long b/long\nindex 1..2 100644\n--- a/long\n+++ b/long\n${Array.from(
	{ length: 40 },
	(_, hunk) => `@@ -${hunk * 7 + 1},3 +${hunk * 7 + 1},4 @@\n line 0\n line 1\n+new\n line 2\n`,
).join('')}`;
const delta =
	'diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\ndelta 8\nPcmYdfNMHa0kpL0_0x|#q\n\ndelta 4\nLcmYdfNJ<6(0<Qrl\n\n';

const seeds: readonly [string, ...string[]] = [
	longDiff,
	delta,
	delta,
	...tortureDiffs.map(({ text }) => text),
	tortureDiffs.map(({ text }) => text).join('prose\n'),
];
const oddParts: readonly [string, ...string[]] = [
	'@@ -1 +1 @@\n',
	'@@ -1,99999 +1,99999 @@\n',
	'diff --git ',
	'--- a/x\n+++ b/x\n',
	'"',
	'\\',
	'\\777',
	' b/',
	'/dev/null',
	'GIT binary patch\n',
	'literal 99999999\n',
	'delta 5\n',
	'\0',
	'\r',
	'\ud800',
	'\u202e',
	...oddLines.map((line) => `\n${line}\n`),
];

function hunksOf({ content }: FileDiff): readonly Hunk[] {
	return content.kind === 'text' ? content.hunks : [];
}

/** Runs everything that the program does with a diff. */
function readWhole(text: string, before: string): void {
	const parsed = parseDiff(text);
	reversedPatchId(text, parsed);
	for (const file of parsed.files) {
		for (const hunk of hunksOf(file)) {
			for (const line of hunkLines(text, hunk)) {
				assert.ok(!line.text.includes('\n'));
			}
		}
		applyDiff(file.change === 'added' ? '' : before, text, file);
		if (file.content.kind === 'binary' && file.content.forward !== undefined) {
			binaryContent(text, file.content.forward, Buffer.from(before));
		}
	}
}

/** Invariants of every reading. */
function checkReading(text: string): void {
	const { files, added, removed, start, end } = parseDiff(text);
	let last = start;
	for (const file of files) {
		assert.ok(file.start >= last && file.end > file.start && file.end <= end);
		assert.ok(file.oldPath !== undefined || file.newPath !== undefined);
		assert.ok(file.oldPath !== '' && file.newPath !== '');
		last = file.end;
		let at = file.start;
		for (const hunk of hunksOf(file)) {
			assert.ok(hunk.start >= at && hunk.end >= hunk.start && hunk.end <= file.end);
			at = hunk.end;
			checkHunk(text, file, hunk);
		}
		assert.ok(file.damage.every((damage) => damage.at >= file.start && damage.at <= text.length));
	}
	assert.equal(
		added,
		files.reduce((sum, file) => sum + file.added, 0),
	);
	assert.equal(
		removed,
		files.reduce((sum, file) => sum + file.removed, 0),
	);
}

function checkHunk(text: string, file: FileDiff, hunk: Hunk): void {
	const kinds = [...hunkLines(text, hunk)].map(({ kind }) => kind);
	const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
	if (file.damage.length === 0) {
		assert.equal(count('added'), hunk.added);
		assert.equal(count('removed'), hunk.removed);
		assert.equal(count('context') + hunk.added, hunk.newLines);
		assert.equal(count('context') + hunk.removed, hunk.oldLines);
	}
}

suite('hostile diffs', function () {
	this.timeout(1_800_000);

	testInBoth('mutated diffs parse without errors, within bounds and in time', () => {
		const random = createRandom(seed() + 2);
		const slowTexts = new Array<string>();
		let damaged = 0;
		for (let round = counts({ first: 1000, small: 3000, full: 500_000 }); round > 0; round--) {
			const text = mutateText(random, seeds, oddParts);
			if (isSlowEachTime(() => readWhole(text, longText), slow)) {
				slowTexts.push(text);
			}
			checkReading(text);
			damaged += parseDiff(text).files.some(({ damage }) => damage.length > 0) ? 1 : 0;
		}
		assert.deepEqual(slowTexts, []);
		assert.ok(damaged > 100);
	});

	const families: readonly (readonly [string, (size: number) => string])[] = [
		['names that may end anywhere', (size) => `diff --git ${'a/ '.repeat(size)}\nindex 1..2\n`],
		[
			'names with blanks and then slashes',
			(size) => `diff --git a/${' '.repeat(size)}${'/'.repeat(size)}\nindex 1..2\n`,
		],
		['quoted names of escapes', (size) => `diff --git "a/${'\\303\\274'.repeat(size)}" b\nindex 1..2\n`],
		['quotes that never end', (size) => `diff --git ${'"a/x '.repeat(size)}\nindex 1..2\n`],
		[
			'modes that repeat',
			(size) =>
				`diff --git a/x b/x\n${'old mode 100644\n'.repeat(size)}new mode 100755\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`,
		],
		['lines that begin a diff', (size) => 'diff --git a/x b/x\n'.repeat(size)],
		['lines that begin a plain diff', (size) => '--- a/x\n+++ b/x\n'.repeat(size)],
		['headers without hunks', (size) => 'diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n'.repeat(size)],
		[
			'headers of hunks that count too many',
			(size) => `--- a/x\n+++ b/x\n${'@@ -1,99999 +1,99999 @@\n a\n'.repeat(size)}`,
		],
		['headers of hunks that cannot be read', (size) => `--- a/x\n+++ b/x\n${'@@ -1,x +1 @@\n a\n'.repeat(size)}`],
		['one hunk of broken lines', (size) => `--- a/x\n+++ b/x\n@@ -1,9999999 +1,9999999 @@\n${'broken\n'.repeat(size)}`],
		['empty lines', (size) => `--- a/x\n+++ b/x\n@@ -1,9999999 +1,9999999 @@\n${'\n'.repeat(size)}`],
		['marks of missing line ends', (size) => `--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n${'\\ No newline\n'.repeat(size)}`],
		['lines of a header', (size) => `diff --git a/x b/x\n${'old mode 100644\n'.repeat(size)}`],
		['names without a folder', (size) => `diff --git a/x b/x\n${'--- README\n'.repeat(size)}`],
		['a mode behind blanks', (size) => `diff --git a/x b/x\nnew mode ${' '.repeat(size)}100755${'0'.repeat(size)}\n`],
		['one line of a header', (size) => `diff --git a/x b/x\nsimilarity index ${'9'.repeat(size)}\n`],
		['one long time', (size) => `--- a/x\t${'2020-01-01 '.repeat(size)}\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`],
		['one long name of blanks', (size) => `--- a/${' \t'.repeat(size)}x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`],
		[
			'binary lines',
			(size) => `diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 9\n${`z${'0'.repeat(65)}\n`.repeat(size)}\n`,
		],
		[
			'binary patches that break off',
			(size) => 'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 9\nz000\n'.repeat(size),
		],
		['merges', (size) => 'diff --cc x\nindex 1,2..3\n@@@ -1,9 -1,9 +1,9 @@@\n  a\n'.repeat(size)],
		[
			'a merge of many lines',
			(size) => `diff --cc x\nindex 1,2..3\n@@@ -1,9999999 -1,9999999 +1,9999999 @@@\n${'  a\n'.repeat(size)}`,
		],
		['a header of a merge with many parents', (size) => `diff --cc x\nindex 1\n@@@${' -1,1'.repeat(size)} +1 @@@\n`],
		['sections', (size) => `--- a/x\n+++ b/x\n@@ -1 +1 @@${' @@'.repeat(size)}\n-a\n+b\n`],
		['prose', (size) => 'd- \n'.repeat(size)],
		['one line of prose', (size) => '--- '.repeat(size)],
		['lines of minus signs', (size) => `--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n-a\n${'--- a\n'.repeat(size)}`],
		['CRs', (size) => `--- a/x\n+++ b/x\n@@ -1,9999999 +1,9999999 @@\n${'\r\n\r'.repeat(size)}`],
	];

	for (const [name, make] of families) {
		test(`${name}: parsing takes linear time`, () => {
			const growth = growthOf((text) => readWhole(text, 'a\n'), make, counts({ small: 2000, full: 8000 }));
			assert.ok(growth <= mostGrowth, String(growth));
		});
	}

	test('a text of equal lines cannot prolong the search', () => {
		const before = 'a\n'.repeat(60_000);
		const diff = `--- a/x\n+++ b/x\n@@ -1,40001 +1,40001 @@\n${' a\n'.repeat(20_000)}-b\n+c\n${' a\n'.repeat(20_000)}`;
		const [file] = parseDiff(diff).files;
		assert.deepEqual(applyDiff(before, diff, file!), { kind: 'refused', hunk: 0, reason: 'tooMuchWork' });
		assert.ok(!isSlowEachTime(() => applyDiff(before, diff, file!), slow));
	});

	test('reordered or unmatched hunks cannot prolong the search', () => {
		const before = Array.from({ length: 60_000 }, (_, at) => `${at}\n`).join('');
		const hunk = (at: number): string => `@@ -${at + 1},3 +${at + 1},3 @@\n ${at}\n-${at + 1}\n+x\n ${at + 2}\n`;
		const far = Array.from({ length: 4000 }, (_, at) => hunk(at % 2 === 0 ? 4 * at + 1 : 59_000 - 4 * at));
		const lost = `@@ -1,20001 +1 @@\n${'-a\n'.repeat(20_000)} b\n`;
		for (const [hunks, content] of [
			[far.toReversed().join(''), before],
			[far.join(''), before],
			[lost, 'a\n'.repeat(60_000)],
		] as const) {
			const text = `--- a/x\n+++ b/x\n${hunks}`;
			const [file] = parseDiff(text).files;
			// Half of the limit is for 4,000 hunks; a full search for each of them would take seconds.
			assert.ok(!isSlowEachTime(() => applyDiff(content, text, file!), { ...slow, limitMs: 100 }));
		}
	});

	test('oversized compressed data are refused immediately', () => {
		// 100 MB of zeros, compressed to a few kilobytes, that announce three bytes.
		const packed = deflateSync(Buffer.alloc(100_000_000));
		const text = `diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\n${encodeBase85(packed)}\n`;
		const { content } = parseDiff(text).files[0]!;
		assert.ok(content.kind === 'binary' && content.forward !== undefined);
		const data = content.forward;
		assert.deepEqual(binaryContent(text, data), { kind: 'refused', reason: 'badData' });
		assert.ok(!isSlowEachTime(() => binaryContent(text, data), slow));
		const honest = { ...data, size: 100_000_000 };
		assert.deepEqual(binaryContent(text, honest), { kind: 'refused', reason: 'tooLarge' });
	});
});
