import assert from 'node:assert/strict';
import { applyDiff } from '../../../src/patch/applyDiff.ts';
import { parseDiff } from '../../../src/patch/parseDiff.ts';

/** What a removal of a line without any context makes of a text. */
function removed(before: string, line: number): string {
	const diff = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -${line} +${line - 1},0 @@\n-x\n`;
	const [file] = parseDiff(diff).files;
	assert.ok(file);
	const outcome = applyDiff(before, diff, file);
	return outcome.kind === 'applied' ? outcome.after : outcome.reason;
}

suite('hunks without context', () => {
	test('apply where they say, or at the only place that fits, and never at one of several', () => {
		assert.equal(removed('a\nx\nb\nx\n', 2), 'a\nb\nx\n');
		assert.equal(removed('a\nx\nb\n', 9), 'a\nb\n');
		assert.equal(removed('a\nx\nb\nx\n', 9), 'noMatch');
	});
});

suite('the likeness of a renaming', () => {
	test('is told up to the whole', () => {
		const likeness = (percent: string): number | undefined =>
			parseDiff(`diff --git a/o b/n\nsimilarity index ${percent}%\nrename from o\nrename to n\n`).files[0]?.similarity;
		assert.deepEqual([likeness('0'), likeness('87'), likeness('100'), likeness('101')], [0, 87, 100, undefined]);
	});
});
