import assert from 'node:assert/strict';
import { disguise, needsDisguise } from '../../src/mail/disguise.ts';

/** The bytes as text, with `?` for each disguised character. */
function shownBytes(text: string): string {
	const { bytes } = disguise(text);
	return Buffer.from(bytes)
		.toString('latin1')
		.replaceAll(/\|~[!#$&^{}.]{8,13}~\|/g, '?');
}

suite('disguised characters', () => {
	test('are non-ASCII characters, and CRs at line ends', () => {
		for (const [text, isNeeded] of [
			['abc\n', false],
			['a\rb', false],
			['a\r', true],
			['a\r\nb', true],
			['é', true],
			['\uDCE9', true],
		] as const) {
			assert.equal(needsDisguise(text), isNeeded, JSON.stringify(text));
			assert.equal(shownBytes(text) === text, !isNeeded, JSON.stringify(text));
		}
		assert.equal(shownBytes('\r\ré\u007F\u0080a\r\n\r'), '\r\r?\u007F?a?\n?');
	});

	test('turn back into themselves, and lone surrogates into U+FFFD', () => {
		for (const [text, revealed] of [
			['é\u0080\uD7FF\uE000\uFFFF😀b\u{10FFFF}\r', 'é\u0080\uD7FF\uE000\uFFFF😀b\u{10FFFF}\r'],
			['a\r\nb\r', 'a\r\nb\r'],
			['\uD800a\uDBFFb\uDC00c\uDC7Fd\uDD00e\uDFFF', '\uFFFDa\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFD'],
			['|~éé', '|~éé'],
		] as const) {
			const { bytes, reveal, revealBytes } = disguise(text);
			assert.equal(reveal(Buffer.from(bytes).toString()), revealed, JSON.stringify(text));
			assert.equal(Buffer.from(revealBytes(bytes)).toString(), revealed, JSON.stringify(text));
		}
		const plain = disguise('|~a');
		assert.equal(plain.reveal('é'), 'é');
		assert.deepEqual(plain.revealBytes(Buffer.from('é')), Buffer.from('é'));
	});

	test('are only characters that cannot appear undisguised', () => {
		const { bytes, reveal } = disguise('é');
		const shown = Buffer.from(bytes).toString();
		const signOf = (code: number): string => {
			const digits = code.toString(8).padStart(2, '0');
			return (
				shown.slice(0, 8) + digits.replaceAll(/\d/g, (digit) => '!#$&^{}.'.charAt(Number(digit))) + shown.slice(-2)
			);
		};
		assert.equal(signOf(0xe9), shown);
		for (const code of [0x0d, 0x80, 0xd7ff, 0xe000, 0x10_ffff]) {
			assert.equal(reveal(`a${signOf(code)}b`), `a${String.fromCodePoint(code)}b`, code.toString(16));
		}
		for (const code of [0x00, 0x0a, 0x0c, 0x0e, 0x40, 0x7f, 0xd800, 0xdfff, 0x11_0000]) {
			assert.equal(reveal(`a${signOf(code)}b`), `a${signOf(code)}b`, code.toString(16));
		}
	});

	test('use another marker in each text, so that no other text reveals them', () => {
		const [one, other] = [disguise('é'), disguise('éé')];
		const shown = Buffer.from(one.bytes).toString();
		assert.equal(other.reveal(shown), shown);
	});

	const body = 'é\uDCE9\u0080\uDC80\uDCFF\uD800\r\nx';
	const asBytes = '\xC3\xA9\xE9\xC2\x80\x80\xFF\xEF\xBF\xBD?\nx';
	const mails: readonly (readonly [title: string, mail: string, shown: string])[] = [
		['the body of a mail', `X: é\uDCE9\n\n${body}`, `X: ?\xE9\n\n${asBytes}`],
		['a mail without a body', `X: é\uDCE9\nY: é\n`, 'X: ?\xE9\nY: ?\n'],
		[
			'one of two parts',
			`A: a; boundary=b\n\né\n--b\nX: é\n\n${body}\n--b\nX: é\n\né\n--b--\né`,
			`A: a; boundary=b\n\n?\n--b\nX: ?\n\n${asBytes}\n--b\nX: ?\n\n?\n--b--\n?`,
		],
		[
			'a part with a quoted delimiter or blanks behind it',
			`A: a; BOUNDARY="b;c d"\n\né\n--b;c d \t\nX: é\n\n${body}\n--b;c d--\n\né`,
			`A: a; BOUNDARY="b;c d"\n\n?\n--b;c d \t\nX: ?\n\n${asBytes}\n--b;c d--\n\n?`,
		],
		[
			'a part with a parameter behind the boundary',
			`A: boundary=bc;d\n\né\n--bc\nX: é\n\n${body}\n--bc`,
			`A: boundary=bc;d\n\n?\n--bc\nX: ?\n\n${asBytes}\n--bc`,
		],
		[
			'all of a body whose dashes part nothing',
			`A: a; boundary=b\n\né\n--c\n\né\nb--\né --b\né\n--c--\n${body}`,
			`A: a; boundary=b\n\n\xC3\xA9\n--c\n\n\xC3\xA9\nb--\n\xC3\xA9 --b\n\xC3\xA9\n--c--\n${asBytes}`,
		],
		[
			'a part without a head that looks like one',
			`A: a; boundary=b\n\n--b\né\uDCE9\n--b\n\n${body}`,
			`A: a; boundary=b\n\n--b\n?\xE9\n--b\n\n${asBytes}`,
		],
	];
	for (const [title, mail, shown] of mails) {
		test(`become bytes only in ${title}`, () => {
			assert.equal(shownBytes(mail), shown);
		});
	}
});
