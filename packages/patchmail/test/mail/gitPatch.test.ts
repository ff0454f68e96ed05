import assert from 'node:assert/strict';
import {
	bytesOfMail,
	gitPatch,
	isOtherLetter,
	isSameAscii,
	isSameButBlanks,
	otherReading,
	patchShown,
	patchToGit,
	textShown,
} from '../../src/mail/gitPatch.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const latin1 = 'Content-Type: text/plain; charset=iso-8859-1\n';
const mixed = 'Content-Type: multipart/mixed; boundary=b\n\n';
const alternative = 'Content-Type: multipart/alternative; boundary=c\n';
const base64 = 'Content-Transfer-Encoding: base64\n';
const quoted = 'Content-Transfer-Encoding: quoted-printable\n';
const flowed = 'Content-Type: text/plain; format=flowed\n';
const delSp = 'Content-Type: text/plain; format=flowed; delsp=yes\n';
const fromLine = `>From ${'0a'.repeat(20)} Mon Sep 17 00:00:00 2001`;

/** `message` is git’s commit message if it is not the letter without leading empty lines. */
type Mail = readonly [mail: string, letter: string, patch: string, message?: string];

/** One character per byte. */
const mails: Readonly<Record<string, readonly Mail[]>> = {
	'starts a patch at the first diff line or at three dashes': [
		[
			'Subject: s\n\nsee diff - and Index: x --- y\n---x\n---\tx\n--- \t\nend\n',
			'\nsee diff - and Index: x --- y\n---x\n---\tx\n',
			'--- \t\nend\n',
		],
		['A: b\n\nhi\n--- a\n', '\nhi\n', '--- a\n'],
		['A: b\n\nhi\n---\t \t\nx', '\nhi\n', '---\t \t\nx'],
		['A: b\n\nhi\ndiff -x\n', '\nhi\n', 'diff -x\n'],
		['A: b\n\nhi\nIndex: x\n', '\nhi\n', 'Index: x\n'],
		['A: b\n\nhi\n --- a\n x---\nb diff - c\n', '\nhi\n --- a\n x---\nb diff - c\n', ''],
		['A: b\n\nhi\n---\r\r\nx\n', '\nhi\n', '---\r\nx\n'],
	],
	'ends the head at the first line without a field, and unfolds lines that begin with a blank': [
		['\n\n\nSubject: s\n\nhi\n', '\nhi\n', ''],
		[' folded\nSubject: s\n\nhi\n', '\nhi\n', ''],
		['Subject: s\nnot a field \nhi\n', 'not a field\nhi\n', ''],
		['Subject: s\nno field: x\nhi\n', 'no field: x\nhi\n', ''],
		['Subject: s\n  \t\n\nhi\n', '\nhi\n', ''],
		['Subject: s\n\tt\n u\n\nhi\n', '\nhi\n', ''],
		['A: b\n B: c\n\nhi\n', '\nhi\n', ''],
		['>From x\nA: b\n\nhi\n', '\nhi\n', ''],
		['hi \n---\nx\n', 'hi\n', '---\nx\n'],
	],
	'converts the charset of text, but not of a patch': [
		[`${latin1}\n\xE4\n---\n\xE4\n`, '\n\xC3\xA4\n', '---\n\xE4\n'],
		['a \n--- \n b\n', 'a\n', '--- \n b\n'],
		['Content-Type: text/plain; charset=us-ascii\n\nhi\n---\n\xE4\n', '\nhi\n', '---\n\xE4\n'],
	],
	'does not convert the headers of a text': [
		[`${latin1}\nSubject: \xE4\n\n\xE4\n---\n`, '\nSubject: \xE4\n\n\xC3\xA4\n', '---\n', '\xC3\xA4\n'],
		[
			`${latin1}\nSubject: \xE4\n \xE4\n\t\xE4\n\xE4\n---\n`,
			'\nSubject: \xE4\n \xE4\n\t\xE4\n\xC3\xA4\n',
			'---\n',
			'\xC3\xA4\n',
		],
		[
			`${latin1}\n\nSubject: \xE4\nDate: \xE4\nFrom: \xE4\nSubject: \xE4\n---\n`,
			'\n\nSubject: \xE4\nDate: \xE4\nFrom: \xE4\nSubject: \xC3\xA4\n',
			'---\n',
			'Subject: \xC3\xA4\n',
		],
		[
			`${latin1}\nsubJect: \xE4\nSUBJECT: \xE4\n---\n`,
			'\nsubJect: \xE4\nSUBJECT: \xC3\xA4\n',
			'---\n',
			'SUBJECT: \xC3\xA4\n',
		],
		[
			`${latin1}\n[PATCH] \xE4\nSubject: \xE4\n\xE4\n---\n`,
			'\n[PATCH] \xE4\nSubject: \xC3\xA4\n\xC3\xA4\n',
			'---\n',
			'Subject: \xC3\xA4\n\xC3\xA4\n',
		],
		[`${latin1}\n[PATCH]\nDate: \xE4\n---\n`, '\n[PATCH]\nDate: \xE4\n', '---\n', ''],
		[`${latin1}\n[PATCH]\xE4\nSubject: \xE4\n---\n`, '\n[PATCH]\xC3\xA4\nSubject: \xC3\xA4\n', '---\n'],
		[`${latin1}\nx [PATCH] \xE4\nDate: \xE4\n---\n`, '\nx [PATCH] \xC3\xA4\nDate: \xC3\xA4\n', '---\n'],
		[`${latin1}\n${fromLine}\nSubject: \xE4\n---\n`, `\n${fromLine}\nSubject: \xE4\n`, '---\n', ''],
		[`${latin1}\n${fromLine}0\nSubject: \xE4\n---\n`, `\n${fromLine}0\nSubject: \xC3\xA4\n`, '---\n'],
		[`${latin1}\nx${fromLine}\nSubject: \xE4\n---\n`, `\nx${fromLine}\nSubject: \xC3\xA4\n`, '---\n'],
		[
			`${latin1}\n${fromLine.replaceAll('a', 'g')}\nSubject: \xE4\n---\n`,
			'\n>From 0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g0g Mon Sep 17 00:00:00 2001\nSubject: \xC3\xA4\n',
			'---\n',
		],
		[`${latin1}\nx Subject: \xE4\n---\n`, '\nx Subject: \xC3\xA4\n', '---\n'],
		[`${latin1}\nSubject \xE4\n---\n`, '\nSubject \xC3\xA4\n', '---\n'],
		[`${latin1}\n \xE4\nSubject: \xE4\n---\n`, '\n \xC3\xA4\nSubject: \xC3\xA4\n', '---\n'],
		[`${latin1}\nhi\nSubject: \xE4\n---\n`, '\nhi\nSubject: \xC3\xA4\n', '---\n'],
		[
			`${latin1}\nSubject: \xE4\n\n\n\nFrom: \xE4\n---\n`,
			'\nSubject: \xE4\n\n\n\nFrom: \xC3\xA4\n',
			'---\n',
			'\n\nFrom: \xC3\xA4\n',
		],
		[`${latin1}\nSubject: \xE4\nx \xE4\n---\n`, '\nSubject: \xE4\nx \xC3\xA4\n', '---\n', 'x \xC3\xA4\n'],
		[
			`${latin1}\nSubject: \xE4\n\n \xE4\nFrom: \xE4\n---\n`,
			'\nSubject: \xE4\n\n \xC3\xA4\nFrom: \xC3\xA4\n',
			'---\n',
			' \xC3\xA4\nFrom: \xC3\xA4\n',
		],
		[`${latin1}\nhi\n\xE4\n\n\xE4\n---\n`, '\nhi\n\xC3\xA4\n\n\xC3\xA4\n', '---\n'],
		[
			`${latin1}\nSubject: \xE4\nx =?utf-8?q?\xE4\n---\n`,
			'\nSubject: \xE4\nx =?utf-8?q?\xC3\xA4\n',
			'---\n',
			'x =?utf-8?q?\xC3\xA4\n',
		],
		['A: b\n\nhi\nSubject: =?utf-8?q?a\n---\nx\n', '\nhi\nSubject: =?utf-8?q?a\n', '---\nx\n'],
		['A: b\n\nSubject: =?utf-8?q?a?=\n\n---\nx\n', '\nSubject: =?utf-8?q?a?=\n\n', '---\nx\n', ''],
		[`${mixed}--b\n${base64}\nU3ViamVjdDogcw==\n--b\n\nhi\n--b--\n`, 'Subject: s\nhi\n\n', '', 'hi\n\n'],
	],
	'concatenates parts': [
		[`${mixed}pre\ndiff -x\n--b\n\none\n--b\n\ntwo\n---\nx\n--b\n\ny\n--b--\nafter\n`, 'one\ntwo\n', '---\nx\ny\n\n'],
		[`${mixed}--b\n${latin1}\n\xE4\n--b\n\n\xE4\n---\nx\n--b--\n`, '\xC3\xA4\n\xE4\n', '---\nx\n\n'],
		[`${mixed}--b\n\none\n--b--\n`, 'one\n\n', ''],
		[`${mixed}--b\n\none\n--b`, 'one\n', ''],
		[`${mixed}no part\n---\nx\n`, '', ''],
		[`${mixed}--b\nnot a field\nX: y\none\n`, 'X: y\none\n', ''],
		[`${mixed}--b\n--b\nx\n--b\n\ny\n`, 'x\ny\n', ''],
		[`${mixed}--b--\n\nz\n`, '\n', ''],
		[`${mixed}--b\n\none\n--b--\nhi\n--b\n\ntwo\n`, 'one\n\n', ''],
		[`${mixed}--b\n${alternative}\n--c\n\none\n--c--\n--b\n\ntwo\n--b--\n`, '--c\n\none\n\ntwo\n\n', ''],
		[`${mixed}--b\n${alternative}\n--c\n\none\n--c--\nmore\n--b--\nlast\n---\nx\n`, '--c\n\none\n\n', ''],
		[`${mixed}--b\n${alternative}\n--b\n\none\n---\n`, '--b\n\none\n', '---\n'],
		[`${mixed}--b\n${base64}\nb25lCi0tLQp4\n--b\n\ntwo\n--b--\n`, 'one\n', '---\nxtwo\n\n'],
		[`${mixed}--b\n\none\nx`, 'one\nx', ''],
		[`${mixed}--b\n\none\n--b\n\nx`, 'one\nx\n', ''],
		[`${mixed}--b\n${base64}\nb25l\n--b\n\ntwo\n--b--\n`, 'onetwo\n\n', ''],
		[`${mixed}--b\n${base64}\nb25l\n--b--\n`, 'one\n', ''],
		[`${mixed}--b\n${quoted}\none=\n--b\n\ntwo\n--b--\n`, 'onetwo\n\n', ''],
		[`${mixed}--b\n${flowed}\none \n--b\n\ntwo \nthree\n--b--\n`, 'one two three\n\n', ''],
	],
	'allows line ends within encoded lines, and encoded lines within lines': [
		[`${base64}\nb25lCnR3\nbwotLS0KeA==\n`, 'one\ntwo\n', '---\nx'],
		[`${base64}\nb25l\nCgotLS0KeAoKeQ==`, 'one\n\n', '---\nx\n\ny'],
		[`${base64}\nb25lCi0t\nLQp4\n`, 'one\n', '---\nx'],
		[`${base64}\nb25l\0dHdv\ndGhyZWUK\n`, 'onethree\n', ''],
		[`${base64}\nb25lCnR3\nbwo=\ndGhyZWUKZm91cg==\n`, 'one\ntwo\nthree\nfour', ''],
		[`${quoted}\none=\n two=3D\n---\nx=0Ay=0A=0Az\n`, '\none two=\n', '---\nx\ny\n\nz\n'],
		[`${quoted}\none=0A---=0Ax`, '\none\n', '---\nx'],
		[`${quoted}\no\0ne\ntwo\n`, '\notwo\n', ''],
		[`${quoted}\na_b=0Ac=\nd\n`, '\na_b\ncd\n', ''],
	],
	'joins flowed lines': [
		[`${flowed}\none \n two \n  three\n---\nx \ny\n`, '\none two  three\n', '---\nx y\n'],
		[`${delSp}\none \ntwo \nthree\n---\nx \ny\n`, '\nonetwothree\n', '---\nxy\n'],
		[`${flowed}\none \n-- \ntwo\n---\n-- \n`, '\none -- \ntwo\n', '---\n-- \n'],
		[`${flowed}\none \n \ntwo\n`, '\none \ntwo\n', ''],
		[`${flowed}\n \n`, '\n\n', ''],
		[`${flowed}\none \r\ntwo\r\n`, '\none two\n', ''],
		[`${flowed}\nlast `, '\nlast ', ''],
		[`${flowed}\na \n---\nb \n-- \nc\n`, '\na ---\nb -- \nc\n', ''],
		[`${flowed}\n> a \n> b\n`, '\n> a > b\n', ''],
		[`${flowed}${base64}\nb25lIA0KdHdvDQotLS0KYSANDQpiDQo=\n`, 'one two\r\n', '---\na \r\r\nb\r\n'],
		[`${flowed}\n-- \n`, '\n-- \n', ''],
		[`${flowed}\na\rb \n c\n`, '\na\rb c\n', ''],
		['A: b\n\na \nb\n', '\na \nb\n', ''],
	],
};

