import assert from 'node:assert/strict';
import { isMisappliedByGit, type DamageKind } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { triedFile } from '../../src/patch/tryFile.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const header = 'diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n';
const plain = '--- a/x\n+++ b/x\n';
const change = '@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n';
const made = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n';
const marker = '\\ No newline at end of file\n';
/** The end of a mail, after every diff. */
const tail = '-- \n2.39.5\n';
const numbers = Array.from({ length: 9 }, (_, at) => `${at + 1}\n`).join('');

interface Case {
	readonly name: string;
	readonly diff: string;
	readonly kind: DamageKind;
	/** The `x` that git makes, unless it refuses the diff. */
	readonly after?: string;
}

const cases: readonly Case[] = [
	{ name: 'a hunk without a change', diff: `${header}@@ -5,2 +5,2 @@\n 5\n 6\n`, kind: 'noChange' },
	{ name: 'a hunk without lines', diff: `${header}@@ -3,0 +3,0 @@\n`, kind: 'noChange' },
	{ name: 'a header with ids alone', diff: 'diff --git a/x b/x\nindex 1111111..2222222 100644\n', kind: 'onlyHeader' },
	{ name: 'a header with a similarity alone', diff: 'diff --git a/x b/x\nsimilarity index 100%\n', kind: 'onlyHeader' },
	{ name: 'a header with one mode', diff: 'diff --git a/x b/x\nold mode 100644\n', kind: 'onlyHeader' },
	{ name: 'a header with a new mode alone', diff: 'diff --git a/x b/x\nnew mode 100755\n', kind: 'onlyHeader' },
	{
		name: 'a header with the same mode twice',
		diff: 'diff --git a/x b/x\nold mode 100644\nnew mode 100644\n',
		kind: 'onlyHeader',
	},
	{ name: 'a header with names alone', diff: header, kind: 'onlyHeader' },
	{
		name: 'a header without names above a plain diff',
		diff: `diff --git lost\nlost\n${plain}${change}`,
		kind: 'namelessHeader',
	},
	{ name: 'a header without names below a diff', diff: `${header}${change}diff --git a/x\n`, kind: 'namelessHeader' },
	{ name: 'two names in prose', diff: `diff --git a/x b/y\nis prose\n${plain}${change}`, kind: 'namelessHeader' },
	{
		name: 'a new file with old lines',
		diff: `--- /dev/null\n+++ b/x\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n`,
		kind: 'wrongSide',
	},
	{ name: 'a deleted file with new lines', diff: `--- a/x\n+++ /dev/null\n@@ -1,2 +1 @@\n-1\n 2\n`, kind: 'wrongSide' },
	{
		name: 'a hunk that only adds, without context',
		diff: `${header}@@ -2,0 +3 @@\n+new\n`,
		kind: 'noContext',
		after: `${numbers}new\n`,
	},
	{
		name: 'a hunk that replaces, without context',
		diff: `${header}@@ -2 +2,2 @@\n-9\n+9\n+new\n`,
		kind: 'noContext',
		after: `${numbers}new\n`,
	},
	{
		name: 'a hunk without context behind it, and another one',
		diff: `${header}@@ -1,2 +1,2 @@\n 1\n-2\n+two\n@@ -5,3 +5,3 @@\n 5\n-6\n+six\n 7\n`,
		kind: 'noContext',
	},
	{
		name: 'a marker behind context in front of a change',
		diff: `${header}@@ -2,3 +2,4 @@\n 2\n${marker}+new\n 3\n 4\n`,
		kind: 'endInside',
	},
	{
		name: 'a marker behind an added line in front of context',
		diff: `${header}@@ -2,3 +2,4 @@\n 2\n+new\n${marker} 3\n 4\n`,
		kind: 'endInside',
		after: numbers.replace('3\n', 'new3\n'),
	},
	{
		name: 'a marker at the end of a hunk with another one behind it',
		diff: `${header}@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n${marker}@@ -5,3 +5,3 @@\n 5\n-6\n+six\n 7\n`,
		kind: 'endInside',
		after: numbers.replace('2\n', 'two\n').replace('3\n', '3').replace('6\n', 'six\n'),
	},
	{
		name: 'a short line in place of a marker',
		diff: `${header}@@ -1,2 +1,2 @@\n-1\n\\ no\n+one\n 2\n`,
		kind: 'wrappedLine',
	},
	{
		name: '/dev/null for a file without a deletion header',
		diff: `diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1,9 +0,0 @@\n${numbers.replaceAll(/^(?=.)/gm, '-')}`,
		kind: 'devNull',
	},
	{
		name: 'a file created twice',
		diff: `${made}@@ -0,0 +1 @@\n+one\n${made}@@ -0,0 +1 @@\n+two\n`,
		kind: 'madeTwice',
		after: numbers,
	},
	{
		name: 'a new file with the mode of a folder',
		diff: `${made.replace('100644', '040000')}@@ -0,0 +1 @@\n+one\n`,
		kind: 'folderMode',
		after: numbers,
	},
	{ name: 'an old mode without a type', diff: `${header}${change}`.replace('100644', '644'), kind: 'badHeader' },
	{
		name: 'a quoted name that goes on in the next lines',
		diff: `${header}${change}`.replace('+++ b/x', '+++ "b/x').replace('three', 'three"'),
		kind: 'badHeader',
	},
	{
		name: 'a quoted name of a plain diff that goes on in the next lines',
		diff: `${plain}${change}`.replace('+++ b/x', '+++ "b/x').replace('three', 'three"'),
		kind: 'badHeader',
	},
	{
		name: 'a header of another file above a change of mode',
		diff: 'diff --git a/x b/x\ndiff --git a/y b/y\nold mode 100644\nnew mode 100755\n',
		kind: 'loneHeader',
		after: numbers,
	},
	{
		name: 'a header of another file above a diff',
		diff: `diff --git a/y b/y\nis prose\n${header}${change}`,
		kind: 'loneHeader',
	},
	{ name: 'a path out of the folder', diff: `${header}${change}`.replaceAll('/x', '/../x'), kind: 'unsafePath' },
	...['from', 'to'].map((side): Case => ({
		name: `a rename ${side} a path out of the folder`,
		diff: 'diff --git a/x b/y\nrename from x\nrename to y\n'.replace(`${side} `, `${side} ../`),
		kind: 'unsafePath',
	})),
	{ name: 'a path into .git', diff: `${header}${change}`.replaceAll('/x', '/d/.GIT/x'), kind: 'unsafePath' },
	{
		name: 'a plain diff of a short name of .git',
		diff: `${plain}${change}`.replaceAll('/x', '/git~1/x'),
		kind: 'unsafePath',
	},
	{
		name: 'binary data without whole ids',
		diff: 'diff --git a/y b/y\nnew file mode 100644\nindex 0000000..2222222\nGIT binary patch\nliteral 3\nKcmYdfNCE%>hycU@\n\n',
		kind: 'badHeader',
	},
	{
		name: 'binary data with one whole id',
		diff: `diff --git a/y b/y\nnew file mode 100644\nindex 0000000..${'2'.repeat(40)}\nGIT binary patch\nliteral 3\nKcmYdfNCE%>hycU@\n\n`,
		kind: 'badHeader',
	},
	{
		name: 'names without prefixes beside names with them',
		diff: `${header}${change}${(header + change).replaceAll(/[ab]\/x/g, 'src/y')}`,
		kind: 'noPrefix',
	},
];

