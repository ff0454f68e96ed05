import assert from 'node:assert/strict';
import { applyDiff, type ApplyOutcome } from '../../src/patch/applyDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const header = 'diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n';
const change = '@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n';
const numbers = lines(1, 12);

function lines(from: number, to: number): string {
	return Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('');
}

function apply(before: string, diff: string): ApplyOutcome {
	const [file] = parseDiff(diff).files;
	assert.ok(file);
	return applyDiff(before, diff, file);
}

function refused(hunk: number, reason: string): unknown {
	return { kind: 'refused', hunk, reason };
}

suite('applyDiff', () => {
	test('applies a change at its place', () => {
		assert.deepEqual(apply(numbers, header + change), {
			kind: 'applied',
			after: numbers.replace('6\n', 'six\n'),
			hunks: [{ offset: 0, fuzz: 0 }],
		});
	});

	test('reports the line offset of a hunk', () => {
		const second = '@@ -20,3 +20,4 @@\n 20\n+new\n 21\n 22\n';
		const text = lines(1, 30);
		const expected = `a\nb\n${text.replace('6\n', 'six\n').replace('20\n', '20\nnew\n')}`;
		assert.deepEqual(apply(`a\nb\n${text}`, header + change + second), {
			kind: 'applied',
			after: expected,
			hunks: [
				{ offset: 2, fuzz: 0 },
				{ offset: 2, fuzz: 0 },
			],
		});
	});

	test('prefers the nearer of two places, and the later one at equal distance', () => {
		const twice = `-\nx\n${'-\n'.repeat(3)}x\n${'-\n'.repeat(3)}x\n-\n`;
		const hunk = (at: number): string => `${header}@@ -${at - 1},3 +${at - 1},3 @@\n -\n-x\n+y\n -\n`;
		const at = (place: number): string => twice.replaceAll('x', (_, found: number) => (found === place ? 'y' : 'x'));
		assert.equal(textOf(apply(twice, hunk(5))), at(10));
		assert.equal(textOf(apply(twice, hunk(3))), at(2));
		assert.equal(textOf(apply(twice, hunk(4))), at(10));
	});

	test('reports how much context it ignored and leaves those lines unchanged', () => {
		const changed = numbers.replace('3\n', 'three\n').replace('9\n', 'nine\n');
		assert.deepEqual(apply(changed, header + change), {
			kind: 'applied',
			after: changed.replace('6\n', 'six\n'),
			hunks: [{ offset: 0, fuzz: 1 }],
		});
		const more = changed.replace('4\n', 'four\n');
		assert.deepEqual(apply(more, header + change), {
			kind: 'applied',
			after: more.replace('6\n', 'six\n'),
			hunks: [{ offset: 0, fuzz: 2 }],
		});
		assert.deepEqual(apply(more.replace('5\n', 'five\n'), header + change), refused(0, 'noMatch'));
	});

	test('never ignores removed lines', () => {
		assert.deepEqual(apply(numbers.replace('6\n', '!\n'), header + change), refused(0, 'noMatch'));
	});

	test('refuses all hunks if one has no place, and names it', () => {
		const second = '@@ -20,3 +20,4 @@\n a\n+new\n b\n c\n';
		assert.deepEqual(apply(numbers, header + change + second), refused(1, 'noMatch'));
	});

	test('applies hunks in any order, but not to lines of another hunk', () => {
		const hunk = (at: number): string => `@@ -${at - 1},3 +${at - 1},3 @@\n -\n-x\n+y\n -\n`;
		assert.equal(textOf(apply('-\nx\n-\n-\nx\n-\n', header + hunk(5) + hunk(2))), '-\ny\n-\n-\ny\n-\n');
		assert.deepEqual(apply('-\nx\n-\nx\n-\n', header + hunk(2) + hunk(4)), refused(1, 'noMatch'));
	});

	test('creates a file only if there is none', () => {
		const diff =
			'diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n';
		assert.equal(textOf(apply('', diff)), 'a\nb');
		assert.deepEqual(apply('c\n', diff), refused(0, 'exists'));
	});

	test('deletes a file only if nothing remains', () => {
		const diff =
			'diff --git a/d b/d\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/d\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n';
		assert.equal(textOf(apply('a\nb\n', diff)), '');
		assert.deepEqual(apply('a\nb\nc\n', diff), refused(0, 'leavesText'));
		const bare = 'diff --git a/d b/d\ndeleted file mode 100644\n';
		assert.equal(textOf(apply('', bare)), '');
		assert.deepEqual(apply('a\n', bare), refused(0, 'leavesText'));
	});

	test('keeps CRs and missing line ends', () => {
		const diff = `${header}@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n+c\r\n`;
		assert.equal(textOf(apply('a\r\nb', diff)), 'a\r\nc\r\n');
		assert.deepEqual(apply('a\r\nb\n', diff), refused(0, 'noMatch'));
	});

	test('applies a diff with CRLF to a text without', () => {
		assert.equal(textOf(apply(numbers, (header + change).replaceAll('\n', '\r\n'))), numbers.replace('6\n', 'six\n'));
	});

	test('applies a hunk at the start or end of the file there, and elsewhere only with fuzz', () => {
		const first = `${header}@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n`;
		assert.equal(textOf(apply(numbers, first)), `0\n${numbers}`);
		assert.deepEqual(hunksOf(apply(`a\nb\nc\nd\n${numbers}`, first)), [{ offset: 4, fuzz: 1 }]);
		const last = `${header}@@ -10,3 +10,4 @@\n 10\n 11\n 12\n+13\n`;
		assert.equal(textOf(apply(`a\n${numbers}`, last)), `a\n${numbers}13\n`);
		assert.deepEqual(hunksOf(apply(`${numbers}a\nb\nc\nd\n`, last)), [{ offset: 0, fuzz: 1 }]);
	});

	test('applies a hunk without final line end only at the end of the file', () => {
		const end = '@@ -2,2 +2,2 @@\n a\n-x\n+y\n\\ No newline at end of file\n';
		assert.equal(textOf(apply('1\nb\nx\n', header + end)), '1\nb\ny');
		assert.deepEqual(apply('1\nx\n2\n', header + end), refused(0, 'noMatch'));
	});

	test('refuses a context line without line end if the file continues', () => {
		const diff = `${header}@@ -1,2 +1,3 @@\n+0\n 1\n 2\n\\ No newline at end of file\n`;
		assert.equal(textOf(apply('1\n2', diff)), '0\n1\n2');
		assert.deepEqual(apply('1\n2\n3\n', diff), refused(0, 'endInside'));
		assert.deepEqual(apply('1\n2\n', diff), refused(0, 'endInside'));
	});

	test('adds lines to an empty file only if the hunk has no lines before them', () => {
		const diff = `${header}@@ -0,0 +1 @@\n+1\n`;
		assert.equal(textOf(apply('', diff)), '1\n');
		assert.deepEqual(apply('2\n', diff), refused(0, 'noMatch'));
	});

	test('refuses damaged, binary and merge diffs with the reason', () => {
		assert.deepEqual(apply(numbers, `${header}@@ -1,9 +1,9 @@\n-1\n+one\n`), refused(0, 'damaged'));
		const binary = 'diff --git a/i b/i\nindex 1..2\nBinary files a/i and b/i differ\n';
		assert.deepEqual(apply('', binary), refused(0, 'merge'));
		assert.deepEqual(apply('', 'diff --cc x\nindex 1,2..3\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n'), refused(0, 'merge'));
	});

	test('keeps the text for a rename without hunks', () => {
		const diff = 'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n';
		assert.deepEqual(apply('a\r\nb', diff), { kind: 'applied', after: 'a\r\nb', hunks: [] });
	});

	test('ignores an empty line before the mark of a missing line end', () => {
		const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n\n\\ No newline at end of file\n';
		assert.deepEqual(
			apply('a\n', diff),
			apply('a\n', diff.replace('-1,2 +1,2', '-1 +1').replace('\n\n\\ No newline at end of file', '')),
		);
	});
});