suite('mail as git reads it', () => {
	for (const [title, cases] of Object.entries(mails)) {
		test(title, () => {
			for (const [mail, letter, patch] of cases) {
				const { letter: ownLetter, bytes, refusal } = gitPatch(mail);
				assert.deepEqual([ownLetter, bytes, refusal], [letter, patch, undefined], JSON.stringify(mail));
			}
		});
	}

	test('gives the same letters and patches as git mailinfo', () => {
		const all = Object.values(mails).flat();
		const results = runCases(
			'git mailinfo message patch <mail',
			all.map(([mail]) => ({
				mail: Buffer.from(`From nobody\n${mail.replace(/^\n+/, '').replaceAll('\r\n', '\n')}`, 'latin1'),
			})),
		);
		for (const [at, [mail, letter, patch, message = letter.replace(/^\n+/, '')]] of all.entries()) {
			const files = ['message', 'patch'].map((name) => results[at]?.file(name)?.toString('latin1'));
			assert.deepEqual(files, [message, patch], JSON.stringify(mail));
		}
	});

	test('falls back to headers of a part, and prefers the last of several', () => {
		const heads: readonly (readonly [mail: string, from: string | undefined, subject: string])[] = [
			['\nhi\n', undefined, ''],
			['subJECT:\t \rs\n\nhi\n', undefined, 's'],
			['X-Subject: s\nFrom: a@b\n\nhi\n', 'a@b', ''],
			['Subject: s\nSubject: t\nFrom: a@b\nFrom: c@d\n\nhi\n', 'c@d', 't'],
			['Subject: s\n\tt \n  u\nX: y\n\nhi\n', undefined, 's t  u'],
			['Subject: a\0b\nFrom:c\n\nhi\n', 'c', 'a'],
			['Subject: =?iso-8859-1?q?=E4?=\nFrom: \xC3\xA4\n\nhi\n', 'ä', 'ä'],
			[`${mixed}--b\nSubject: p\nFrom: q\n\none\n`, 'q', 'p'],
			[`Subject: s\n${mixed}--b\nSubject: p\nFrom: q\n\none\n`, 'q', 's'],
		];
		for (const [mail, from, subject] of heads) {
			const { read } = gitPatch(mail);
			assert.deepEqual([read.from, read.subject], [from, subject], JSON.stringify(mail));
		}
	});

	test('reports the first reason why git refuses a mail', () => {
		const damaged = { kind: 'damagedWord', header: '=?utf-8?q?a' } as const;
		const charset = { kind: 'charset', charset: 'x-nobody' } as const;
		const refused: readonly (readonly [mail: string, refusal: object, bytes: string])[] = [
			['Subject: =?utf-8?q?a\nFrom: =?x-nobody?q?a?=\n\nhi\n---\nx\n', damaged, '---\nx\n'],
			['From: =?x-nobody?q?a?=\nSubject: =?utf-8?q?a\n\nhi\n', charset, ''],
			['Content-Type: a; charset=x-nobody\n\nhi\n---\n', charset, '---\n'],
			[
				'Content-Type: a; charset=x-nobody\n\nSubject: =?\n\nhi\n',
				{ kind: 'damagedWord', header: 'Subject: =?\n' },
				'',
			],
			['Content-Type: a; charset=x-nobody\nSubject: =?utf-8?q?a\n\nhi\n', damaged, ''],
			['A: b\n\nDate: =?utf-8?q?a\n', { kind: 'damagedWord', header: 'Date: =?utf-8?q?a\n' }, ''],
			['A: b\n\nDate: s\n =?x-nobody?q?a?=\nhi\n---\n', charset, '---\n'],
			['Content-Type: a; charset=us-ascii\n\n\xE4\n--- a\n', { kind: 'charset', charset: 'us-ascii' }, '--- a\n'],
		];
		for (const [mail, refusal, bytes] of refused) {
			const found = gitPatch(mail);
			assert.deepEqual([found.refusal, found.bytes], [refusal, bytes], JSON.stringify(mail));
		}
		const results = runCases(
			'git mailinfo message patch <mail',
			refused.map(([mail]) => ({ mail: Buffer.from(mail, 'latin1') })),
		);
		assert.deepEqual(
			results.map(({ status }) => status !== 0),
			refused.map(() => true),
		);
	});

	test('reports a head line without a field', () => {
		for (const [mail, oddLine] of [
			['A: b\nno field \nC: d\n\nx\n', 'no field'],
			['A: b\n\nno field\n', undefined],
			[`${mixed}--b\nfirst\n--b\nsecond\n`, 'first'],
		] as const) {
			assert.equal(gitPatch(mail).oddLine, oddLine, mail);
		}
	});

	test('takes the charset of a patch from its first line', () => {
		assert.equal(gitPatch(`${latin1}\nhi\n---\n`).charset, 'iso-8859-1');
		assert.equal(gitPatch(`${mixed}--b\n${latin1}\n---\n--b\n\nx\n`).charset, 'iso-8859-1');
		assert.equal(gitPatch(`${mixed}--b\n${latin1}\nhi\n--b\n\n---\n`).charset, '');
		assert.equal(gitPatch(`${latin1}\nhi\n`).charset, '');
	});
});

