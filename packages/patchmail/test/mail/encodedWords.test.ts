import assert from 'node:assert/strict';
import { decodeWords, hideWords } from '../../src/mail/encodedWords.ts';
import { encodedText } from '../../src/mail/encodeWords.ts';

const privet = '=?koi8-r?q?=D0=D2=C9=D7=C5=D4?=';

function unknown(count: number): string {
	return Array.from({ length: count }, (_, at) => `=?x-${at}?q?a?=`).join(' ');
}

suite('encoded words of many charsets', () => {
	test('are looked up as long as there are few, since nobody writes so many', () => {
		assert.equal(decodeWords(`${unknown(19)} ${privet}`), `${'a'.repeat(19)}привет`);
		assert.doesNotMatch(decodeWords(`${unknown(20)} ${privet}`), /привет/);
		assert.doesNotMatch(decodeWords(`${unknown(20).replaceAll(' ', ' and ')} and ${privet}`), /привет/);
	});

	test('stay known where they come again', () => {
		assert.equal(decodeWords(`${privet} ${unknown(50)} ${privet}`), `привет${'a'.repeat(50)}привет`);
	});

	test('are looked up anew in each header', () => {
		decodeWords(unknown(50));
		assert.equal(decodeWords(privet), 'привет');
	});

	test('count in addresses, too', () => {
		const hidden = hideWords(`${unknown(20).replaceAll(' ', ' b, ')} c, ${privet} <a@forge.test>`);
		assert.doesNotMatch(hidden.reveal(hidden.value), /привет/);
		const few = hideWords(`${privet} <a@forge.test>`);
		assert.equal(few.reveal(few.value), 'привет <a@forge.test>');
	});

	test('are found again by their own signs alone', () => {
		const { value, reveal } = hideWords(`${privet} |~?0w0~| <a@forge.test>`);
		assert.equal(reveal(value), 'привет |~?0w0~| <a@forge.test>');
		const other = value.replace('w0~|', 'w7~|');
		assert.equal(reveal(other), other);
	});

	test('hold all of a text that begins with one', () => {
		assert.equal(encodedText('größer'), `=?UTF-8?B?${Buffer.from('größer').toString('base64')}?=`);
		assert.equal(encodedText('ein größer'), `ein\n =?UTF-8?B?${Buffer.from('größer').toString('base64')}?=`);
	});

	test('are read by the rules of RFC 2047, and what is no word stays', () => {
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

	test('hide where they part no people, and come back', () => {
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
