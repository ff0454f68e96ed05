import assert from 'node:assert/strict';
import { declaredTo } from '../../src/mail/declaredToGit.ts';

const nothing = { encoding: 'identity', charset: '', isFlowed: false, delSp: false } as const;

suite('mail declarations as git reads them', () => {
	test('a content type may have its words anywhere, up to a semicolon, a blank or a quotation mark', () => {
		for (const [value, declared] of [
			['text/plain', {}],
			['text/html; CHARSET=Koi8-R; x', { charset: 'Koi8-R' }],
			['charset=a b', { charset: 'a' }],
			['charset=a\tb', { charset: 'a' }],
			['charset="a; b"c', { charset: 'a; b' }],
			['charset="a', { charset: 'a' }],
			['charset=a"b"', { charset: 'a"b"' }],
			['charset= a', {}],
			['x-charset=a; charset=b', { charset: 'a' }],
			['format=Flowed; delsp=Yes; boundary="a b"', { isFlowed: true, delSp: true, boundary: 'a b' }],
			['format=flowed2; delsp=y', {}],
			['a; boundary=b;c', { boundary: 'b' }],
			['format=fixed; delsp=yes', { delSp: true }],
		] as const) {
			const expected = { ...nothing, boundary: undefined, ...declared };
			assert.deepEqual(
				declaredTo({ ...nothing, charset: 'old', isFlowed: true }, 'Content-Type', value),
				expected,
				value,
			);
		}
		const base64 = { ...nothing, encoding: 'base64' } as const;
		assert.equal(declaredTo(base64, 'content-type', 'text/plain').encoding, 'base64');
	});

	test('a transfer encoding is a word anywhere and does not change the type', () => {
		const before = { encoding: 'base64', charset: 'a', isFlowed: true, delSp: true } as const;
		for (const [value, encoding] of [
			['x-BASE64 (old)', 'base64'],
			['quoted-printable base64', 'base64'],
			['a Quoted-Printable', 'quotedPrintable'],
			['quoted', 'identity'],
			['', 'identity'],
		] as const) {
			const declared = declaredTo(before, 'content-transfer-encoding', value);
			assert.deepEqual(declared, { ...before, encoding, boundary: undefined }, value);
		}
	});
});
