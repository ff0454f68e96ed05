import assert from 'node:assert/strict';
import { mailReader, readPlainMail } from '../../src/mail/mailReader.ts';
import { readAnyMail } from '../../src/mail/readMail.ts';
import type { MailReading } from '../../src/mail/readableMail.ts';

const head = 'From: a@b.test\n';
const patch = '---\nx\n';

function typed(type: string, body: string, encoding = '8bit'): string {
	return `${head}Content-Type: text/plain${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}`;
}

function base64(text: string): string {
	return Buffer.from(text).toString('base64');
}

const flowed = '; format=flowed';
const long = 'x\n'.repeat(8192);

type Case = readonly [mail: string, body: string];

const read: Readonly<Record<string, readonly Case[]>> = {
	'mails with and without a body': [
		[head, ''],
		[head.trimEnd(), ''],
		['Subject: s', ''],
		[`${head}\n`, ''],
		[`${head}\n\nhi`, '\nhi\n'],
		[`${head}\nhi\n`, 'hi\n'],
		[`${head}\n---x`, '---x\n'],
		[`${head}\n---\nx`, '---\nx\n'],
	],
	'words that git decodes to the same text or ignores': [
		['Subject: =?utf-8?q?=C3=BC?= =?latin1?q?=FC?=\n\nhi\n', 'hi\n'],
		['From: =?utf-8?q?=C3=BC?= <a@b.test>\n\nhi\n', 'hi\n'],
		[`${head}X-Y: =?utf-8?q?a\nTo: =?x-nobody?q?a?= <c@d.test>\n\nhi\n`, 'hi\n'],
		[`${head}\nSubject: =?utf-8?q?a?=\n\n${patch}`, `Subject: =?utf-8?q?a?=\n\n${patch}`],
		[`${head}\nSubject: s\n\n=?utf-8?q?a\n${patch}`, `Subject: s\n\n=?utf-8?q?a\n${patch}`],
		[`${head}\nhi =?utf-8?q?a\n${patch}`, `hi =?utf-8?q?a\n${patch}`],
	],
	'declared charsets': [
		[typed('; charset=""', 'é\n'), 'é\n'],
		[typed('; charset=us-ascii', 'a\n'), 'a\n'],
		[typed('; charset=us-ascii', '---\né\n'), '---\né\n'],
		[typed('; charset=us-ascii', '---\n=C3=A9=FC\n', 'quoted-printable'), '---\néü\n'],
		[typed('; charset=koi8-r', '=F0\n', 'quoted-printable'), 'П\n'],
		[typed('; charset=latin1', 'é\uDCFC\n'), 'Ã©ü\n'],
		[typed('; charset=latin1', 'é\n'), 'é\n'],
		[typed('; charset=iso-2022-jp', '\x1B$B$3\x1B(B\n'), 'こ\n'],
		[typed('; charset=iso-2022-jp', 'a\x1B(Bb\n'), 'ab\n'],
		[typed('', '\uDCFC é\n'), 'ü é\n'],
		[typed('; charset=utf-16', 'plain\n'), 'plain\n'],
	],
	'long mails that parse quickly': [
		[typed(flowed, long), long],
		[typed('', `${long}é\n`), `${long}é\n`],
		[typed('', long.replace('x', '\uDCFC')), long.replace('x', 'ü')],
		[typed('', `${long}x\n`, 'quoted-printable'), `${long}x\n`],
		[typed('', long.replace('x', 'é'), 'quoted-printable'), long.replace('x', 'é')],
	],
};

