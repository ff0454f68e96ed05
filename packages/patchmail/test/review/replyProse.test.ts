import assert from 'node:assert/strict';
import { bodyWrapped, ownBody, proseLines, wrappedLines } from '../../src/review/replyProse.ts';

const words = (count: number): string => 'word '.repeat(count).trim();
/** A line of code that exceeds the width of prose. */
const long = `if first_condition_is_long(a) and second_condition_is_long(b) and not third(c):`;

suite('reply prose', () => {
	function assertAsWritten(text: string): void {
		assert.deepEqual(wrappedLines(text), text.split('\n'));
	}

	test('wraps, including lists', () => {
		assert.deepEqual(
			wrappedLines(`${words(20)}\n\n- ${words(20)}\n- short\n  - below\n- ${words(15)}\n10. ${words(20)}`),
			[
				words(14),
				words(6),
				'',
				`- ${words(14)}`,
				`  ${words(6)}`,
				'- short',
				'  - below',
				`- ${words(14)}`,
				`  ${words(1)}`,
				`10. ${words(13)}`,
				`    ${words(7)}`,
			],
		);
	});

	test('keeps diff lines, including blanks after their sign', () => {
		for (const line of [`+    ${long}`, `-    ${long}`, `+\t${long}`, `+  ${long}`, `+ ${long}`, `+${long}`]) {
			assertAsWritten(line);
			assertAsWritten(`Better:\n\n${line}\n\nSo it is.`);
		}
		assertAsWritten(`- ${long}\n+ ${long}`);
		assertAsWritten(`- ${long}\n- ${long}\n  x = 1\n+    y = 2`);
		assertAsWritten(`- ${long}\n-- ${long}\n+ done`);
	});

	test('keeps lines that a hunk header counts, across blank lines', () => {
		const hunk = `@@ -1,4 +1,2 @@\n def one():\n\n- ${long}\n- ${long}`;
		assertAsWritten(hunk);
		assert.deepEqual(wrappedLines(`${hunk}\n\n- ${words(20)}`), [
			...hunk.split('\n'),
			'',
			`- ${words(14)}`,
			`  ${words(6)}`,
		]);
		const head = `diff --git a/a name with blanks b/a name with blanks\nsimilarity index 90%\nrename from ${words(20)}\nrename to ${words(20)}\n--- a/${words(20)}\n+++ b/${words(20)}`;
		assertAsWritten(head);
	});

	test('keeps trailing blanks only in diffs, code and the signature mark', () => {
		const diff = `@@ -1,3 +1,3 @@\n one  \n \n-two\t\n+three \n`;
		const kept = `    code  \n    \n    more\t`;
		assert.deepEqual(wrappedLines(`  \nProse  \n \n${diff}\nThen: \t\n${kept}\n  \n-- \nCarol  \n\n`), [
			'Prose',
			'',
			'@@ -1,3 +1,3 @@',
			' one  ',
			' ',
			'-two\t',
			'+three ',
			'',
			'Then:',
			'    code  ',
			'    ',
			'    more\t',
			'',
			'-- ',
			'Carol',
		]);
		assert.deepEqual(wrappedLines('- item  \n \n- item'), ['- item', '', '- item']);
	});

	test('prevents a signature mark from ending a comment', () => {
		assert.deepEqual(proseLines('One\n-- \nTwo\n--\nThree'), ['One', ' -- ', 'Two', ' --', 'Three']);
	});

	test('wraps only long prose of an own text and keeps everything else', () => {
		const diff = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+${words(30)}\n`;
		const kept = [
			'  Indented  ',
			`    ${words(30)}`,
			'',
			`On 2026-11-17 12:00 UTC, ${words(20)} wrote:`,
			`> ${words(30)}`,
			`Reviewed-by: ${words(20)}`,
			`https://forge.test/${'a'.repeat(90)}  `,
			'Short, with blanks at its end  ',
			'-- ',
			'Carol',
			'',
		].join('\n');
		assert.equal(bodyWrapped(kept), kept);
		assert.equal(bodyWrapped(`${kept}${diff}-- \n2.39\n`), `${kept}${diff}-- \n2.39\n`);
		const long = bodyWrapped(`${kept}${words(30)}  \n\n${diff}`);
		assert.ok(long.startsWith(kept) && long.endsWith(`\n\n${diff}`), long);
		const prose = long.slice(kept.length, -diff.length - 2).split('\n');
		assert.ok(
			prose.every((each) => each.length <= 72),
			long,
		);
		assert.equal(prose.join(' '), words(30));
		assert.equal(ownBody('\n \n  One  \r\n\n> two\n\n \n'), '  One  \n\n> two\n');
	});

	test('keeps lines that git reads in a patch: author, title, trailers', () => {
		const diff = '---\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
		const head = `From: ${words(20)} <carol@forge.test>\nSubject: ${words(20)}\n  ${words(20)}\n\n`;
		const trailers = `co-authored-by: ${words(20)}\nReviewed-on: ${words(20)}\n`;
		const kept = `${head}Fold: once.\n\n${trailers}${diff}`;
		assert.equal(bodyWrapped(kept), kept);
		const notes = `---\nReviewed-on: ${words(20)}\n${diff.slice(4)}`;
		const prose = `From: ${words(20)}\n\nNote: ${words(20)}\n\n${words(20)}\n`;
		const wrapped = bodyWrapped(`${head}${prose}${trailers}${notes}`);
		const asOne = `${head}${prose}${trailers}${notes}`;
		assert.equal(wrapped.replaceAll(/\s+/g, ' '), asOne.replaceAll(/\s+/g, ' '));
		assert.ok(wrapped.startsWith(head) && wrapped.includes(`\n${trailers}---\n`), wrapped);
		const longLines = wrapped.split('\n').filter((line) => line.length > 72);
		assert.equal(longLines.length, 5, longLines.join('\n'));
	});

	test('begins no wrapped line with a sign that programs interpret', () => {
		for (const sign of ['---', '>', '>quoted', '\u00BB', '&gt;', '--', 'diff', 'Index:', '+', '-', '*', '1.']) {
			const text = `${words(14)} ${sign} ${words(14)}`;
			const made = wrappedLines(text);
			assert.equal(made.join(' '), text);
			assert.ok(made.length > 1 && made.slice(1).every((each) => each.startsWith('word')), made.join('\n'));
			assert.equal(bodyWrapped(`${text}\n`), `${made.join('\n')}\n`);
		}
		assertAsWritten(Array.from({ length: 40 }, () => '---').join(' '));
	});

	test('keeps lines below a patch that name commits', () => {
		assertAsWritten(`base-commit: ${'a'.repeat(64)}`);
		assertAsWritten(`prerequisite-patch-id: ${'a'.repeat(64)}`);
	});
});
