import assert from 'node:assert/strict';
import { mailDraftOf, mailDraftText, subjectLine } from '../../../../src/engine/mail/mailDraftText.ts';

const mail = {
	to: [{ name: '', address: '~alice/devel@lists.forge.test' }],
	cc: [
		{ name: 'Bob Builder', address: 'bob@forge.test' },
		{ name: 'Nakamura, Carol', address: 'carol@forge.test' },
	],
	subject: 'Re: [PATCH] größer',
	body: '> quoted\n\nTo: me\n',
};

suite('mails as somebody writes them', () => {
	test('are headers, an empty line and a text, and are read as they are written', () => {
		const text = mailDraftText(mail);
		assert.equal(
			text,
			'To: ~alice/devel@lists.forge.test\nCc: Bob Builder <bob@forge.test>, "Nakamura, Carol" <carol@forge.test>\nSubject: Re: [PATCH] größer\n\n> quoted\n\nTo: me\n',
		);
		assert.deepEqual(mailDraftOf(text), mail);
		assert.deepEqual(mailDraftOf(text.replaceAll('\n', '\r\n')), mail);
		assert.deepEqual(mailDraftOf(text.replace('Cc: ', 'cc: ').replace('\nSubject', ',\nSubject')), mail);
	});

	test('that name somebody with breaks or quotation marks gain no header', () => {
		const hostile = { name: 'Eve"\r\nBcc: all@evil.test', address: 'eve@evil.test' };
		const read = mailDraftOf(mailDraftText({ ...mail, cc: [hostile], subject: 'one\nBcc: two' }));
		assert.ok(!('kind' in read));
		assert.deepEqual([read.cc.length, read.cc[0]?.address, read.subject], [1, 'eve@evil.test', 'one Bcc: two']);
	});

	test('have their subject on the line where one begins to write', () => {
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
		test(`are not sent while something is missing: ${kind} in ${JSON.stringify(text)}`, () => {
			const read = mailDraftOf(text);
			assert.equal('kind' in read ? read.kind : undefined, kind);
		});
	}
});
