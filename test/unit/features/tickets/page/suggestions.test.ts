import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
const { suggestions } = await import('../../../../../src/features/tickets/page/suggestions.ts');
const { webPlaceLink } = await import('../../../../../src/features/tickets/page/webPlaces.ts');
import type { Connection } from '../../../../../src/state/connection.ts';
import { fakeConnection, sampleInstance } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeParticipant, makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
const signal = new AbortController().signal;

async function known(): Promise<Connection> {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 12, assignees: [makeUser('carol')] }),
		makeTicket({ id: 3, title: 'Folded \u202Eheaders', submitter: makeParticipant('cath') }),
		makeTicket({ id: 2, title: 'Header colours', submitter: { kind: 'email', address: 'c@x.test', name: undefined } }),
	]);
	const connection = fakeConnection(api);
	await connection.tickets.tickets(ref.tracker, signal);
	return connection;
}

suite('completing what is typed', () => {
	test('people of the ticket come before people of the tracker, and only those with an account', async () => {
		const found = suggestions(await known(), ref, { kind: 'person', text: 'c' });
		assert.deepEqual(
			found.map(({ insert }) => insert),
			['~carol', '~cath'],
		);
	});

	test('tickets are found by number and by words of their title, never the one that is looked at', async () => {
		const connection = await known();
		assert.deepEqual(suggestions(connection, ref, { kind: 'ticket', text: 'head' }), [
			{ insert: '#3', detail: 'Folded ⟨U+202E⟩headers' },
			{ insert: '#2', detail: 'Header colours' },
		]);
		assert.deepEqual(
			suggestions(connection, ref, { kind: 'ticket', text: '2' }).map(({ insert }) => insert),
			['#2'],
		);
	});
});

suite('what only the web can do', () => {
	test('each doing has its place', () => {
		const base = 'https://todo.forge.test/~alice/alpha';
		assert.equal(webPlaceLink(sampleInstance, ref, 'ticket'), `${base}/12`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'edit'), `${base}/12/edit`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'delete'), `${base}/12/delete`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'labels'), `${base}/labels`);
	});
});
