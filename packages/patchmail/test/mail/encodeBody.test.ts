import assert from 'node:assert/strict';
import { encodedBody, quotedPrintable } from '../../src/mail/encodeBody.ts';

const long = 'x'.repeat(900);

suite('encoded mail body', () => {
	test('stays 7bit for ASCII in lines that every server accepts', () => {
		for (const text of ['', 'a\n\tb ~\n', `${long}\n${long}`]) {
			assert.deepEqual(encodedBody(text), { encoding: '7bit', text });
		}
		for (const [text, encoded] of [
			['ü\n', '=C3=BC\n'],
			['aü', 'a=C3=BC'],
			['üa', '=C3=BCa'],
			['a\x7F', 'a=7F'],
			['a\r\n', 'a=0D\n'],
			['\x1B', '=1B'],
			['\uD800', '=EF=BF=BD'],
		] as const) {
			assert.deepEqual(encodedBody(text), { encoding: 'quoted-printable', text: encoded }, JSON.stringify(text));
		}
		assert.deepEqual(encodedBody(`${long}x\n`), {
			encoding: 'quoted-printable',
			text: `${`${'x'.repeat(75)}=\n`.repeat(12)}x\n`,
		});
	});

	test('escapes all characters that may get lost or cause harm', () => {
		for (const [line, encoded] of [
			['!"#a~ b\tc', '!"#a~ b\tc'],
			['a=b', 'a=3Db'],
			['\0\x01\x1F\x7F\x80\xFF', '=00=01=1F=7F=80=FF'],
			['a ', 'a=20'],
			['a\t', 'a=09'],
			[' ', '=20'],
			[' a\n\tb \nc', ' a\n\tb=20\nc'],
			['.a\n.\na.b.', '=2Ea\n=2E\na.b.'],
			['From me\nFrom me\n From me\nI am From me', '=46rom me\n=46rom me\n From me\nI am From me'],
			['Fromage', 'Fromage'],
		] as const) {
			assert.equal(quotedPrintable(Buffer.from(line, 'latin1')), encoded, JSON.stringify(line));
		}
	});

	test('has lines of at most 75 characters plus a soft break, and never splits an escape', () => {
		const of = (count: number): string => 'x'.repeat(count);
		for (const [line, encoded] of [
			[of(75), of(75)],
			[of(76), `${of(75)}=\nx`],
			[`${of(72)}=`, `${of(72)}=3D`],
			[`${of(73)}=`, `${of(73)}=\n=3D`],
			[`${of(75)}From a`, `${of(75)}=\nFrom a`],
			[`From ${of(70)}yz`, `=46rom ${of(70)}=\nyz`],
			[`${of(74)} b`, `${of(74)} =\nb`],
		] as const) {
			assert.equal(quotedPrintable(Buffer.from(line)), encoded, line);
		}
	});
});
