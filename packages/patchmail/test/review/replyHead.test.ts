import assert from 'node:assert/strict';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { attributionOf, referencesOf } from '../../src/review/replyHead.ts';
import { makeReading } from '../../../../test/support/makeSeries.ts';

function mail(change: Partial<ReadableMail>): ReadableMail {
	const reading = makeReading(change);
	assert.ok(reading.kind === 'read');
	return reading.mail;
}

suite('head of a reply', () => {
	const at = { createdMs: Date.UTC(2026, 2, 2, 8, 1), messageId: '<m@b>' };

	test('names the date and author of the mail as far as known', () => {
		const cases = [
			mail({ from: [{ name: 'A: <B>', address: 'a@b.test' }], dateMs: Date.UTC(2020, 0, 1) }),
			mail({ from: [{ name: '', address: 'a@b.test' }] }),
			mail({ from: [] }),
			undefined,
		];
		assert.deepEqual(
			cases.map((each) => attributionOf(at, each)),
			[
				'On 2020-01-01 00:00 UTC, A   B wrote:',
				'On 2026-03-02 08:01 UTC, a@b.test wrote:',
				'On 2026-03-02 08:01 UTC, somebody wrote:',
				'On 2026-03-02 08:01 UTC, somebody wrote:',
			],
		);
	});

	test('refers to all mails above, or else to the mail’s own parent', () => {
		const cases = [
			mail({ references: ['<a@b>'], inReplyTo: '<c@d>' }),
			mail({ inReplyTo: 'x <c@d>' }),
			mail({ inReplyTo: '<c@d> (message of Ann <ann@d>)' }),
			mail({}),
			undefined,
		];
		assert.deepEqual(
			cases.map((each) => referencesOf(at, each)),
			[['<a@b>', '<m@b>'], ['<c@d>', '<m@b>'], ['<c@d>', '<m@b>'], ['<m@b>'], ['<m@b>']],
		);
	});
});
