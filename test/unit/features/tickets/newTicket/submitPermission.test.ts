import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Permission } from 'sourcehut/port/tracker.ts';
import { makeTracker, makeUser } from '../../../../support/makeTicket.ts';

const { submitDoubt } = await import('../../../../../src/features/tickets/newTicket/newTicketChecks.ts');

const tracker = makeTracker({ owner: makeUser('bob') });
const allowing = (...user: readonly Permission[]): typeof tracker => ({
	...tracker,
	defaultPermissions: { anonymous: [], submitter: [], user },
});

suite('permission to submit', () => {
	test('a restricted tracker warns before the user writes, and names the person to ask', () => {
		assert.match(submitDoubt(allowing('browse', 'comment'), '~alice') ?? '', /Only some people.*ask ~bob/);
	});

	test('an open tracker, the user’s own and one without data cause no warning', () => {
		assert.equal(submitDoubt(allowing('browse', 'submit'), '~alice'), undefined);
		assert.equal(submitDoubt(allowing(), '~bob'), undefined);
		assert.equal(submitDoubt({ ...tracker, defaultPermissions: undefined }, '~alice'), undefined);
	});

	test('the account’s own permissions override the general ones', () => {
		const told = { anonymous: [], submitter: [], user: [] };
		assert.equal(submitDoubt({ ...tracker, defaultPermissions: { ...told, mine: ['submit'] } }, '~alice'), undefined);
		const doubt = submitDoubt({ ...tracker, defaultPermissions: { ...told, user: ['submit'], mine: [] } }, '~alice');
		assert.notEqual(doubt, undefined);
	});
});