interface Moved {
	readonly name: string;
	readonly before: string;
	readonly hunks: string;
	/** Offset and fuzz of each hunk. */
	readonly places: readonly (readonly [offset: number, fuzz: number])[];
}

const adding = (at: number, newStart: number): string =>
	`@@ -${at - 1},3 +${newStart},4 @@\n ${at - 1}\n ${at}\n+new\n ${at + 1}\n`;
const removing = (at: number, newStart: number): string =>
	`@@ -${at - 1},3 +${newStart},2 @@\n ${at - 1}\n-${at}\n ${at + 1}\n`;
const unordered = adding(20, 19) + removing(5, 4) + adding(12, 10) + removing(30, 29) + adding(37, 35);
const pair = `${'-\n'.repeat(5)}b\nx\nc\n-\n-\nb\nx\nc\n${'-\n'.repeat(3)}`;
const first = '@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n';

const movedCases: readonly Moved[] = [
	{
		name: 'ordered hunks that add and remove lines',
		before: lines(1, 40),
		hunks: adding(5, 4) + removing(12, 12) + removing(20, 19) + adding(30, 28),
		places: [
			[0, 0],
			[0, 0],
			[0, 0],
			[0, 0],
		],
	},
	{
		name: 'unordered hunks that add and remove lines',
		before: lines(1, 40),
		hunks: unordered,
		places: [
			[0, 0],
			[0, 0],
			[0, 0],
			[0, 0],
			[0, 0],
		],
	},
	{
		name: 'unordered hunks in a text with two more lines at its start',
		before: `a\nb\n${lines(1, 40)}`,
		hunks: unordered,
		places: [
			[2, 0],
			[2, 0],
			[2, 0],
			[2, 0],
			[2, 0],
		],
	},
	{
		name: 'a hunk with ignored lines next to another hunk',
		before: lines(1, 14),
		hunks: '@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n@@ -9,5 +9,5 @@\n 8x\n 9\n-10\n+ten\n 11\n 12x\n',
		places: [
			[0, 0],
			[-1, 1],
		],
	},
	{
		name: 'a hunk at the start with a full match elsewhere and a fuzzy match in place',
		before: `0\n1\n2\n3\n-\n${lines(1, 4)}`,
		hunks: first,
		places: [[5, 1]],
	},
	{
		name: 'a hunk at the end with a full match elsewhere and a fuzzy match in place',
		before: `${lines(1, 4)}-\n2\n3\n4\n0\n`,
		hunks: '@@ -6,4 +6,4 @@\n 1\n 2\n 3\n-4\n+four\n',
		places: [[-5, 1]],
	},
	{
		name: 'a hunk without its first line between two places, nearer to the upper one',
		before: pair,
		hunks: '@@ -9,4 +9,4 @@\n a\n b\n-x\n+y\n c\n',
		places: [[-4, 1]],
	},
	{
		name: 'a hunk without its first line between two places, nearer to the lower one',
		before: pair,
		hunks: '@@ -10,4 +10,4 @@\n a\n b\n-x\n+y\n c\n',
		places: [[0, 1]],
	},
	{
		name: 'a new line end on the last line',
		before: '1\n2\n3',
		hunks: '@@ -2,2 +2,2 @@\n 2\n-3\n\\ No newline at end of file\n+three\n',
		places: [[0, 0]],
	},
];

