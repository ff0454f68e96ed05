import assert from 'node:assert/strict';
import { fromBase64, fromQuotedPrintable } from '../../src/mail/transferEncodings.ts';

suite('transfer encodings', () => {
	test('quoted-printable ends its last line and ignores invalid escapes', () => {
		for (const [written, bytes] of [
			['', ''],
			['a', 'a\n'],
			['a\n', 'a\n'],
			['a=', 'a'],
			['a=\n', 'a'],
			['a=\nb', 'ab\n'],
			['a=\n\nb', 'a\nb\n'],
			['a =\n b\n', 'a  b\n'],
			['a=\rb', 'a=\rb\n'],
			['=', ''],
			['=41=4a=4A=4f=ff', 'AJJO\xFF\n'],
			['=4', '=4\n'],
			['=4G=G4=/1=:1=@1=`1=g1=1/=1:', '=4G=G4=/1=:1=@1=`1=g1=1/=1:\n'],
			['=30=39=aF=Fa', '09\xAF\xFA\n'],
			['==41', '=A\n'],
			['a=0A', 'a\n\n'],
			['a  \t', 'a  \t\n'],
		] as const) {
			const decoded = fromQuotedPrintable(Buffer.from(written, 'latin1'));
			assert.equal(Buffer.from(decoded).toString('latin1'), bytes, JSON.stringify(written));
		}
	});

	test('base64 needs whole groups of four in each line and nothing else', () => {
		for (const [written, text] of [
			['', ''],
			['YWJj', 'abc'],
			['YWJjZA==', 'abcd'],
			['YWJjZGU=', 'abcde'],
			['YWJjZGU= \t\n\n', 'abcde'],
			['YWJj\nZGVm\n', 'abcdef'],
			['YWJj\n\n \t\nZGVm', 'abcdef'],
			['YW Jj\tZG\nVm', undefined],
			['YW Jj\tZGVm', 'abcdef'],
			['YWJjZG\n', 'abcd'],
			['YWJjZG\n \t\n', 'abcd'],
			['YWJjZG\nVm', undefined],
			['YWJjZG\n\nVm', undefined],
			['YWJjZG\n V', undefined],
			['YWJj\nZGV\nmYWJj', undefined],
			['YWJj\nZ\n=', 'abc'],
			['YWJ\nj===', undefined],
			['YWJjZA==\nYWJj', undefined],
			['YWJjZA== Y', undefined],
			['YWJj===', undefined],
			['YW-j', undefined],
			['YWJj\r\nZGVm', undefined],
			['+/+/', '\xFB\xFF\xBF'],
		] as const) {
			const decoded = fromBase64(written);
			assert.equal(decoded && Buffer.from(decoded).toString('latin1'), text, JSON.stringify(written));
		}
	});
});