suite('diffs that git refuses or misapplies', () => {
	let byGit: ReturnType<typeof runCases> = [];
	suiteSetup(() => {
		byGit = runCases(
			'git apply diff && mv x after',
			cases.map(({ diff }) => ({ diff: diff + tail, x: numbers })),
		);
	});

	for (const [at, { name, diff, kind, after }] of cases.entries()) {
		test(`${name}: ${kind}`, () => {
			assert.equal(byGit[at]?.file('after')?.toString(), after);
			const damage = parseDiff(diff + tail).files.flatMap((file) => file.damage);
			assert.deepEqual(new Set(damage.map((each) => each.kind)), new Set([kind]));
			assert.ok(after === undefined || damage.every(isMisappliedByGit));
		});
	}

	test('names without a/ and b/ give the result of git apply -p0', () => {
		const bare = (header + change).replaceAll(/[ab]\/x/g, 'src/x');
		const moved = 'diff --git old new\nsimilarity index 100%\nrename from old\nrename to new\n';
		const added =
			'diff --git n n\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+n\n';
		const quoted =
			'diff --git "gr\\303\\274n" "gr\\303\\274ner"\nrename from "gr\\303\\274n"\nrename to "gr\\303\\274ner"\n';
		const copied = 'diff --git old src/copy\ncopy from old\ncopy to src/copy\n';
		const mode = 'diff --git src/m src/m\nold mode 100644\nnew mode 100755\n';
		const gone = '--- lib/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n';
		const plain = bare.slice(bare.indexOf('---')).replaceAll('src/x', 'lib/y');
		const all = [bare, moved, added, plain, gone, quoted, copied, mode];
		const { isBare, files } = parseDiff(all.join(''));
		const [result] = runCases('git apply --numstat -z -p0 diff', [{ diff: all.join('') }]);
		const rows = files.map((file) => `${file.added}\t${file.removed}\t${file.newPath ?? file.oldPath}`);
		assert.deepEqual(result?.stdout.toString().split('\0').slice(0, -1), rows);
		assert.ok(isBare && files.every(({ damage }) => damage.length === 0));
		assert.deepEqual(
			files.map(({ newPath, oldPath }) => newPath ?? oldPath),
			['src/x', 'new', 'n', 'lib/y', 'lib/z', 'grüner', 'src/copy', 'src/m'],
		);
		for (const one of all) {
			assert.equal(parseDiff(bare + one).isBare, true, one);
		}
	});

	test('names without folders beside names with prefixes are damage', () => {
		const told = (names: string, lines: string): unknown =>
			parseDiff(`${header}${change}diff --git ${names}\n${lines}`).files.map(({ newPath, damage }) => [
				newPath,
				damage.map(({ kind }) => kind),
			]);
		const modes = 'old mode 100644\nnew mode 100755\n';
		const sides = (old: string, fresh: string): string => `--- ${old}\n+++ ${fresh}\n${change}`;
		assert.deepEqual(
			[
				told('README README', modes),
				told('README README', sides('README', 'README')),
				told('README README', sides('README', 'OTHER')),
				told('README OTHER', sides('README', 'README')),
			],
			[
				[
					['x', []],
					['README', ['noPrefix']],
				],
				[
					['x', []],
					['README', ['noPrefix']],
				],
				[
					['x', []],
					['README', ['badHeader']],
				],
				[
					['x', []],
					['README', ['badHeader']],
				],
			],
		);
	});

	test('a binary change of a file from the null id is refused, as by git', () => {
		const from = (id: string): string =>
			`diff --git a/f b/f\nindex ${id}..97cc663ca01800f83407f765dbdcd4736efa86bc 100644\nGIT binary patch\nliteral 3\nKcmYdhNC5x=kO0U4\n\nliteral 3\nKcmYdfNCE%>hycU@\n\n`;
		const texts = ['20b5be91886d0b6f26dc98a225c0dac05fe2c86e', '0'.repeat(40)].map(from);
		const byGit = runCases(
			'git apply diff && echo done',
			texts.map((diff) => ({ diff, f: 'a\0b' })),
		).map(({ stdout }) => stdout.length > 0);
		const old = { kind: 'file', content: Buffer.from('a\0b'), mode: '100644' } as const;
		const byUs = texts.map((text) => {
			const [file] = parseDiff(text).files;
			assert.ok(file);
			return triedFile({ text, file, old, target: undefined }).verdict.kind === 'applies';
		});
		assert.deepEqual([byUs, byGit], [byGit, [true, false]]);
	});

	test('names with other prefixes than a/ and b/ still have prefixes', () => {
		for (const names of [
			'diff --git i/x w/x\n--- i/x\n+++ w/x\n',
			'diff --git a/x a/x\n--- a/x\n+++ b/x\n',
			'diff --git a/x a/x\n--- b/x\n+++ a/x\n',
			'--- x.orig\n+++ x\n',
			'--- old/src/x\n+++ new/src/x\n',
		]) {
			assert.equal(parseDiff(names + change).isBare, false, names);
		}
	});
});
