import assert from 'node:assert/strict';
import { diffSides, type Gap } from '../../../../src/editor/patchDocuments/diffSides.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';

/** The gaps of a diff with their line counts and next line numbers. */
function gapsOf(diff: string): readonly string[] {
	const [file] = parseDiff(diff).files;
	assert.ok(file?.content.kind === 'text');
	const gaps: string[] = [];
	const gapText = ({ lines, next }: Gap): string => {
		gaps.push(`${lines ?? '?'} ${next ? `${next.before}/${next.after}` : 'end'}`);
		return '';
	};
	diffSides(diff, file.content.hunks, false, gapText);
	return [...new Set(gaps)];
}

suite('gaps of a diff without context', () => {
	test('count the lines before an insertion, whose side without lines names the line before it', () => {
		assert.deepEqual(gapsOf('--- a/a\n+++ b/a\n@@ -10,0 +11,2 @@\n+one\n+two\n'), ['10 11/11', '? end']);
	});

	test('count the lines before and after a removal', () => {
		const diff = '--- a/a\n+++ b/a\n@@ -3,2 +2,0 @@\n-one\n-two\n@@ -9 +7 @@\n-x\n+y\n';
		assert.deepEqual(gapsOf(diff), ['2 3/3', '4 9/7', '? end']);
	});
});