const left: Readonly<Record<string, readonly string[]>> = {
	'with repeated fields': [
		'Subject: s\nSubject: s\n\nhi\n',
		`${head}${head}\nhi\n`,
		`${head}Content-Type: text/plain\nContent-Type: text/plain\n\nhi\n`,
		`${head}Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: 8bit\n\nhi\n`,
	],
	'with git’s keywords in other parameters': [
		typed('; boundary=b', 'hi\n'),
		typed('; x-charset=koi8-r', 'hi\n'),
		typed('; x-format=flowed', 'hi\n'),
		typed('; format=flowed; x-delsp=yes', 'hi\n'),
	],
	'with words that git decodes to another text or not at all': [
		'Subject: =?utf-8?q?a\n\nhi\n',
		'Subject: =?x-nobody?q?a?=\n\nhi\n',
		'Subject: =?utf-8?q?a=0Ab?=\n\nhi\n',
		'From: =?x-nobody?q?a?= <a@b.test>\n\nhi\n',
		...['Date', 'Message-ID'].map((name) => `${head}${name}: =?utf-8?q?a?=\n\nhi\n`),
		`${head}Content-Type: text/plain; name="=?utf-8?q?a?="\n\nhi\n`,
		`${head}\nSubject: =?utf-8?q?a\n\n${patch}`,
		`${head}\n\nSubject: =?utf-8?q?a\n\n${patch}`,
	],
	'with another patch for git, or none': [
		`${head}\n---`,
		`${head}\nhi\n--- \t`,
		typed('', base64('hi\n---'), 'base64'),
		typed('', 'hi\n=2D--=', 'quoted-printable'),
		typed(flowed, `hi \n${patch}`),
		typed('; charset=iso-2022-jp', '---\n+a\x1B(Bb\n'),
		typed('', 'a\0b\n', 'quoted-printable'),
		typed('', 'YWJj\0\n', 'base64'),
	],
	'with decoded characters that git reads in another charset': [typed('; charset=latin1', `é\n${patch}`)],
	'with a charset that git refuses': [
		typed('; charset=x-nobody', 'hi\n'),
		typed('; charset=utf-7', 'hi\n'),
		typed('; charset=us-ascii', 'é\n'),
		typed('; charset=iso-2022-jp', '\x1B$B$3\x1B(B é\n'),
		typed('; charset=us-ascii', '=C3=A9\n', 'quoted-printable'),
	],
	'with lost bytes': [`${head}\n\uFFFD\n`],
	'with long and slow text': [
		typed(flowed, `${long}x\n`),
		typed('', `${long}\uDCFC\n`),
		typed('', `${long}é\n`, 'quoted-printable'),
	],
};

suite('fast mail reader', () => {
	for (const [title, cases] of Object.entries(read)) {
		test(`reads ${title} like the general parser`, async () => {
			for (const [mail, body] of cases) {
				const plain = readPlainMail(mail);
				assert.equal(plain?.body, body, JSON.stringify(mail));
				assert.deepEqual(await readAnyMail(mail), { kind: 'read', mail: plain }, JSON.stringify(mail));
			}
		});
	}

	for (const [title, mails] of Object.entries(left)) {
		test(`leaves mails ${title} to the general parser`, () => {
			assert.deepEqual(
				mails.filter((mail) => readPlainMail(mail) !== undefined),
				[],
			);
		});
	}

	test('reports how git reads a mail differently', () => {
		const plain = readPlainMail(typed(flowed, `one \ntwo\n${patch}`));
		assert.deepEqual(plain?.toGit, { from: 'a@b.test', subject: '', letter: '\none two\n' });
		assert.equal(readPlainMail(typed(flowed, `one\ntwo\n${patch}`))?.toGit, undefined);
		const bytes = readPlainMail(typed('; charset=koi8-r', `---\n=F0\n`, 'quoted-printable'))?.patchBytes;
		assert.deepEqual(bytes, { bytes: '---\n\xF0\n', charset: 'koi8-r', hasLosses: false });
	});

	test('sends very long and unusual mails and all attachments to the thread', async () => {
		const answer: MailReading = { kind: 'raw', reason: 'tooSlow', text: '' };
		const asked: unknown[] = [];
		const { readMail, attachment } = mailReader({
			async readMail(envelope, options) {
				asked.push([envelope.length, options]);
				return await Promise.resolve(answer);
			},
			async attachment(envelope, index) {
				return await Promise.resolve(Uint8Array.of(envelope.length, index));
			},
		});
		const options = { evenIfLarge: true };
		const longest = `${head}\n`.padEnd(256 * 1024, 'x\n');
		const plain = readPlainMail(longest);
		assert.deepEqual(await readMail(longest, options), { kind: 'read', mail: plain });
		assert.deepEqual(await readMail(`${longest}\n`, options), answer);
		assert.deepEqual(await readMail('hi', { evenIfLarge: false }), answer);
		assert.deepEqual(asked, [
			[longest.length + 1, options],
			[2, { evenIfLarge: false }],
		]);
		assert.deepEqual(await attachment('abc', 7), Uint8Array.of(3, 7));
	});
});
