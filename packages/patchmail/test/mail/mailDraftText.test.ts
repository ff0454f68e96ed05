import assert from 'node:assert/strict';
import { headedMailOf, mailDraftOf, mailDraftText, peopleIn, subjectLine } from '../../src/mail/mailDraftText.ts';

const mail = {
	to: [{ name: '', address: '~alice/devel@lists.forge.test' }],
	cc: [
		{ name: 'Bob Builder', address: 'bob@forge.test' },
		{ name: 'Nakamura, Carol', address: 'carol@forge.test' },
	],
	subject: 'Re: [PATCH] größer',
	body: '> quoted\n\nTo: me\n',
};

suite('mail draft text', () => {
	test('round-trips headers, an empty line and the body', () => {
		const text = mailDraftText(mail);
		assert.equal(
			text,
			'To: ~alice/devel@lists.forge.test\nCc: Bob Builder <bob@forge.test>, "Nakamura, Carol" <carol@forge.test>\nSubject: Re: [PATCH] größer\n\n> quoted\n\nTo: me\n',
		);
		assert.deepEqual(mailDraftOf(text), mail);
		assert.deepEqual(mailDraftOf(text.replaceAll('\n', '\r\n')), mail);
		assert.deepEqual(mailDraftOf(text.replace('Cc: ', 'cc: ').replace('\nSubject', ',\nSubject')), mail);
	});

	test('gains no header from line breaks or quotation marks in a name', () => {
		const hostile = { name: 'Eve"\r\nBcc: all@evil.test', address: 'eve@evil.test' };
		const read = mailDraftOf(mailDraftText({ ...mail, cc: [hostile], subject: 'one\nBcc: two' }));
		assert.ok(!('kind' in read));
		assert.deepEqual([read.cc.length, read.cc[0]?.address, read.subject], [1, 'eve@evil.test', 'one Bcc: two']);
	});

	test('has its subject on the line where the cursor starts', () => {
		const text = mailDraftText({ to: [{ name: '', address: 'a@b.test' }], cc: [], subject: 'one\ntwo', body: 'three' });
		assert.equal(text.split('\n')[subjectLine], 'Subject: one two');
	});

	const faults: readonly (readonly [text: string, kind: string])[] = [
		['To: \nSubject: a\n\ntext', 'nobody'],
		['To: bob\nSubject: a\n\ntext', 'badPeople'],
		['To: a@b.test\nCc: a@b.test c@d.test\nSubject: a\n\ntext', 'badPeople'],
		['To: -x@b.test\nSubject: a\n\ntext', 'badPeople'],
		['To: a@b.test\nBcc: c@d.test\nSubject: a\n\ntext', 'badHeader'],
		['To: a@b.test\nSubject: a\nSubject: b\n\ntext', 'twice'],
		['Hello\n\ntext', 'badHeader'],
		['To: a@b.test\nSubject:\n\ntext', 'noSubject'],
		['To: a@b.test\nSubject: a\n\n \n', 'noText'],
		['To: a@b.test\nSubject: a', 'noText'],
		['', 'nobody'],
	];
	for (const [text, kind] of faults) {
		test(`reports ${kind} for ${JSON.stringify(text)}`, () => {
			const read = mailDraftOf(text);
			assert.equal('kind' in read ? read.kind : undefined, kind);
		});
	}

	test('accepts other headers if allowed, each once', () => {
		const head = 'To: a@b.test\nsubject:  a \n';
		for (const [text, names, read] of [
			[`${head}X-Y:  z: \u00A0\n\nhi`, ['x-y'], [['x-y', 'z:']]],
			[`${head}x-y:\n\nhi`, ['x-y', 'in-reply-to'], [['x-y', '']]],
			[`${head}\nhi`, [], []],
			[`${head}X-Y: a\nx-y: b\n\nhi`, ['x-y'], { kind: 'twice', text: 'x-y: b' }],
			[`${head}X-Y: a\n\nhi`, ['x'], { kind: 'badHeader', text: 'X-Y: a' }],
			[`${head}  X-Y: a\n\nhi`, ['x-y'], { kind: 'badHeader', text: '  X-Y: a' }],
			[`${head}: a\n\nhi`, ['x'], { kind: 'badHeader', text: ': a' }],
			[`${head}x y: a\n\nhi`, ['y'], { kind: 'badHeader', text: 'x y: a' }],
			[`${head}subject: b\n\nhi`, [], { kind: 'twice', text: 'subject: b' }],
			['To: a@b.test\nCc: c\nSubject: s\n\nhi', [], { kind: 'badPeople', text: 'c' }],
			['To: a\nCc: c\nSubject: s\n\nhi', [], { kind: 'badPeople', text: 'a' }],
		] as const) {
			const found = headedMailOf(text, names);
			assert.deepEqual('kind' in found ? found : [...found.others], read, JSON.stringify(text));
		}
	});

	test('accepts several lines of people, any line ends, and blanks in the separator line', () => {
		const text = 'To: a@b.test\rTO: \tc@d.test , \r\nCc:\nCC: e@f.test\ncc: g@h.test,\nSubject: s\n \t\n\nhi\r\rho';
		const people = (...addresses: readonly string[]): unknown => addresses.map((address) => ({ name: '', address }));
		assert.deepEqual(mailDraftOf(text), {
			to: people('a@b.test', 'c@d.test'),
			cc: people('e@f.test', 'g@h.test'),
			subject: 's',
			body: '\nhi\n\nho',
		});
	});

	test('separates people by commas and allows a trailing one', () => {
		for (const [text, addresses] of [
			['', []],
			['a@b.test', ['a@b.test']],
			['a@b.test, c <d@e.test>, \t', ['a@b.test', 'd@e.test']],
			['a@b.test,x', undefined],
			['a@b.test,,', undefined],
			['-a@b.test', undefined],
			['a', undefined],
		] as const) {
			assert.deepEqual(
				peopleIn(text)?.map(({ address }) => address),
				addresses,
				text,
			);
		}
	});
});
