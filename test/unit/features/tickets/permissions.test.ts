import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Permissions } from '../../../../src/forge/tracker.ts';
import type { Ticket } from '../../../../src/forge/ticket.ts';
import type { Possibility } from '../../../../src/protocol/ticketView.ts';
import { fakeConnection } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { makeParticipant, makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';

const { noRefusals, possibility } = await import('../../../../src/features/tickets/permissions.ts');

const bobs = makeTracker({ owner: makeUser('bob'), name: 'beta' });
const told: Permissions = { anonymous: ['browse'], submitter: ['browse', 'triage'], user: ['browse', 'comment'] };

async function triage(change: Partial<Ticket>, defaults?: Permissions): Promise<Possibility> {
	const { world, api } = fakeTrackers();
	const tracker = { ...bobs, defaultPermissions: defaults };
	world.trackers.push(tracker);
	const connection = fakeConnection(api);
	await connection.tickets.tracker({ owner: '~bob', name: 'beta' }, new AbortController().signal);
	return possibility('triage', { connection, ticket: makeTicket({ tracker, ...change }), refusals: noRefusals });
}

suite('what can be done with a ticket', () => {
	test('an owner may do everything', async () => {
		assert.deepEqual(await triage({ tracker: makeTracker() }, told), { kind: 'possible' });
	});

	test('a missing permission is a warning, because grants to single accounts are not told', async () => {
		assert.equal((await triage({}, told)).kind, 'possible');
		assert.ok('warning' in (await triage({}, told)));
	});

	test('a submitter has the permissions of submitters', async () => {
		assert.deepEqual(await triage({ submitter: makeParticipant('alice') }, told), { kind: 'possible' });
	});

	test("a ticket's own permissions stand for those of its tracker", async () => {
		const permissions: Permissions = { anonymous: undefined, submitter: undefined, user: ['triage'] };
		assert.deepEqual(await triage({ permissions }, told), { kind: 'possible' });
	});

	test('where nothing is told nothing is doubted', async () => {
		assert.deepEqual(await triage({}), { kind: 'possible' });
	});

	test("the forge's refusal is certain and says whom to ask", () => {
		const connection = fakeConnection(fakeTrackers().api);
		const refused = possibility('triage', {
			connection,
			ticket: makeTicket({ tracker: bobs }),
			refusals: { comment: false, triage: true },
		});
		assert.equal(refused.kind === 'impossible' && refused.reason.includes('~bob'), true);
	});
});
