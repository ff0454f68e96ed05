import assert from 'node:assert/strict';
import { commitFacts, type CommittedLine } from '../../src/lines/committedLine.ts';
import { lineQuery, longestLines, patchIdQuery, titleEnd, titleQuery } from '../../src/lines/lineQueries.ts';

function commitOf(changes: Partial<CommittedLine> = {}): CommittedLine {
	return {
		commit: 'a'.repeat(40),
		subject: 'net: core: fold the first sheet',
		author: 'ann@a.example',
		authoredMs: 0,
		committedMs: 0,
		message: '',
		diff: '',
		path: 'src/a.c',
		text: '',
		...changes,
	};
}

suite('searches for a line', () => {
	test('ask for a patch id that the commit has', () => {
		assert.equal(patchIdQuery('abc'), 'patchid:abc');
		assert.equal(patchIdQuery(undefined), undefined);
	});

	test('take the end of a subject that has three words', () => {
		const cases: readonly (readonly [string, string])[] = [
			['net: core: fold the sheet', 'fold the sheet'],
			['net: core: fold sheets', 'net: core: fold sheets'],
			['net: fold  a', 'fold  a'],
			['fold', 'fold'],
			['fold the first sheet', 'fold the first sheet'],
			['net:fold the sheet', 'net:fold the sheet'],
		];
		for (const [subject, end] of cases) {
			assert.equal(titleEnd(subject), end, subject);
		}
	});

	test('ask for the title from the author as sender or in the text', () => {
		const from = ' AND (f:"ann@a.example" OR nq:"ann@a.example")';
		assert.equal(titleQuery(commitOf(), true), `s:"fold the first sheet"${from}`);
		assert.equal(titleQuery(commitOf({ author: '' }), true), 's:"fold the first sheet"');
		// Servers without prefixes search for words.
		assert.equal(titleQuery(commitOf(), false), '"fold the first sheet"');
		for (const hasPrefixes of [true, false]) {
			assert.equal(titleQuery(commitOf({ subject: '…' }), hasPrefixes), undefined);
		}
	});

	test('ask for each telling line of the file once, and for none without words', () => {
		const lines = ['\topen("first");', '}', '\topen("first");', 'close(third);', 'a = b'];
		assert.equal(
			lineQuery(commitOf(), lines),
			'dfn:"src/a.c" AND (dfb:"open( first );" OR nq:"open( first );" OR dfb:"close(third);" OR nq:"close(third);")' +
				' AND (f:"ann@a.example" OR nq:"ann@a.example")',
		);
		assert.equal(
			lineQuery(commitOf({ author: '' }), ['close(third);']),
			'dfn:"src/a.c" AND (dfb:"close(third);" OR nq:"close(third);")',
		);
		assert.equal(lineQuery(commitOf(), ['}', 'a = b']), undefined);
		// No words before the cut.
		assert.equal(lineQuery(commitOf(), [`${'-'.repeat(130)}letters`]), undefined);
	});

	test('know the three longest lines of the file that a phrase can hold', () => {
		const lines = ['short', 'w'.repeat(120), 'w'.repeat(121), 'the longer line', 'the longest line of all', 'line'];
		const added = lines.map((line) => `+${line}\n`).join('');
		const head = 'diff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n';
		const commit = commitOf({ diff: `${head}@@ -1,1 +1,${lines.length + 1} @@\n first\n${added}` });
		const facts = commitFacts(commit);
		assert.deepEqual(longestLines(commit, facts), [lines[1], 'the longest line of all', 'the longer line']);
		assert.deepEqual(longestLines({ ...commit, path: 'src/b.c' }, facts), []);
	});
});
