import assert from 'node:assert/strict';
import { hunkHeader } from '../../src/patch/hunkHeader.ts';

function told(line: string): string | undefined {
	const header = hunkHeader(`prose\n${line}`, 6);
	return header && Object.values(header).join('|');
}

suite('hunk header', () => {
	test('has both ranges, the section and the offset of the next line', () => {
		assert.deepEqual(
			[
				'@@ -1 +2 @@',
				'@@ -1,2 +3,4 @@\n',
				'@@ -10,20 +30,40 @@ f()\n-a\n',
				'@@ -1 +1 @@ f()\r\n-a\n',
				'@@ -1 +1 @@f()\n',
				'@@ -1 +1 @@  f() @@\n',
				'@@ -1 +1 @@\r\n',
				'@@ -1 +1 @@ \n\r',
				`@@ -${'9'.repeat(15)} +0,0 @@\n`,
			].map(told),
			[
				'1|1|2|1||17',
				'1|2|3|4||22',
				'10|20|30|40|f()|30',
				'1|1|1|1|f()|23',
				'1|1|1|1|f()|21',
				'1|1|1|1| f() @@|26',
				'1|1|1|1||19',
				'1|1|1|1||19',
				'999999999999999|1|0|0||34',
			],
		);
	});

	test('is invalid without any of these', () => {
		for (const line of [
			'@@ -x +1 @@',
			'@@ -1 +x @@',
			'@@ -1, +1 @@',
			'@@ -1 +1, @@',
			'@@ -1  1 @@',
			'@@ -1 -1 @@',
			'@@ -1 +1 @',
			'@@ -1 +1',
			'@@ -1+1 @@',
			'@@  1 +1 @@',
			' @ -1 +1 @@',
			'+@ -1 +1 @@',
			`@@ -1${'0'.repeat(15)} +1 @@`,
			'',
		]) {
			assert.equal(told(line), undefined, line);
		}
	});
});
