import assert from 'node:assert/strict';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { isApplied } from '../../src/patch/reverseText.ts';
import { baseFiles } from '../../src/patch/baseFiles.ts';

/** Paths and contents of the base files of patches. */
function baseOf(...patches: readonly string[]): Readonly<Record<string, string>> | undefined {
	const base = baseFiles(patches.map((diffText) => ({ diff: parseDiff(diffText), diffText })));
	return base && Object.fromEntries(Array.from(base, ([path, { content }]) => [path, Buffer.from(content).toString()]));
}

const toMode = (mode: string): string => `diff --git a/x b/x\nold mode 100644\nnew mode ${mode}\n`;
const removed = 'diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n';
const lines = '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n';
const link =
	'diff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n';

suite('base files from patches', () => {
	test('include a file that becomes a link, or is deleted and created again', () => {
		assert.deepEqual(baseOf(removed + lines + link), { x: 'one\n' });
		assert.deepEqual(baseOf(removed + lines, link), { x: 'one\n' });
	});

	test('may have 200,000 lines, and so may a reversed hunk', () => {
		const count = 200_000;
		const text = `${removed}--- a/x\n+++ /dev/null\n@@ -1,${count} +0,0 @@\n${'-one\n'.repeat(count)}`;
		assert.deepEqual(baseOf(text), { x: 'one\n'.repeat(count) });
		const shorter = `--- a/x\n+++ b/x\n@@ -1,${count + 1} +1 @@\n${'-one\n'.repeat(count)} two\n`;
		const hunks = parseDiff(shorter).files.flatMap(({ content }) => (content.kind === 'text' ? content.hunks : []));
		assert.equal(isApplied('two\n', shorter, hunks), true);
	});

	test('are empty for a deletion without a hunk, or with the id of an empty blob', () => {
		assert.deepEqual(baseOf(removed), { x: '' });
		assert.deepEqual(baseOf(toMode('100755'), removed), { x: '' });
		for (const id of ['e69de29', '473a0f4']) {
			const filled = `diff --git a/x b/x\nindex ${id}..2222222 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+one\n`;
			assert.deepEqual(baseOf(filled), { x: '' });
		}
	});

	const edit = (hunks: string, mode = ''): string => `diff --git a/x b/x\n${mode}--- a/x\n+++ b/x\n${hunks}`;
	const whole = '@@ -1,2 +1 @@\n one\n-two\n\\ No newline at end of file\n';

	test('have the lines of the hunks in place, fillers between them, and missing line ends', () => {
		assert.deepEqual(baseOf(edit(whole)), { x: 'one\ntwo' });
		const middle = '@@ -3,7 +3,6 @@\n 3\n 4\n 5\n-6\n 7\n 8\n 9\n';
		const lines = [3, 4, 5, 6, 7, 8, 9].join('\n');
		assert.deepEqual(baseOf(edit(middle)), { x: `\u0001 line 1\n\u0001 line 2\n${lines}\n\u0001 line 10\n` });
		assert.deepEqual(baseOf(toMode('100755')), { x: '\u0001 line 1\n' });
	});

	test('have the mode from the first patch, or that of a plain file', () => {
		const modeOf = (mode: string): string | undefined => {
			const diffText = edit(whole, mode);
			return baseFiles([{ diff: parseDiff(diffText), diffText }])?.get('x')?.mode;
		};
		assert.deepEqual(['old mode 100755\nnew mode 100644\n', 'index 1111111..2222222 100755\n', ''].map(modeOf), [
			'100755',
			'100755',
			'100644',
		]);
	});

	test('do not exist for contradictory, damaged, binary and submodule patches', () => {
		const cut = edit('@@ -1,9 +1 @@\n one\n-two\n');
		const binary = 'diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n';
		const module = edit('@@ -1 +1 @@\n-one\n+two\n', 'index 1111111..2222222 160000\n');
		const changed = (line: number, one: string): string => `@@ -${line},3 +${line},3 @@\n a\n-${one}\n+other\n z\n`;
		const beyond = edit(changed(9, 'nine'));
		const over = edit(changed(5, 'five') + changed(2, 'two'));
		const twice = edit(changed(2, 'one') + changed(4, 'two'));
		const cases = [
			[edit(whole), edit(whole)],
			[cut],
			[binary],
			[module],
			[removed + lines, beyond],
			[over],
			[twice],
			[edit(changed(1, 'one')), edit(changed(1, 'one'))],
			[edit(whole), beyond],
		];
		assert.deepEqual(
			cases.map((each) => baseOf(...each)),
			cases.map(() => undefined),
		);
	});
});
