import assert from 'node:assert/strict';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import { isSlowEachTime } from '../../../../test/support/cpuTime.ts';
import { largeHostileMails } from '../../../../test/support/hostileMails.ts';

suite('hostile mails of a megabyte or ten thousand parts', () => {
	const mails = largeHostileMails();

	test('are really that large', () => {
		assert.ok(mails.length > 40);
		for (const { name, mail } of mails) {
			const isLarge = name === 'parts' ? mail.split('--b\n').length > 10_000 : mail.length > 900_000;
			assert.ok(isLarge, `${name}: ${mail.length}`);
		}
	});

	for (const { name, mail } of mails) {
		// Other mails go to a thread that can be stopped; on the main thread only this must be fast.
		test(`the fast reader accepts or rejects quickly: ${name}`, () => {
			assert.ok(!isSlowEachTime(() => void readPlainMail(mail), { limitMs: 50, repeats: 3 }));
		}).timeout(30_000);
	}
});
