import assert from 'node:assert/strict';
import { rawMail, rawMails, type RawMail } from '../../src/graphql/lists/rawMails.ts';
import { mailsIn } from 'patchmail/mail/mailbox.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { GraphqlCaller } from '../../src/graphql/transport/graphqlCaller.ts';
import { fake } from '../../../../test/support/fake.ts';
import { isSlowEachTime } from '../../../../test/support/cpuTime.ts';

function mail(id: string, ...lines: readonly string[]): string {
	return [`Message-ID: <${id}@lab.example>`, 'Subject: One', '', ...lines, ''].join('\n');
}

/** As servers write it: a line before each message and two line ends after it. */
function mailbox(mails: readonly string[], added = ''): string {
	return mails.map((each) => `From bob@lab.example Sat Nov 21 11:46:12 2026\n${added}${each}\n\n`).join('');
}

/** The mails of a mailbox. */
const mailsOfMailbox = (text: string): readonly RawMail[] => (mailsIn(Buffer.from(text)) ?? []).map(rawMail);

suite('mailbox parser', () => {
	test('rejects text before the first message, because it may be a message', async () => {
		const get = async (): Promise<Uint8Array> => new TextEncoder().encode(`Hi\n${mailbox([mail('a'), mail('b')])}`);
		await assert.rejects(
			rawMails(fake<GraphqlCaller>({ get })).patches(7, new AbortController().signal),
			/does not begin with a mail/,
		);
	});

	test('accepts a file without messages', async () => {
		const raw = rawMails(fake<GraphqlCaller>({ get: async () => new Uint8Array() }));
		assert.deepEqual(await raw.patches(7, new AbortController().signal), []);
	});

	test('splits the text into the original messages, including the last one', () => {
		const mails = [mail('a', 'Hello'), mail('b', '-- ', '2.39.5', ''), mail('c')];
		const read = mailsOfMailbox(mailbox(mails));
		assert.deepEqual(
			read.map(({ envelope }) => envelope),
			mails,
		);
		assert.deepEqual(
			read.map(({ messageId }) => messageId),
			['<a@lab.example>', '<b@lab.example>', '<c@lab.example>'],
		);
	});

	test('removes only the headers that the server added, not equal lines of the text', () => {
		const said = mail('a', 'X-Sourcehut-Patchset-Final: applied');
		const [read] = mailsOfMailbox(mailbox([said], 'X-Sourcehut-Patchset-Final: superseded\n'));
		assert.equal(read?.envelope, said);
	});

	test('marks a message as doubtful if it has a line that looks like a message start', () => {
		const [changed, sound] = mailsOfMailbox(
			mailbox([mail('a', 'He wrote', '', '>From here on it is quoted'), mail('b', 'From here on', '> From there')]),
		);
		assert.equal(changed?.isDoubtful, true);
		assert.equal(sound?.isDoubtful, false);
	});

	test('reads a folded Message-ID, and none from the text', () => {
		const folded = 'Subject: One\nmessage-id:\n <folded@lab.example>\n\nHi\n';
		const [first, second] = mailsOfMailbox(mailbox([folded, 'Subject: Two\n\nMessage-ID: <text@lab.example>\n']));
		assert.deepEqual([first?.messageId, second?.messageId], ['<folded@lab.example>', '']);
	});

	test('adds a missing final line end', () => {
		const text = `From bob@lab.example Sat Nov 21 11:46:12 2026\n${mail('a', 'Hello').trimEnd()}\n\n`;
		assert.deepEqual(
			mailsOfMailbox(`${text}${text}`).map(({ envelope }) => envelope),
			[mail('a', 'Hello'), mail('a', 'Hello')],
		);
	});

	test('finds no messages in an empty text', () => {
		assert.deepEqual(mailsOfMailbox(''), []);
	});
});

suite('decoded message bytes', () => {
	test('are text if they are valid UTF-8, including a byte order mark', () => {
		assert.equal(mailText(Buffer.from('\uFEFFgrün 🚀')), '\uFEFFgrün 🚀');
	});

	test('keep invalid bytes one by one', () => {
		const bytes = [...Buffer.from('a'), 0xfc, ...Buffer.from('bü'), 0xe2, 0x82, ...Buffer.from('c')];
		assert.equal(mailText(Uint8Array.from(bytes)), 'a\uDCFCbü\uDCE2\uDC82c');
	});

	test('find the same invalid bytes as a decoder in any context', () => {
		const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
		const isText = (bytes: readonly number[]): boolean => {
			try {
				strict.decode(Uint8Array.from(bytes));
				return true;
			} catch {
				return false;
			}
		};
		const edges = [
			0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
		];
		for (const one of edges) {
			for (const two of edges) {
				for (const three of edges) {
					const bytes = [0xff, one, two, three, 0x80, 0xbf, 0x41];
					const expected = ['\uDCFF'];
					for (let at = 1; at < bytes.length;) {
						const length =
							[1, 2, 3, 4].find((each) => at + each <= bytes.length && isText(bytes.slice(at, at + each))) ?? 0;
						expected.push(
							length === 0
								? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
								: strict.decode(Uint8Array.from(bytes.slice(at, at + length))),
						);
						at += Math.max(1, length);
					}
					assert.equal(mailText(Uint8Array.from(bytes)), expected.join(''), bytes.join(' '));
				}
			}
		}
	});

	test('take little time when every byte is invalid UTF-8', () => {
		const koi8 = new Uint8Array(1024 * 1024).fill(0xc1);
		assert.equal(mailText(koi8), '\uDCC1'.repeat(koi8.length));
		assert.ok(!isSlowEachTime(() => mailText(koi8), { limitMs: 250, repeats: 3 }));
	});
});
