import assert from 'node:assert/strict';
import { headDoubts, mailDoubts, type MailDoubt } from '../../src/mail/mailDoubts.ts';

const atStart = { kind: 'blankAtStart' } as const;
const bareReturn = { kind: 'bareReturn' } as const;
const noField = (line: string): MailDoubt => ({ kind: 'noField', line });
const repeated = (name: string): MailDoubt => ({ kind: 'repeatedField', name });
const unknownEncoding = (value: string): MailDoubt => ({ kind: 'unknownEncoding', value });

suite('doubts about the head of a mail', () => {
	const heads: readonly (readonly [message: string, doubts: readonly MailDoubt[]])[] = [
		['A: b\nC: d\n\nno field : x\r\n', []],
		['A: b\n', []],
		['A: b', []],
		['A: b\n c\n\td\n', []],
		[' A: b\n c\n', [atStart]],
		['\tA: b\nno field\n', [atStart, noField('no field')]],
		['A: b\r\nC: d\r\n\r\nx', [bareReturn]],
		['A: b\n\r\nx', []],
		['A: b\n\n\r\n\rx', []],
		['no field\n more\n\tand more\nA: b', [noField('no field  more  and more'.replace('  and', ' \tand'))]],
		['A : b\n c', [{ kind: 'blankBeforeColon', line: 'A : b  c' }]],
		['A\t : b', [{ kind: 'blankBeforeColon', line: 'A\t : b' }]],
		['x'.repeat(201), [noField('x'.repeat(200))]],
		[': a', [noField(': a')]],
		['x\n'.repeat(11), Array<MailDoubt>(10).fill(noField('x'))],
		['Subject: a\nSUBJECT: b\nsubject : c\n', [
			repeated('SUBJECT'),
			{ kind: 'blankBeforeColon', line: 'subject : c' },
			repeated('subject'),
		]],
		['Content-Type: a\nContent-Type: a\nX: y\nX: y\nTo: a\nTo: b', [repeated('Content-Type')]],
		['Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: 7bit', [repeated('Content-Transfer-Encoding')]],
		...['', '7bit', '8BIT', 'binary', 'Quoted-Printable', '\n base64\n\t'].map(
			(value) => [`Content-Transfer-Encoding: ${value}`, []] as const,
		),
		['Content-Transfer-Encoding: x-\n y', [unknownEncoding('x- y')]],
		['content-transfer-encoding: base64 (x)', [unknownEncoding('base64 (x)')]],
		['X-Encoding: x', []],
	]; // prettier-ignore

	test('name ambiguous lines and fields', () => {
		for (const [message, doubts] of heads) {
			assert.deepEqual(headDoubts(message), doubts, JSON.stringify(message));
		}
	});

	test('name the line at which git ends the head, unless another doubt explains it', () => {
		assert.deepEqual(mailDoubts('A: b\n\nx', undefined), []);
		assert.deepEqual(mailDoubts('A: b\n\nx', 'odd'), [noField('odd')]);
		assert.deepEqual(mailDoubts('Subject: a\nSubject: b\n\nx', 'odd'), [repeated('Subject'), noField('odd')]);
		assert.deepEqual(mailDoubts('A: b\nC\n\nx', 'C'), [noField('C')]);
		assert.deepEqual(mailDoubts('Subject: a\nSubject: b\n c : d\nE : f\n\nx', 'odd').length, 2);
	});

	test('name text that is declared as base64 but is not', () => {
		for (const [text, isDoubted] of [
			['YWJj\nZA==\n', false],
			['', false],
			['Hello, this is plain.\n', true],
			['YWJj\n-- \nfooter\n', true],
		] as const) {
			const doubts = isDoubted ? [{ kind: 'noBase64' }] : [];
			assert.deepEqual(mailDoubts(`A: b\nContent-Transfer-Encoding: Base64\n\n${text}`, undefined), doubts, text);
			assert.deepEqual(mailDoubts(`A: b\nContent-Transfer-Encoding: 8bit\n\n${text}`, undefined), []);
			const multipart = 'Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64';
			assert.deepEqual(mailDoubts(`${multipart}\n\n--b\n\n${text}`, undefined), []);
		}
	});
});
