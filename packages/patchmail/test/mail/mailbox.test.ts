import assert from 'node:assert/strict';
import { archiveForm, MailboxReader, unquoted, type MailOfMailbox } from 'patchmail/mail/mailbox.ts';
import { createRandom } from '../../../../test/support/random.ts';

const line = 'From mboxrd@z Thu Jan  1 00:00:00 1970\n';
const pieces: readonly [string, ...string[]] = [
	'\n',
	'From ',
	'>From ',
	'>>From ',
	'From mboxrd@z ',
	'\r\n',
	'text',
	'>',
	'\u00FC',
	' ',
	'From mboxrd@',
];

suite('mailboxes of archives', () => {
	/** As the archive writes it. */
	function written(mails: readonly string[]): Buffer {
		return Buffer.from(
			mails
				.map((mail) => {
					const [head = ''] = /^.*?\n\r?\n/s.exec(mail) ?? [];
					const quoted = mail.slice(head.length).replaceAll(/(^|\n)(>*From )/g, '$1>$2');
					return `${line}${head}${quoted}\n`;
				})
				.join(''),
		);
	}

	function read(mbox: Buffer, chunkBytes: number): readonly string[] {
		const reader = new MailboxReader(archiveForm, 1_000_000);
		const mails: MailOfMailbox[] = [];
		for (let at = 0; at < mbox.byteLength; at += chunkBytes) {
			mails.push(...reader.add(mbox.subarray(at, at + chunkBytes)));
		}
		return [...mails, ...(reader.end() ?? [])].map((mail) => Buffer.from(unquoted(mail)).toString());
	}

	test('give back each mail, in chunks of any size', () => {
		const random = createRandom(67);
		for (let run = 0; run < 200; run += 1) {
			const mails = Array.from({ length: random.below(5) }, (_, at) => {
				const body = Array.from({ length: random.below(12) }, () => random.pick(pieces)).join('');
				return `Subject: ${at}\n>From here: a header\n\n${body}`;
			});
			for (const chunkBytes of [1, 7, 64, 100_000]) {
				assert.deepEqual(read(written(mails), chunkBytes), mails, JSON.stringify(mails));
			}
		}
	});

	test('ignore text above the first mail, and may be empty', () => {
		assert.deepEqual(read(Buffer.from(''), 5), []);
		assert.deepEqual(read(Buffer.from('Not Found'), 5), []);
		assert.deepEqual(read(Buffer.from(`x\n${line}Subject: a\n\nb\n\n`), 5), ['Subject: a\n\nb\n']);
		assert.deepEqual(read(Buffer.from(line), 5), ['']);
	});

	test('keep line ends of other systems', () => {
		const mail = 'Subject: a\r\n\r\n>From a\r\n>>From b\r\n';
		assert.deepEqual(read(Buffer.from(`${line.replace('\n', '\r\n')}${mail}\n`), 3), [
			'Subject: a\r\n\r\nFrom a\r\n>From b\r\n',
		]);
	});

	test('undo quotes in bodies only, and of whole mailboxes that lack their last line feed', () => {
		const cases: readonly (readonly [string, string])[] = [
			[
				'>From x: y\nSubject: a\n\n>From a\n > From b\n>>>From c\nx >From d\n>from e',
				'>From x: y\nSubject: a\n\nFrom a\n > From b\n>>From c\nx >From d\n>from e',
			],
			['Subject: a\r\n>From x: y\r\n\r\n>From a\r\n', 'Subject: a\r\n>From x: y\r\n\r\nFrom a\r'],
			['Subject: a\n\n>From a\r\n\r\n>From b', 'Subject: a\n\nFrom a\r\n\r\nFrom b'],
			['Subject: a\n\r\n>From a', 'Subject: a\n\r\nFrom a'],
			['Subject: a\r\nTo: b\n\n>From a', 'Subject: a\r\nTo: b\n\nFrom a'],
			['Subject: a\n>From a: no body', 'Subject: a\n>From a: no body'],
			['Subject: \xE9\n\n\xE9\n>From a', 'Subject: \xE9\n\n\xE9\nFrom a'],
		];
		for (const [mail, expected] of cases) {
			for (const chunkBytes of [4, 1000]) {
				assert.deepEqual(read(Buffer.from(line + mail), chunkBytes), [expected], mail);
			}
		}
	});

	test('have no mail in a line that is cut', () => {
		assert.deepEqual(read(Buffer.from(`${line}Subject: a\n\n\n${line.slice(0, -1)}`), 7), ['Subject: a\n\n']);
		assert.deepEqual(read(Buffer.from(`${line}Subject: a\n\nFrom mboxrd@x\n`), 7), ['Subject: a\n\nFrom mboxrd@x']);
	});
});
