import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readMail } from '../../../../../src/mailParser.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { visibleText } from '../../../../../src/engine/text/visible.ts';
import { makeMail } from '../../../../support/makeMail.ts';

const { firstLine, mailParts } = await import('../../../../../src/features/lists/mail/mailText.ts');

async function textOf(email: Email): Promise<string> {
	const { head, body } = mailParts(email, await readMail(email.envelope, { evenIfLarge: false }));
	return `${head}${visibleText(body)}`;
}

function mailOf(headers: string, text: string): Email {
	return makeMail({ envelope: `${headers}\r\n\r\n${text}` });
}

suite('a mail as a document', () => {
	test('it begins with who, when and what, addresses written out, and then says what the mail says', async () => {
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

	test('a sender without an account is said to have none', async () => {
		assert.match(await textOf(makeMail({ sender: undefined })), /^Account: none on this forge$/m);
	});

	test('a name that holds a foreign address or a foreign account is warned of', async () => {
		const text = await textOf(mailOf('From: "~alice alice@forge.test" <bob@forge.test>', 'hi'));
		assert.match(text, /^⚠ .*alice@forge\.test, but this message is not from there/m);
		assert.match(text, /^⚠ .*~alice, which is not the account/m);
	});

	test('hidden characters and odd line breaks are written out, and the mail is said to hold them', async () => {
		const text = await textOf(mailOf('From: a@b.test', 'if (x) \u202E{ \u2066\rreturn\u2028;'));
		assert.ok(text.includes('if (x) ⟨U+202E⟩{ ⟨U+2066⟩⟨U+000D⟩return⟨U+2028⟩;'));
		assert.match(text, /⚠ This message contains hidden characters/);
	});

	test('escape sequences reach no terminal and no document', async () => {
		const text = await textOf(mailOf('From: a@b.test\r\nSubject: \u001B]0;x\u0007 \u009B2J', '\u001B[2J'));
		// oxlint-disable-next-line no-control-regex -- that is what must not be there
		assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
	});

	test('attachments are listed with name, type and size', async () => {
		const text = await textOf(
			mailOf(
				'From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b',
				'--b\r\n\r\ntext\r\n--b\r\nContent-Type: text/x-log; name="a.log"\r\nContent-Disposition: attachment\r\n\r\n12345\r\n--b--',
			),
		);
		assert.match(text, /^Attachment: a\.log \(text\/x-log, \d bytes\)$/m);
	});

	test('what cannot be read is shown as it came, with the reason in front', async () => {
		assert.match(
			await textOf(makeMail({ envelope: 'no mail at all' })),
			/^This message could not be parsed.*\n\nno mail at all$/,
		);
		const large = await textOf(makeMail({ envelope: `From: a@b.test\n\n${'x'.repeat(1_000_001)}` }));
		assert.match(large.slice(0, 100), /^This message is larger than 1 MB/);
	});

	test('the first line of an answer is its own, not a quote and not the announcement of one', () => {
		assert.equal(firstLine('On Friday Bob wrote:\n> Hello\n> there\n\nYes.\nMore.'), 'Yes.');
		assert.equal(firstLine('Hello:\nthere'), 'Hello:');
		assert.equal(firstLine('> only\n> quotes'), undefined);
		assert.equal(firstLine('x'.repeat(500))?.length, 120);
	});
});