suite('applying a diff to another text', () => {
	let exact: ReturnType<typeof runCases> = [];
	let loose: typeof exact = [];
	suiteSetup(() => {
		const files = movedCases.map(({ before, hunks }) => ({ x: before, diff: header + hunks }));
		exact = runCases('git apply diff && mv x after', files);
		loose = runCases('git apply -C1 diff && mv x after', files);
	});

	for (const [at, { name, before, hunks, places }] of movedCases.entries()) {
		test(`gives the result of git apply, or of git apply -C with fuzz: ${name}`, () => {
			const isFuzzy = places.some(([, fuzz]) => fuzz > 0);
			assert.equal(exact[at]?.file('after') === undefined, isFuzzy);
			assert.deepEqual(apply(before, header + hunks), {
				kind: 'applied',
				after: (isFuzzy ? loose : exact)[at]?.file('after')?.toString(),
				hunks: places.map(([offset, fuzz]) => ({ offset, fuzz })),
			});
		});
	}

	test('does not ignore context that another hunk shows', () => {
		const both = '@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n@@ -8,5 +8,5 @@\n 7x\n 8\n-9\n+nine\n 10\n 11x\n';
		assert.deepEqual(apply(lines(1, 14), header + both), refused(1, 'noMatch'));
	});

	test('does not join lines', () => {
		const mark = '\\ No newline at end of file\n';
		const fresh = (line: string): string => `@@ -5,0 +6 @@\n+${line}\n`;
		const created = '--- /dev/null\n+++ b/x\n';
		assert.equal(textOf(apply('', created + fresh('a') + fresh('b'))), 'a\nb\n');
		assert.deepEqual(apply('', created + fresh('a') + mark + fresh('b')), refused(1, 'noMatch'));
		const open = `${header}@@ -2,2 +2,2 @@\n 2\n-3\n+three\n${mark}`;
		assert.deepEqual(apply(numbers, open), refused(0, 'noMatch'));
		assert.equal(textOf(apply('1\n2\n3\n', open)), '1\n2\nthree');
	});

	test('refuses final context if only blanks follow, and uses fuzz if text follows', () => {
		const diff = `${header}@@ -1,2 +1,2 @@\n-1\n+one\n 2\n\\ No newline at end of file\n`;
		const found = ['1\n2', '1\n2\n', '1\n2 \t\r\n3\n', '1\n2x\n3\n', '1\n2 x\n3\n', '1\nx2\n'].map((before) =>
			hunksOf(apply(before, diff)),
		);
		const fuzzy = [{ offset: 0, fuzz: 1 }];
		assert.deepEqual(found, [[{ offset: 0, fuzz: 0 }], 'endInside', 'endInside', fuzzy, fuzzy, fuzzy]);
	});
});

function hunksOf(outcome: ApplyOutcome): unknown {
	return outcome.kind === 'applied' ? outcome.hunks : outcome.reason;
}

function textOf(outcome: ApplyOutcome): string {
	return outcome.kind === 'applied' ? outcome.after : `refused: ${outcome.reason}`;
}
