import assert from 'node:assert/strict';
import { plainContent, plainHead, plainHeaders } from '../../src/mail/plainHead.ts';

function headOf(...lines: readonly string[]): ReturnType<typeof plainHead> {
	return plainHead(plainHeaders(lines.join('\n')) ?? []);
}

suite('unambiguous mail heads', () => {
	test('have one field per line and unfold lines that begin with a blank', () => {
		for (const [head, fields] of [
			['A: b', ['a: b']],
			['A: b\nC:d', ['a: b', 'c: d']],
			['A:\nB: \t', ['a: ', 'b: ']],
			['A:b\n c\n\td\nE: f\n g', ['a: b c\td', 'e: f g']],
			['A!~9: b: c\u00A0\tÄ😀\nX-B: d', ['a!~9: b: c\u00A0\tÄ😀', 'x-b: d']],
			[`A: ${'x'.repeat(32_765)}`, [`a: ${'x'.repeat(32_765)}`]],
		] as const) {
			const found = plainHeaders(head)?.map(({ name, value }) => `${name}: ${value}`);
			assert.deepEqual(found, fields, JSON.stringify(head.slice(0, 60)));
		}
	});

	test('contain nothing else', () => {
		const odd = [
			'', 'A', 'A: b\nC', 'A b: c', 'A : b', ': b', 'Ä: b', ' A: b', 'A: b\n', 'A: b\n\nC: d', 'A\n: b',
			...['\0', '\x08', '\x0B', '\r', '\x1F', '\x7F', '\x80', '\x9F', '\uD800', '\uDCE9'].map((sign) => `A: b${sign}c`),
			`A: ${'x'.repeat(32_766)}`,
		]; // prettier-ignore
		assert.deepEqual(
			odd.filter((head) => plainHeaders(head) !== undefined),
			[],
		);
	});

	test('need a sender or a subject, with at most 200 fields and 300 words', () => {
		const words = (count: number): string => Array<string>(count).fill('=?utf-8?q?a?=').join(' ');
		const fields = Array<string>(199).fill('A: b');
		assert.deepEqual(headOf('Subject: =?utf-8?q?=C3=BC?=', 'To: a@b, c <d@e>', 'Reply-To: f@g', 'Cc: h@i')?.people, {
			from: [],
			to: [
				{ name: '', address: 'a@b' },
				{ name: 'c', address: 'd@e' },
			],
			cc: [{ name: '', address: 'h@i' }],
			replyTo: [{ name: '', address: 'f@g' }],
		});
		const plain: readonly (readonly string[])[] = [
			['From: a@b'],
			['Subject: ü'],
			['Subject: s', ...fields],
			[`Subject: ${words(300)}`],
			['Subject: s', `To: ${words(300)} <a@b>`],
			[`Subject: ${words(150)}`, `To: ${words(150)} <a@b>`],
			['From: ü <a@b>', 'Cc: ü <a@b>'],
		];
		const odd: readonly (readonly string[])[] = [
			['To: a@b'],
			['Subject: s', 'A: b', ...fields],
			[`Subject: ${words(301)}`],
			['Subject: s', `To: ${words(301)} <a@b>`],
			[`Subject: ${words(150)}`, `To: ${words(151)} <a@b>`],
			['Subject: ü =?utf-8?q?a?='],
			['From: ü =?utf-8?q?a?= <a@b>'],
			...['From', 'To', 'Cc', 'Reply-To'].map((name) => ['Subject: s', `${name}: a@b c`]),
		];
		assert.deepEqual(
			[...plain, ...odd].filter((lines) => headOf(...lines) !== undefined),
			plain,
		);
		assert.equal(headOf('Subject: =?utf-8?q?=C3=BC?= a')?.subject, 'ü a');
		assert.equal(headOf('From: a@b')?.subject, '');
	});
});

suite('type of a plain text body', () => {
	const unknown = { encoding: 'identity', charset: undefined, isFlowed: false, delSp: false } as const;

	test('defaults without declarations', () => {
		assert.deepEqual(plainContent([]), unknown);
	});

	test('has a known transfer encoding', () => {
		for (const [value, encoding] of [
			['', 'identity'],
			['7bit', 'identity'],
			['8Bit', 'identity'],
			['binary', 'identity'],
			['Quoted-Printable', 'quotedPrintable'],
			['BASE64', 'base64'],
			['x-uuencode', undefined],
			['8bit (x)', undefined],
		] as const) {
			const content = plainContent([{ name: 'content-transfer-encoding', value }]);
			assert.deepEqual(content, encoding && { ...unknown, encoding }, value);
		}
	});

	test('has unambiguous parameters', () => {
		for (const [value, stated] of [
			['text/plain', {}],
			['TEXT/Plain; CharSet=utf-8', { charset: 'utf-8' }],
			['text/plain;charset="a b;c" ;\t format=Flowed;delsp=YES', { charset: 'a b;c', isFlowed: true, delSp: true }],
			['text/plain; format="flowed" \t; delsp=no', { isFlowed: true }],
			['text/plain; format=fixed; delsp=yes', { delSp: true }],
			['text/plain; charset=a; Charset=b', { charset: 'a' }],
			['text/plain; charset=""', { charset: '' }],
			['text/plain;', {}],
			['text/plain ; x-y_z=1;', {}],
			['text/plain; a=b;;', undefined],
			['text/plain;;', undefined],
			['text/plain; a', undefined],
			['text/plain; a=', undefined],
			['text/plain; a=b c', undefined],
			['text/plain; a="b" c', undefined],
			['text/plain; a="b(c)"', undefined],
			['text/plain; a="b\\"c"', undefined],
			['text/plain; a=b(c)', undefined],
			['text/plain; a=b=c', undefined],
			['text/plain; a*=b', undefined],
			['text/plain a=b', undefined],
			['text/plainer', undefined],
			['text/html', undefined],
			['', undefined],
		] as const) {
			const content = plainContent([{ name: 'content-type', value }]);
			assert.deepEqual(content, stated && { ...unknown, ...stated }, value);
		}
	});

	test('excludes attachments', () => {
		for (const [value, isPlain] of [
			['inline', true],
			['INLINE; filename="a b"', true],
			['attachment', false],
			['inline; filename=a b', false],
		] as const) {
			const content = plainContent([{ name: 'content-disposition', value }]);
			assert.deepEqual(content, isPlain ? unknown : undefined, value);
		}
	});
});
