import assert from 'node:assert/strict';
import { messageOf, travelledMail } from '../../src/mail/envelope.ts';

suite('mail from an envelope', () => {
	test('drops the mailbox line and restores the sender’s line ends', () => {
		for (const [envelope, message] of [
			['From nobody Fri Nov 20\r\nA: b\r\n\r\nhi\r\n', 'A: b\n\nhi\n'],
			['From nobody Fri Nov 20', ''],
			['From : bob\r\n\r\nhi', 'From : bob\n\nhi'],
			['From: bob\n\nFrom nobody\n', 'From: bob\n\nFrom nobody\n'],
			['X\nFrom nobody\n', 'X\nFrom nobody\n'],
			['From', 'From'],
			// CR doubled in transit.
			['A: b\r\r\nC: d\r\r\n\r\r\nhi\r\r\n', 'A: b\nC: d\n\nhi\n'],
			['A: b\r\r\n\r\nhi\r\r\n', 'A: b\n\nhi\n'],
			['A: b\r\n\r\nhi\r\r\nho\r\n', 'A: b\n\nhi\r\nho\n'],
			['A: b\n\r\r\nhi\r\r\n', 'A: b\n\nhi\n'],
			['A: b\rc\n\nhi\r\r\n', 'A: b\rc\n\nhi\r\n'],
			['A: b\rc\r\r\n\nhi\r\r\n', 'A: b\rc\r\n\nhi\r\n'],
			['A: b\r\r\nC: d', 'A: b\r\nC: d'],
		] as const) {
			assert.equal(messageOf(envelope), message, JSON.stringify(envelope));
		}
		assert.equal(travelledMail('From nobody Fri Nov 20\nA: b\r\n\r\nhi\r\n'), 'A: b\r\n\r\nhi\r\n');
	});
});
