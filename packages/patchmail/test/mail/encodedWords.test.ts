import assert from 'node:assert/strict';
import { decodeWords, hideWords } from '../../src/mail/encodedWords.ts';
import { encodedText } from '../../src/mail/encodeWords.ts';

const privet = '=?koi8-r?q?=D0=D2=C9=D7=C5=D4?=';

function unknown(count: number): string {
	return Array.from({ length: count }, (_, at) => `=?x-${at}?q?a?=`).join(' ');
}

suite('encoded words in many charsets', () => {
	test('decode only the first 20 charsets of a header', () => {
		assert.equal(decodeWords(`${unknown(19)} ${privet}`), `${'a'.repeat(19)}привет`);
		assert.doesNotMatch(decodeWords(`${unknown(20)} ${privet}`), /привет/);
		assert.doesNotMatch(decodeWords(`${unknown(20).replaceAll(' ', ' and ')} and ${privet}`), /привет/);
	});

	test('decode a known charset again beyond the limit', () => {
		assert.equal(decodeWords(`${privet} ${unknown(50)} ${privet}`), `привет${'a'.repeat(50)}привет`);
	});

	test('start a new count in each header', () => {
		decodeWords(unknown(50));
		assert.equal(decodeWords(privet), 'привет');
	});

	test('count in addresses too', () => {
		const hidden = hideWords(`${unknown(20).replaceAll(' ', ' b, ')} c, ${privet} <a@forge.test>`);
		assert.doesNotMatch(hidden.reveal(hidden.value), /привет/);
		const few = hideWords(`${privet} <a@forge.test>`);
		assert.equal(few.reveal(few.value), 'привет <a@forge.test>');
	});

	test('reveal only their own markers', () => {
		const { value, reveal } = hideWords(`${privet} |~?0w0~| <a@forge.test>`);
		assert.equal(reveal(value), 'привет |~?0w0~| <a@forge.test>');
		const other = value.replace('w0~|', 'w7~|');
		assert.equal(reveal(other), other);
	});

	test('span the whole text if it begins with one', () => {
		assert.equal(encodedText('größer'), `=?UTF-8?B?${Buffer.from('größer').toString('base64')}?=`);
		assert.equal(encodedText('ein größer'), `ein\n =?UTF-8?B?${Buffer.from('größer').toString('base64')}?=`);
	});

	test('follow RFC 2047, and invalid words stay as written', () => {
		for (const [written, text] of [
			['=?utf-8?q?a_b=C3=BC=4?=', 'a bü=4'],
			['=?UTF-8*de?Q?=c3=bc?=', 'ü'],
			['=?utf-8?B?w7w=?=', 'ü'],
			['=?utf-8?q?=C3?= \t\r\n =?UTF-8?q?=BC?=', 'ü'],
			['=?utf-8?q?a?= =?latin1?q?=FC?=', 'aü'],
			['=?iso-2022-jp?B?GyRCRnwbKEI=?= =?iso-2022-jp?B?GyRCS1wbKEI=?=', '日本'],
			['=?euc-kr?B?jGPAzA==?=', '똠이'],
			['=?utf-8?q?a?=\u00A0=?utf-8?q?b?=', 'a\u00A0b'],
			['x =?utf-8?q?a?= y =?utf-8?q?b?= z', 'x a y b z'],
			['=?utf-8?q?a=0D=0Ab=0A?=', 'a b '],
			['=?utf-8?q??=', ''],
			['=?utf-8?x?a?=', '=?utf-8?x?a?='],
			['=?utf 8?q?a?=', '=?utf 8?q?a?='],
			['=?utf-8?q?a?b?=', '=?utf-8?q?a?b?='],
			['a', 'a'],
		] as const) {
			assert.equal(decodeWords(written), text, JSON.stringify(written));
		}
	});

	test('are hidden where they separate no people, and revealed again', () => {
		for (const [written, revealed] of [
			['=?utf-8?q?a?= <a@b.test>', 'a <a@b.test>'],
			['=?utf-8?q?a(b)c?= <a@b.test>', 'a(b)c <a@b.test>'],
			['=?utf-8?q?a()?= <a@b.test>', 'a() <a@b.test>'],
			['a <a@b.test>', 'a <a@b.test>'],
		] as const) {
			const { value, reveal } = hideWords(written);
			assert.deepEqual([value.includes('=?'), reveal(value)], [false, revealed], written);
		}
		for (const written of [
			'=?utf-8?q?a<b?=',
			'=?utf-8?q?a"?=',
			'=?utf-8?q?a(b?=',
			'=?utf-8?q?a)b?=',
			'=?utf-8?q?a>?=',
		]) {
			assert.equal(hideWords(written).value, written);
		}
		const many = Array.from({ length: 12 }, (_, at) => `=?utf-8?q?${at}?=`).join(' x ');
		const taken = Array.from({ length: 12 }, (_, at) => `|~?${at}w`).join('');
		const { value, reveal } = hideWords(`${many}${taken}`);
		assert.equal(reveal(value), many.replaceAll(/=\?utf-8\?q\?(\d+)\?=/g, '$1') + taken);
	});
});
