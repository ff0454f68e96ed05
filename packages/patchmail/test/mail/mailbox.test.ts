import assert from 'node:assert/strict';
import {
	archiveForm,
	mailboxForm,
	MailboxReader,
	mailsIn,
	unquoted,
	type MailOfMailbox,
} from 'patchmail/mail/mailbox.ts';
import { isSlowEachTime } from '../../../../test/support/cpuTime.ts';
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

suite('mailboxes of any program', () => {
	const separator = 'From alice@example.org Tue May  5 10:20:30 2026\n';
	const mails = (text: string): readonly string[] | undefined =>
		mailsIn(Buffer.from(text, 'latin1'))?.map((mail) => Buffer.from(unquoted(mail)).toString('latin1'));

	for (const line of [
		'From my work at 10:30 of 2026',
		'From my desk on May 5 10:30 2026',
		'From our meeting of 2026-05-05 10:30',
		'From ',
		'From -',
		'From alice@example.org',
		'From the 5th of May, 10:20:30 in 2026',
	]) {
		test(`leave the line "${line}" in a text`, () => {
			for (const next of ['', 'we meet.', 'Note: here']) {
				for (const before of ['\n', '\n\n']) {
					// A field behind nothing else on the line begins a mail of Thunderbird.
					if (!(next.startsWith('Note') && /^From -?$/.test(line) && before === '\n\n')) {
						const text = `Subject: a\n\nText${before}${line}\n${next}\nEnd\n`;
						assert.deepEqual(mails(`${separator}${text}`), [text]);
					}
				}
			}
		});
	}

	for (const line of [
		'From alice@example.org Tue May  5 10:20:30 CEST 2026',
		'From alice@example.org Tue May  5 10:20:30 2026 +0200 (CEST)',
		'From alice@example.org Tue May  5 10:20:30 26',
		'From alice@example.org 2026-05-05T10:20:30.5+02:00',
		'From alice@example.org 5/5/2026 10:20:30 AM',
		'From alice@example.org 5-May-2026 10:20:30 W. Europe Standard Time',
		'From alice@example.org Tue, 05 May 2026 10:20:30 +0200',
		'From "Alice, A." <alice@example.org> Tue May  5 10:20:30 2026',
		'From alice at example.org  Tue May  5 10:20:30 2026',
		'From host!alice Tue May  5 10:20:30 2026 remote from gate',
		'From  Tue May  5 10:20:30 2026',
	]) {
		test(`begin a mail at "${line}", also without an empty line before it`, () => {
			const [one, two] = ['Subject: a\n\nText\n', 'Subject: b\n\nText\n'];
			assert.deepEqual(mails(`${line}\n${one}\n${line}\n${two}`), [one, two]);
			assert.deepEqual(mails(`${separator}${one}${line}\n${two}`), [one, two]);
		});
	}

	test('are no other files', () => {
		for (const text of [
			'From the desk of somebody\n',
			'\x89PNG\n',
			'Note: a text\n\nwith a colon\n',
			'{"from": 1}',
			'From a\n',
		]) {
			assert.equal(mailboxForm(Buffer.from(text, 'latin1')), undefined, text);
		}
	});

	test('believe no Content-Length that a sender wrote to hide the next mail', () => {
		const hidden = `${separator}Subject: hidden\n\nText\n\n`;
		const forged = (body: string): string =>
			`Subject: forged\nContent-Length: ${body.length + 1 + hidden.length - 1}\n\n${body}`;
		const [first, last] = ['Subject: first\n\nText\n', 'Subject: last\n\nText\n'];
		const all = `${separator}${first}\n${separator}${forged('Text\n')}\n${hidden}${separator}${last}\n`;
		assert.deepEqual(mails(all)?.length, 4);
	});

	test('believe a Content-Length up to the first that leads to no mail', () => {
		const mail = (subject: string, body: string, length = body.length): string =>
			`Subject: ${subject}\nContent-Length: ${length}\n\n${body}`;
		const inside = `Text\n\n${separator}Subject: inside\n\nText\n`;
		const read = (length: number): readonly string[] | undefined =>
			mails(
				[mail('a', inside), mail('b', inside, length), mail('c', inside)]
					.map((each) => `${separator}${each}\n`)
					.join(''),
			);
		assert.deepEqual(read(inside.length)?.length, 3);
		assert.deepEqual(read(7)?.length, 5);
		assert.deepEqual(read(9_000_000)?.length, 5);
	});

	test('are equal in chunks of any size, and keep at most the wanted bytes of a mail', () => {
		const long = `Subject: long\n\n${'line\n'.repeat(5000)}`;
		const box = Buffer.from(`${separator}${long}\n${separator}Subject: b\n\nFrom \n\n${separator}${long}`);
		for (const chunkBytes of [100, 4096, 100_000]) {
			const reader = new MailboxReader(undefined, 1000);
			const read: MailOfMailbox[] = [];
			for (let at = 0; at < box.length; at += chunkBytes) {
				read.push(...reader.add(box.subarray(at, at + chunkBytes)));
			}
			read.push(...(reader.end() ?? []));
			assert.deepEqual(
				read.map(({ size, bytes, start }) => [
					size,
					box.toString('latin1', start, start + 1000).startsWith(Buffer.from(bytes).toString()),
				]),
				[
					[long.length, true],
					[18, true],
					[long.length, true],
				],
			);
			assert.ok(read.every(({ bytes }) => bytes.length <= 1000));
		}
	});

	test('take little time and memory in one endless line, and in millions of odd lines', () => {
		const chunk = Buffer.alloc(1024 * 1024);
		for (const text of [
			'x',
			'From \n',
			'From Tue May  5 10:20:30 2026\n',
			'From A A A A A A A ',
			`From${' '.repeat(90)}`,
			'\r',
		]) {
			const reader = new MailboxReader(undefined, 1000);
			reader.add(Buffer.from(`${separator}Subject: a\nContent-Length: 99999999\n\n`));
			chunk.fill(text);
			const before = process.memoryUsage().arrayBuffers;
			assert.ok(!isSlowEachTime(() => reader.add(chunk), { limitMs: 1000, repeats: 3 }), text);
			for (let mebibytes = 0; mebibytes < 20; mebibytes += 1) {
				reader.add(chunk);
			}
			reader.end();
			assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024, text);
		}
	});
});
