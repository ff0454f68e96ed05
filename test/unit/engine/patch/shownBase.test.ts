import assert from 'node:assert/strict';
import { parseDiff } from '../../../../src/engine/patch/parseDiff.ts';
import { shownBase } from '../../../../src/engine/patch/shownBase.ts';

/** Paths and contents of the base files of patches. */
function baseOf(...patches: readonly string[]): Readonly<Record<string, string>> {
	const base = shownBase(patches.map((diffText) => ({ diff: parseDiff(diffText), diffText })));
	assert.ok(base);
	return Object.fromEntries(Array.from(base, ([path, { content }]) => [path, Buffer.from(content).toString()]));
}

const toMode = (mode: string): string => `diff --git a/x b/x\nold mode 100644\nnew mode ${mode}\n`;
const removed = 'diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n';
const lines = '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n';
const link =
	'diff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n';

suite('files made from patches', () => {
	test('have a file that becomes a link, or is deleted and made anew later', () => {
		assert.deepEqual(baseOf(removed + lines + link), { x: 'one\n' });
		assert.deepEqual(baseOf(removed + lines, link), { x: 'one\n' });
	});

	test('are empty where git deletes them without a hunk, or states the id of no content by either hash', () => {
		assert.deepEqual(baseOf(removed), { x: '' });
		assert.deepEqual(baseOf(toMode('100755'), removed), { x: '' });
		for (const id of ['e69de29', '473a0f4']) {
			const filled = `diff --git a/x b/x\nindex ${id}..2222222 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+one\n`;
			assert.deepEqual(baseOf(filled), { x: '' });
		}
	});
});
