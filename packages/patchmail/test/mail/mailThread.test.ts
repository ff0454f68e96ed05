import assert from 'node:assert/strict';
import { mailAnswerer } from '../../src/mail/mailThread.ts';
import { readMail } from '../../src/mail/readMail.ts';

suite('mail worker responses', () => {
	const answer = mailAnswerer();

	test('include a text only if it differs from the body', async () => {
		for (const [envelope, text] of [
			['From: a@b.test\n\nhi\n', undefined],
			['From: a@b.test\nContent-Type: text/plain; format=flowed\n\none \ntwo\n', 'one two\n'],
		] as const) {
			const reading = await readMail(envelope, { evenIfLarge: false });
			assert.ok(reading.kind === 'read');
			const { text: read, ...mail } = reading.mail;
			assert.equal(read, text ?? mail.body);
			assert.deepEqual(await answer({ kind: 'read', envelope, evenIfLarge: false }), { kind: 'read', mail, text });
		}
	});

	test('give the reason for an unread mail without its text', async () => {
		assert.deepEqual(await answer({ kind: 'read', envelope: 'hi', evenIfLarge: false }), {
			kind: 'raw',
			reason: 'unreadable',
		});
	});

	test('contain an attachment if it exists', async () => {
		const envelope = 'From: a@b.test\nContent-Type: text/csv\nContent-Disposition: attachment\n\na\n';
		const contents = await Promise.all([0, 1].map((index) => answer({ kind: 'attachment', envelope, index })));
		assert.deepEqual(contents, [
			{ kind: 'attachment', content: Uint8Array.from(Buffer.from('a\n')) },
			{ kind: 'attachment', content: undefined },
		]);
	});
});
