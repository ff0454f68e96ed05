import assert from 'node:assert/strict';
import { decodeWords, hideWords } from '../../../../src/engine/mail/encodedWords.ts';
import { encodedText } from '../../../../src/engine/mail/encodeWords.ts';

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
});
