import assert from 'node:assert/strict';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import { isSlowEachTime } from '../../../../test/support/cpuTime.ts';
import { largeHostileMails } from '../../../../test/support/hostileMails.ts';

suite('hostile mails of a megabyte, and of ten thousand parts', () => {
	const mails = largeHostileMails();

	test('are as large as that', () => {
		assert.ok(mails.length > 40);
		for (const { name, mail } of mails) {
			const isLarge = name === 'parts' ? mail.split('--b\n').length > 10_000 : mail.length > 900_000;
			assert.ok(isLarge, `${name}: ${mail.length}`);
		}
	});

	for (const { name, mail } of mails) {
		// What is not common is read in a thread that can be ended; nothing else is done where people would wait for it.
		test(`${name}: whether it is common is known, and it is read if so, in no time`, () => {
			assert.ok(!isSlowEachTime(() => void readPlainMail(mail), { limitMs: 50, repeats: 3 }));
		}).timeout(30_000);
	}
});
