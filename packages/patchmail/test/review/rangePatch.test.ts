import assert from 'node:assert/strict';
import { rangePatch, rawPatch } from '../../src/review/rangePatch.ts';
import { makePatchMail } from '../../../../test/support/patchMails.ts';

const hunk = '@@ -1 +1 @@ int a()\n-a\n+b\n';
const header = (modes = ''): string => `diff --git a/x b/x\n${modes}--- a/x\n+++ b/x\n`;
const linesOf = (diff: string): readonly string[] => {
	const { lines, diffFrom } = rangePatch(makePatchMail(`Why.\n---\n${diff}`), undefined);
	return lines.slice(diffFrom);
};

suite('patch in a range-diff', () => {
	const cases: readonly (readonly [diff: string, lines: readonly string[]])[] = [
		[`${header()}${hunk}`, [' ## x ##', '@@ x: int a()', '-a', '+b']],
		[
			`${header('old mode 100644\nnew mode 100755\n')}${hunk}`,
			[' ## x (mode change 100644 => 100755) ##', '@@ x: int a()', '-a', '+b'],
		],
		[
			'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@ int a()\n-a\n',
			[' ## x (deleted) ##', '@@ x: int a()', '-a'],
		],
		['diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n', [' ## x => y ##']],
		['diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n', [' ## y ##']],
		[
			'diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\nBinary files a/x and /dev/null differ\n',
			[' ## x (deleted) ##', ' Binary files x and /dev/null differ'],
		],
		[
			'diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/x differ\n',
			[' ## x (new) ##', ' Binary files /dev/null and x differ'],
		],
		[
			`${header()}@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n`,
			[' ## x ##', '@@', '-a', '+b', ' \\ No newline at end of file'],
		],
	];
	for (const [diff, lines] of cases) {
		test(`becomes ${lines[0]} from ${JSON.stringify(diff)}`, () => assert.deepEqual(linesOf(diff), lines));
	}

	test('has git log’s columns, author and ids, and only a head without files', () => {
		const patch = makePatchMail(`a\tb\né\u0301\t日本\tc \t\n---\n${header()}${hunk}`);
		const { lines, diffSize, binaries } = rangePatch(patch, 'abc');
		assert.deepEqual(lines.slice(0, 8), [
			' ## Metadata ##',
			'Author: Bob Builder <bob@forge.test>',
			'',
			' ## Commit message ##',
			'    Title',
			'',
			'    a       b',
			'    é\u0301       日本    c',
		]);
		assert.deepEqual([diffSize, binaries], [4, '']);
		const bare = rangePatch({ ...patch, author: undefined, diff: { ...patch.diff, files: [] } }, undefined);
		assert.deepEqual([bare.lines[1], bare.lines.at(-1), bare.diffFrom], ['Author: ', '    é\u0301       日本    c', 0]);
	});

	test('has the ids of binary files as far as the mail states them', () => {
		const binary = (name: string, index = ''): string =>
			`diff --git a/${name} b/${name}\n${index}Binary files a/${name} and b/${name} differ\n`;
		const gone = binary('z', 'deleted file mode 100644\nindex 1111111..0000000\n');
		const mail = makePatchMail(
			`Why.\n---\n${binary('x', 'index 1111111..2222222\n')}${binary('y', 'old mode 100644\nnew mode 100755\n')}${gone}`,
		);
		assert.equal(rangePatch(mail, undefined).binaries, 'x 2222222\ny \n 0000000\n');
	});

	test('consists of all lines of an unreadable mail', () => {
		assert.deepEqual(rawPatch('T', 'a\nb'), {
			id: undefined,
			title: 'T',
			lines: ['## Raw mail ##', 'a', 'b'],
			diffFrom: 1,
			diffSize: 2,
			binaries: '',
		});
	});
});
