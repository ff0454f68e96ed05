import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readMail } from '../../../../../src/mailParser.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { visibleText } from '../../../../../src/engine/text/visible.ts';
import { makeMail } from '../../../../support/makeMail.ts';

const { firstLine, mailParts } = await import('../../../../../src/features/lists/mail/mailText.ts');

async function textOf(email: Email, hasAccounts = true): Promise<string> {
	const { head, body } = mailParts(email, await readMail(email.envelope, { evenIfLarge: false }), [], hasAccounts);
	return `${head}${visibleText(body)}`;
}

function mailOf(headers: string, text: string): Email {
	return makeMail({ envelope: `${headers}\r\n\r\n${text}` });
}

suite('message text', () => {
	test('starts with sender, date and subject, followed by the body', async () => {
		const text = await textOf(
			mailOf(
				[
					'From: Bob Builder <bob@forge.test>',
					'To: ~alice/devel@lists.forge.test',
					'Cc: carol@forge.test',
					'Date: Fri, 20 Nov 2026 07:13:43 +0000',
					'Subject: [PATCH 1/2] Add foo',
				].join('\r\n'),
				'Text\r\n---\r\n+line\r\n',
			),
		);
		const [from, account, to, cc, date, ...rest] = text.split('\n');
		assert.deepEqual(
			[from, account, to, cc],
			[
				'From: Bob Builder <bob@forge.test>',
				'Account: ~bob',
				'To: ~alice/devel@lists.forge.test',
				'Cc: carol@forge.test',
			],
		);
		assert.match(date ?? '', /^Date: .*2026/);
		assert.deepEqual(rest, ['Subject: [PATCH 1/2] Add foo', '', 'Text', '---', '+line', '']);
	});

	test('says that a sender has no account', async () => {
		assert.match(await textOf(makeMail({ sender: undefined })), /^Account: none on this forge$/m);
		assert.doesNotMatch(await textOf(makeMail({ sender: undefined }), false), /Account/);
	});

	test('warns about a name with another address or account', async () => {
		const text = await textOf(mailOf('From: "~alice alice@forge.test" <bob@forge.test>', 'hi'));
		assert.match(text, /^⚠ .*alice@forge\.test, but this message is not from there/m);
		assert.match(text, /^⚠ .*~alice, which is not the account/m);
	});

	test('escapes hidden characters and unusual line breaks, and warns about them', async () => {
		const text = await textOf(mailOf('From: a@b.test', 'if (x) \u202E{ \u2066\rreturn\u2028;'));
		assert.ok(text.includes('if (x) ⟨U+202E⟩{ ⟨U+2066⟩⟨U+000D⟩return⟨U+2028⟩;'));
		assert.match(text, /⚠ This message contains hidden characters/);
	});

	test('removes escape sequences', async () => {
		const text = await textOf(mailOf('From: a@b.test\r\nSubject: \u001B]0;x\u0007 \u009B2J', '\u001B[2J'));
		// oxlint-disable-next-line no-control-regex -- control characters must not remain
		assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
	});

	test('lists attachments with name, type and size', async () => {
		const text = await textOf(
			mailOf(
				'From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b',
				'--b\r\n\r\ntext\r\n--b\r\nContent-Type: text/x-log; name="a.log"\r\nContent-Disposition: attachment\r\n\r\n12345\r\n--b--',
			),
		);
		assert.match(text, /^Attachment: a\.log \(text\/x-log, \d bytes\)$/m);
	});

	test('shows an unreadable message raw, with the reason first', async () => {
		assert.match(
			await textOf(makeMail({ envelope: 'no mail at all' })),
			/^This message could not be parsed.*\n\nno mail at all$/,
		);
		const large = await textOf(makeMail({ envelope: `From: a@b.test\n\n${'x'.repeat(1_000_001)}` }));
		assert.match(large.slice(0, 100), /^This message is larger than 1 MB/);
	});

	test('has the first own line of a reply, without quote or attribution', () => {
		assert.equal(firstLine('On Friday Bob wrote:\n> Hello\n> there\n\nYes.\nMore.'), 'Yes.');
		assert.equal(firstLine('Hello:\nthere'), 'Hello:');
		assert.equal(firstLine('> only\n> quotes'), undefined);
		assert.equal(firstLine('x'.repeat(500))?.length, 120);
	});
});
