import assert from 'node:assert/strict';
import { makeLabel, makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { SegmentReader } from '../../../../../src/store/tickets/index/indexKeeper.ts';
import { trackersOf, trackersText } from '../../../../../src/store/tickets/savedTickets.ts';

const head = {
	version: 1,
	ref: { owner: '~alice', name: 'alpha' },
	segment: 0,
	short: undefined,
	covered: [{ top: 9, bottom: 1 }],
	isUnstated: false,
};

suite('index file', () => {
	test('is accepted only from this version', () => {
		const reader = new SegmentReader();
		reader.read(JSON.stringify(head));
		assert.deepEqual(reader.end().covered, [{ top: 9, bottom: 1 }]);
		for (const other of [
			{ ...head, version: 2 },
			{ ...head, version: undefined },
		]) {
			assert.throws(() => new SegmentReader().read(JSON.stringify(other)), /Expected (1|"version") /);
		}
		assert.throws(() => new SegmentReader().read(JSON.stringify({ ...head, ref: 'alpha' })), /Expected Object/);
	});

	test('stores the tracker once for all ordinary tickets', () => {
		const { tracker, ref: _, ...slim } = makeTicket({ id: 4 });
		const reader = new SegmentReader();
		reader.read(JSON.stringify({ ...head, short: tracker }));
		reader.read(JSON.stringify([5, slim, null]));
		reader.read(JSON.stringify([5, { ...slim, id: 3 }, null]));
		const [one, other] = reader.end().tickets.map(({ ticket }) => ticket);
		assert.deepEqual([one?.ref, other?.ref], ['~alice/alpha#4', '~alice/alpha#3']);
		assert.deepEqual(one?.tracker, tracker);
		assert.ok(one.tracker === other?.tracker);
	});

	test('stores every field of trackers, and whether the labels are incomplete', () => {
		const tracker = makeTracker({ extra: [{ name: 'stars', json: '3' }], defaultPermissions: undefined });
		const labels = [{ tracker: { owner: '~alice', name: 'alpha' }, labels: [makeLabel('bug')], isPart: true }] as const;
		const all = { own: { items: [tracker], completeness: { kind: 'complete' } }, others: [tracker], labels } as const;
		assert.deepEqual(trackersOf(trackersText(all)), { version: 1, ...all });
	});
});
