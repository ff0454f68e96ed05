import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import { isSetAmong, rowsByMail } from '../../src/series/setAmong.ts';
import { fake } from '../../../../test/support/fake.ts';
import { makeMail, makePatchset } from '../../../../test/support/makeMail.ts';

const bare = { messageId: undefined, submitter: undefined, subject: 'One', prefix: undefined };
const coverLetter = fake<Patchset['coverLetter'] & object>({ id: 7 });

suite('patchset of mails', () => {
	const cases: readonly (readonly [patchset: Partial<Patchset>, mail: Parameters<typeof makeMail>[0], is: boolean])[] =
		[
			[{ messageId: '<a@b>' }, { messageId: '<a@b>' }, true],
			[{ messageId: '<a@b>' }, { messageId: '<c@d>' }, false],
			[{ ...bare, coverLetter }, { id: 7, messageId: '<c@d>' }, true],
			[{ ...bare, coverLetter }, { id: 8, subject: '[PATCH] One' }, false],
			[bare, { subject: '[PATCH] One' }, true],
			[bare, { subject: '[PATCH 1/2] One' }, true],
			[bare, { subject: '[PATCH 2/2] One' }, false],
			[bare, { subject: 'Re: [PATCH] One' }, false],
			[bare, { subject: '[PATCH v2] One' }, false],
			[bare, { subject: 'One' }, false],
			[{ ...bare, messageId: '<a@b>' }, { subject: '[PATCH] One', messageId: '<c@d>' }, false],
			[{ ...bare, submitter: 'Bob' }, { subject: '[PATCH] One' }, false],
		];
	for (const [patchset, mail, is] of cases) {
		test(`is ${is ? '' : 'not '}the one with mail ${JSON.stringify(mail)}: ${JSON.stringify(patchset)}`, () => {
			assert.equal(isSetAmong([makeMail({ id: 1 }), makeMail(mail)], makePatchset(patchset)), is);
		});
	}

	test('is the last of several that know a mail', () => {
		const rowOf = rowsByMail([{ ...bare, coverLetter }, bare, { messageId: '<a@b>' }].map(makePatchset));
		const rows = [{ id: 7, messageId: '<a@b>' }, { id: 7 }, { subject: '[PATCH] One' }, { subject: 'x' }];
		assert.deepEqual(
			rows.map((each) => rowOf(makeMail({ messageId: '<c@d>', ...each }))),
			[2, 0, 1, undefined],
		);
	});
});
