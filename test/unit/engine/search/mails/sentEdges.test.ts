import assert from 'node:assert/strict';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import { matchMail } from '../../../../../src/engine/search/mails/matchMail.ts';
import { parseListFilter } from '../../../../../src/engine/search/mails/listFilter.ts';
import type { Match } from '../../../../../src/engine/search/mails/searchedMail.ts';

function found(filter: string, dateMs: number): Match {
	const reading = parseListFilter(filter, []);
	assert.ok(reading.kind === 'filter', filter);
	const read = { from: [], to: [], cc: [], headers: [], dateMs, text: '' };
	const mail = {
		subject: '',
		account: undefined,
		isReply: false,
		isPatch: undefined,
		isRequestPull: undefined,
		patchset: undefined,
		mark: undefined,
		read,
	};
	return matchMail(reading.filter, { me: '~alice', addresses: [], senderIn })(mail);
}

suite('ends of a time span', () => {
	test('include the first moment and exclude the first moment after it', () => {
		const [january, february] = [Date.UTC(2026, 0), Date.UTC(2026, 1)];
		assert.deepEqual(
			[january - 1, january, february - 1, february].map((ms) => found('sender-timestamp:2026-01', ms)),
			['no', 'yes', 'yes', 'no'],
		);
		assert.deepEqual(
			[found('sender-timestamp:<2026-02', february), found('sender-timestamp:>=2026-02', february)],
			['no', 'yes'],
		);
	});
});
