import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { partlyDone, type WriteOutcome } from '../../../../../src/store/tickets/writing/writeOutcome.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';

const { pageWrites } = await import('../../../../../src/features/tickets/page/pageWrites.ts');

suite('writes of a ticket page', () => {
	test('a label change does not discard a comment in doubt', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 1 };
		const connection = fakeConnection(api);
		let isAway = false;
		world.before = (call) => {
			isAway ||= call.includes('Not on the forge');
			if (isAway) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' });
			}
		};
		const { signal } = new AbortController();
		const writes = pageWrites({ connection: () => connection, known: () => connection }, ref, undefined, signal);
		assert.equal((await writes.send({ comment: 'Not on the forge' })).kind, 'unclear');
		isAway = false;
		await writes.send({ labels: { add: ['bug'], remove: [] } });
		assert.equal((await writes.lookAgain()).kind, 'missing');
		assert.equal(writes.lost, undefined);
	});

	test('reports the done part of a rejected write, so that the user can undo it', async () => {
		const { connections, subject } = richTicket();
		const [connection] = connections.all();
		assert.ok(connection);
		const done = { labels: { add: ['bug'], remove: [] } };
		const refused = partlyDone(new ForgeError({ kind: 'notAllowed' }), {
			done,
			before: makeTicket(),
			now: makeTicket(),
		});
		const write = (): Promise<WriteOutcome> => Promise.reject(refused);
		Object.defineProperty(connection, 'writes', { value: { ...connection.writes, write } });
		const told: unknown[] = [];
		const writes = pageWrites(
			{ connection: () => connection, known: () => connection },
			subject.ref,
			(wish, outcome) => told.push([wish, outcome]),
			new AbortController().signal,
		);
		const wish = { comment: 'Well.', ...done };
		await assert.rejects(writes.send(wish), refused);
		assert.deepEqual(told, [[wish, { kind: 'refused', error: refused }]]);
	});
});
