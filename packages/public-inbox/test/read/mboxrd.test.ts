import assert from 'node:assert/strict';
import { MboxSplitter } from 'public-inbox/read/mboxrd.ts';
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
					const body = mail.indexOf('\n\n') + 1;
					const quoted = mail.slice(body + 1).replaceAll(/(^|\n)(>*From )/g, '$1>$2');
					return `${line}${mail.slice(0, body + 1)}${quoted}\n`;
				})
				.join(''),
		);
	}

	function read(mbox: Buffer, chunkBytes: number): readonly string[] {
		const splitter = new MboxSplitter();
		const mails: Uint8Array[] = [];
		for (let at = 0; at < mbox.byteLength; at += chunkBytes) {
			mails.push(...splitter.add(mbox.subarray(at, at + chunkBytes)));
		}
		return [...mails, ...splitter.end()].map((mail) => Buffer.from(mail).toString());
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
});