suite('differences between git’s reading and ours', () => {
	const patch = '---\nx\n';

	test('a letter differs if more than blanks change, and only in a mail with a patch', () => {
		const toGit = gitPatch(`A: b\n\na \n b\n${patch}`);
		assert.equal(isOtherLetter(toGit, `a b\n${patch}`), false);
		assert.equal(isOtherLetter(toGit, `a c\n${patch}`), true);
		assert.equal(isOtherLetter(gitPatch('A: b\n\na\n'), 'c\n'), false);
	});

	test('a reading differs if sender, subject or letter change', () => {
		const mail = {
			headers: [{ name: 'from', value: '=?utf-8?q?=C3=A4?= <a@b.test>' }],
			subject: 's',
		};
		const head = 'From: =?utf-8?q?=C3=A4?= <a@b.test>\nSubject: s\n';
		const toGit = gitPatch(`${head}\nhi\n\nho \n${patch}`);
		for (const text of [`hi\n\nho\n${patch}`, `\n\nhi\r\n\r\nho\r\n\n${patch}`]) {
			assert.equal(otherReading(toGit, mail, text), undefined, JSON.stringify(text));
		}
		for (const text of [`hi\nho\n${patch}`, `hi\n\nho x\n${patch}`]) {
			assert.deepEqual(otherReading(toGit, mail, text), toGit.read, JSON.stringify(text));
		}
		const text = `hi\n\nho\n${patch}`;
		const otherHeads = [
			{ ...mail, subject: 't' },
			{ ...mail, headers: [{ name: 'from', value: 'c@d.test' }] },
			{ ...mail, headers: [] },
		];
		for (const other of otherHeads) {
			assert.deepEqual(otherReading(toGit, other, text), toGit.read, JSON.stringify(other));
		}
		const nobody = { headers: [], subject: '' };
		assert.equal(otherReading(gitPatch(`A: b\n\nhi\n${patch}`), nobody, `hi\n${patch}`), undefined);
		assert.equal(otherReading(gitPatch('Subject: t\n\nho\n'), mail, 'hi\n'), undefined, 'no patch');
	});

	test('blanks make no difference, and everything else does', () => {
		assert.equal(isSameButBlanks('a \t\r\n  b', 'ab'), true);
		assert.equal(isSameButBlanks('', ' '), true);
		assert.equal(isSameButBlanks('a', 'b'), false);
		assert.equal(isSameButBlanks('a\f', 'a'), false);
	});

	test('ASCII comparison ignores other characters, CRs at line ends and trailing blanks', () => {
		for (const [one, other, isSame] of [
			['aéé b', 'aü b', true],
			['a\r\nb', 'a\nb', true],
			['a\n\n', 'a', true],
			['a\rb', 'ab', false],
			['ab', 'a b', false],
			['é', 'e', false],
		] as const) {
			assert.equal(isSameAscii(one, other), isSame, JSON.stringify([one, other]));
		}
	});

	test('the displayed patch begins after the letter, continues in attachments, and may differ for git', () => {
		const attachment = { name: undefined, type: 'text/x-patch', size: 1, text: undefined };
		const attachments = ['diff -x', undefined, 'Index: y'].map((each) => ({ ...attachment, patch: each }));
		assert.equal(textShown({ body: 'hi', attachments }), 'hi\ndiff -x\nIndex: y');
		assert.equal(textShown({ body: 'hi', attachments: [] }), 'hi');
		assert.equal(textShown({ body: 'hi', attachments: [attachments[1]!] }), 'hi');
		assert.equal(patchShown({ body: 'hi', attachments }), 'diff -x\nIndex: y');
		for (const [body, shown] of [
			['a\n---\t \r\nb', '---\t \r\nb'],
			['a\n---\r\n', '---\r\n'],
			['a\n--- b', '--- b'],
			['a\n---b\n--- ', ''],
			['---\n', '---\n'],
			['a ---\nb diff -\n', ''],
		] as const) {
			assert.equal(patchToGit({ body, attachments: [], gitPatch: undefined }), shown, JSON.stringify(body));
		}
		assert.equal(patchToGit({ body: '---\n', attachments: [], gitPatch: '' }), '');
	});

	test('the bytes of a mail are UTF-8 and the bytes that the server could not decode', () => {
		assert.equal(bytesOfMail('a\uDCE4\uDC80é\uDCFF😀'), 'a\xE4\x80\xC3\xA9\xFF\xF0\x9F\x98\x80');
	});
});
