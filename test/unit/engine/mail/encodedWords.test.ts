import assert from 'node:assert/strict';
import { decodeWords, hideWords } from '../../../../src/engine/mail/encodedWords.ts';

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
});
