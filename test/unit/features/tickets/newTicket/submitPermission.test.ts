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

suite('who may submit a ticket', () => {
	test('a tracker that lets only some people submit says so before anything is written, and whom to ask', () => {
		assert.match(submitDoubt(allowing('browse', 'comment'), '~alice') ?? '', /Only some people.*ask ~bob/);
	});

	test('nothing is said where everybody may, to the owner, and where the forge does not tell', () => {
		assert.equal(submitDoubt(allowing('browse', 'submit'), '~alice'), undefined);
		assert.equal(submitDoubt(allowing(), '~bob'), undefined);
		assert.equal(submitDoubt({ ...tracker, defaultPermissions: undefined }, '~alice'), undefined);
	});

	test('what the forge tells of the account itself goes before what it tells of everybody', () => {
		const told = { anonymous: [], submitter: [], user: [] };
		assert.equal(submitDoubt({ ...tracker, defaultPermissions: { ...told, mine: ['submit'] } }, '~alice'), undefined);
		const doubt = submitDoubt({ ...tracker, defaultPermissions: { ...told, user: ['submit'], mine: [] } }, '~alice');
		assert.notEqual(doubt, undefined);
	});
});
