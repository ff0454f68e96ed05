import assert from 'node:assert/strict';
import { ownLines } from '../../src/series/ownLines.ts';

/** True if the author’s own text ends at this block. */
function endsAt(block: string): boolean {
	const lines = ['Fine.', ...block.split('\n'), 'More.'];
	const own = ownLines(lines.join('\n'));
	if (own.length === 1) {
		return true;
	}
	assert.deepEqual(own, lines);
	return false;
}

suite('own lines of a mail', () => {
	test('exclude line ends, quotations, diffs and the signature', () => {
		const cases: readonly (readonly [text: string, own: readonly (string | undefined)[]])[] = [
			['One.\r\n\rTwo\r.\r\r\n', ['One.', '\rTwo\r.\r', '']],
			['Yes.\n> a\n| b\n \t >c\nNo > yes.', ['Yes.', undefined, undefined, undefined, 'No > yes.']],
			[`${' '.repeat(8)}> a\n${' '.repeat(9)}> b`, [undefined, `${' '.repeat(9)}> b`]],
			['One.\n-- \nAnn', ['One.', undefined, undefined]],
			['One.\r\n-- \r\nAnn', ['One.', undefined, undefined]],
			['One.\n-- \nAnn\n> a\nTwo.', ['One.', undefined, undefined, undefined, 'Two.']],
			['One.\n--\n -- \n--  \n-- x', ['One.', '--', ' -- ', '--  ', '-- x']],
			[`${'x'.repeat(999_999)}\nMore.`, ['x'.repeat(999_999), '']],
		];
		for (const [text, own] of cases) {
			assert.deepEqual(ownLines(text), own, text.slice(0, 100));
		}
	});

	test('continue after a diff at a blank line and a line of another kind', () => {
		const lines = `diff --git a/x b/x
index 1234567..89abcde 100644
--- a/x
+++ b/x
@@ -1 +1 @@
-a
+b
\\ No newline at end of file
a broken line


+c
 \t
 d

old mode 100644

new mode 100755

new file mode 100644

deleted file mode 100644

similarity index 90%

rename from a

copy from a

Binary files differ

GIT binary patch

@@ -1 +1 @@

-x

\\ No newline at end of file`.split('\n');
		const own = ['Try this.', ...lines.map(() => undefined)];
		for (const lineEnd of ['\n', '\r\n']) {
			for (const blank of ['', ' ', '\t']) {
				const text = ['Try this.', ...lines, blank, 'And +this.'].join(lineEnd);
				assert.deepEqual(ownLines(text), [...own, undefined, 'And +this.'], JSON.stringify([blank, lineEnd]));
			}
		}
	});

	test('end at a mark above the original mail', () => {
		for (const mark of [
			'-----Original Message-----',
			'-----Original Message----- \t',
			'---- Weitergeleitete Nachricht von Ann ----',
			'-----Weitergeleitete E-Mail-----',
			'-------- Originalnachricht --------',
			'---- Nachricht von Ann ----\n\nFrom: Ann <ann@forge.test>\nDate: Mon, 3 Mar 2025 10:00\nTo: dev',
			'--Original Message',
			'-- original message of yesterday',
			'---\toriginal message---',
			// Hyphens in the date rule out the other form of the mark.
			'---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ----',
			'---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ---- \t',
			'----Mon, 03-Mar-2025 <ann@forge.test>----',
			`---- March 2025 ${'x'.repeat(140)}<ann@forge.test>${'x'.repeat(22)}----`,
		]) {
			assert.ok(endsAt(mark), mark);
		}
		for (const text of [
			'---- Nachricht von Ann ----',
			'---- Original commit message ----',
			'---- On Mon Ann <ann@forge.test> wrote ----',
			'x-----Original Message-----',
			'-----Weitergeleitete Nachricht----- x',
			'-----Weitergeleitete Nachricht',
			'---Weitergeleitete Nachricht---',
			'-----1 Weitergeleitete Nachricht-----',
			'-----Weitergeleitete Nachricht-2 von-Ann-----',
			`-----Weitergeleitete Nachricht von ${'x'.repeat(73)}-----`,
			'-Original message',
			'--  original message',
			'--xoriginal message',
			'see --original message',
			'x---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ----',
			'---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ---- x',
			'---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote -',
			'- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ----',
			'---- 03-Mar-2025 Ann <ann@forge.test> wrote ----',
			'---- On Mon, 03-Mar-2025 Ann <ann at forge.test> wrote ----',
			'---- On Mon, 03-Mar-2025 Ann <ann lee@forge.test> wrote ----',
			'---- On Mon, 03-Mar-2025 Ann <ann@forge test> wrote ----',
			`---- March 2025 ${'x'.repeat(141)}<ann@forge.test>----`,
			`---- On Mon, 03-Mar-2025 <ann@forge.test>${'x'.repeat(31)}----`,
			`--Original Message ${'x'.repeat(190)}`,
		]) {
			assert.ok(!endsAt(text), text);
		}
	});

	test('continue below a quotation with any form of attribution', () => {
		const marks = [
			'-----Original Message-----',
			'---- Ursprüngliche Nachricht von Ann ----',
			'--Original Message',
			'---- On Mon, 03-Mar-2025 Ann <ann@forge.test> wrote ----',
			'From: Ann <ann@forge.test>\nSent: Mon, 3 Mar 2025 10:00\nTo: dev;\n\tBob\nSubject: Re: x',
			'-----Original Message-----\nFrom: Ann <ann@forge.test>\nSent: Mon, 3 Mar 2025 10:00\nTo: dev',
			'差出人：Ann <ann@forge.test>\n日時：2025/03/03 10:00\n宛先：dev',
		];
		for (const mark of marks) {
			for (const between of ['\n', '\n\n']) {
				const text = `Fine.\n${mark}${between}> From: Ann\n> Text.\n\nAcked-by: Bob <bob@forge.test>`;
				for (const written of [text, text.replaceAll('\n', '\r\n')]) {
					assert.equal(ownLines(written).at(-1), 'Acked-by: Bob <bob@forge.test>', JSON.stringify(written));
				}
				const unmarked = `Fine.\n${mark}${between}Text.\n> Older.\n\nAcked-by: Bob <bob@forge.test>`;
				assert.deepEqual(ownLines(unmarked), ['Fine.'], JSON.stringify(unmarked));
			}
		}
	});

	const [from, date, to] = ['From: Ann <ann@forge.test>', 'Date: Mon, 3 Mar 2025 10:00', 'To: dev'];

	test('end at the head of an original mail', () => {
		for (const head of [
			[from, date, to],
			['*From:* Ann <ann@forge.test>', '**Date:** Mon, 3 Mar 2025 10:00', '*To:** dev'],
			['From:Ann <ann@forge.test>', 'Date:Mon, 3 Mar 2025 10:00', 'To:dev'],
			['差出人：Ann <ann@forge.test>', '日時：2025/03/03 10:00', '宛先：dev'],
			['प्रेषक: Ann <ann@forge.test>', 'दिनांक: 3 मार्च 2025 10:00', 'ि: dev'],
			[from, 'Sent on: 10:00, 3 March 2025', 'Links: none'],
			[from, 'Web Link: https://forge.test', date],
			[to, to, to, to, to, to, date, from],
			['Date: 2025-03-03 9:05', from, to],
			['Date: 1999, 3 March, 9.05', from, to],
			['Date: 9:05 on 3 March 2025', from, to],
			['Date: 09.05, 3 March 1999', from, to],
			[`Date: 2025${'x'.repeat(39)}10:00`, from, to],
			[`Date: 10:00${'x'.repeat(39)} 2025`, from, to],
			['From: Ann', date, 'Subject: [PATCH] x'],
			['From: Ann', date, 'Subject: Re: x'],
			['From: Ann', date, 'Betreff:AW:x'],
			['From: Ann', date, 'Subject：sv: x'],
			[from, date, `To: ${'x'.repeat(300)}`],
		]) {
			assert.ok(endsAt(head.join('\n')), head.join('\n'));
			assert.ok(endsAt(head.join('\r\n')), head.join('\r\n'));
		}
	});

	test('continue at other lines with colons, times and addresses', () => {
		for (const lines of [
			[from, date],
			[from, date, 'To'],
			['I wrote to ann@forge.test', 'at 10:00 on 3 March 2025', 'and waited'],
			['- From: Ann <ann@forge.test>', '- Date: Mon, 3 Mar 2025 10:00', '- To: dev'],
			['1From: Ann <ann@forge.test>', '1Date: Mon, 3 Mar 2025 10:00', '1To: dev'],
			['From1: Ann <ann@forge.test>', 'Date1: Mon, 3 Mar 2025 10:00', 'To1: dev'],
			['***From: Ann <ann@forge.test>', '***Date: Mon, 3 Mar 2025 10:00', '***To: dev'],
			[from, date, 'To:'],
			[from, date, `To:${' '.repeat(200)}dev`],
			[from, date, `${'T'.repeat(32)}: dev`],
			['From: Ann', date, to],
			['From: Ann', date, 'Subject: []'],
			['From: Ann', date, 'Subject: x re: y'],
			['From: Ann', date, 'Subject: [x'],
			[from, 'Date: 3 March 2025', to],
			[from, 'Date: 10:00', to],
			[from, 'Date: 12025, 10:00', to],
			[from, 'Date: 20250, 10:00', to],
			[from, 'Date: 10:00, 12025', to],
			[from, 'Date: 10:00, 20250', to],
			[from, 'Date: 2125, 10:00', to],
			[from, 'Date: 10-00, 2025', to],
			[from, 'Date: 10:0, 2025', to],
			[from, 'Date: x:00, 2025', to],
			[from, 'Date: 2025, 1x:00', to],
			[from, `Date: 2025${'x'.repeat(42)}10:00`, to],
			[from, `Date: 10:00${'x'.repeat(40)} 2025`, to],
			[from, `Date: ${'x'.repeat(200)} 10:00, 2025`, to],
			['Link: https://forge.test/2025/10:00', 'Cc: ann@forge.test', 'Suggested by: Bob'],
			['references : https://forge.test/2025/10:00', 'Cc: ann@forge.test', 'Suggested by: Bob'],
			...['Fixes', 'Closes', 'Implements'].map((key) => [`${key}: ann@forge.test`, date, to]),
		]) {
			assert.ok(!endsAt(lines.join('\n')), lines.join('\n'));
		}
	});

	test('include a mail head at the top, as above a forwarded patch', () => {
		const head = ['', ' \t', from, date, to];
		assert.deepEqual(ownLines(head.join('\n')), head);
	});
});
