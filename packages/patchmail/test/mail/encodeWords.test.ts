import assert from 'node:assert/strict';
import { cut, encodedText, encodedWords, isPlainHeader, oneLine } from '../../src/mail/encodeWords.ts';
import { decodeWords } from '../../src/mail/encodedWords.ts';

suite('encoded header words', () => {
	test('fit on one line', () => {
		for (const [text, line] of [
			['a\r\n\tb\u2028\u2029c\u0085d', 'a b c d'],
			[' a  b \n', 'a  b'],
			['\n\na\0', 'a'],
			['\uD800', '\uFFFD'],
		] as const) {
			assert.equal(oneLine(text), line, JSON.stringify(text));
		}
	});

	test('stay plain if ASCII without the look of encoded words', () => {
		for (const [text, isPlain] of [
			['', true],
			[' a~', true],
			['a=? b', false],
			['éa', false],
			['aé', false],
			['a\n', false],
			['a\tb', false],
			['a\x7F', false],
		] as const) {
			assert.equal(isPlainHeader(text), isPlain, JSON.stringify(text));
		}
	});

	test('have at most 42 bytes and never split a character', () => {
		for (const [text, words] of [
			['', []],
			['x'.repeat(42), [42]],
			['x'.repeat(43), [42, 1]],
			['x'.repeat(85), [42, 42, 1]],
			['é'.repeat(22), [42, 2]],
			[`x${'é'.repeat(21)}`, [41, 2]],
			[`x${'é'.repeat(20)}€`, [41, 3]],
			['😀'.repeat(11), [40, 4]],
		] as const) {
			const lengths = encodedWords(text)
				.split('\n ')
				.filter((word) => word !== '')
				.map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? '', 'base64').length);
			assert.deepEqual(lengths, words, text);
			assert.equal(decodeWords(encodedWords(text)), text);
		}
	});

	test('end after a whole character', () => {
		for (const [text, bytes, head] of [
			['abc', 3, 'abc'],
			['abc', 2, 'ab'],
			['aé', 2, 'a'],
			['a😀b', 5, 'a😀'],
			['a😀b', 4, 'a'],
			['a', 0, ''],
		] as const) {
			assert.equal(cut(text, bytes), head, JSON.stringify([text, bytes]));
		}
		assert.equal(encodedText(`${'x'.repeat(980)}y`), 'x'.repeat(980));
		assert.equal(decodeWords(encodedText(`${'ö'.repeat(280)}y`)), 'ö'.repeat(280));
		assert.equal(encodedText('a b é c'), `a b\n ${encodedWords('é c')}`);
		assert.equal(encodedText('a b=? c'), `a\n ${encodedWords('b=? c')}`);
	});
});
