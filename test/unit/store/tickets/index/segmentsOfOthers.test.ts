import assert from 'node:assert/strict';
import { makeLabel, makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { SegmentReader } from '../../../../../src/store/tickets/index/indexKeeper.ts';
import { trackersOf, trackersText } from '../../../../../src/store/tickets/rememberedTickets.ts';

const head = {
	version: 1,
	ref: { owner: '~alice', name: 'alpha' },
	segment: 0,
	short: undefined,
	covered: [{ top: 9, bottom: 1 }],
	isUnstated: false,
};

suite('a file of the index', () => {
	test('is read when this version of it wrote it, and as a whole refused when another did', () => {
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

	test('has its tracker once for all tickets that are usual', () => {
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

	test('of trackers has every field, also that only some labels are known', () => {
		const tracker = makeTracker({ extra: [{ name: 'stars', json: '3' }], defaultPermissions: undefined });
		const labels = [{ tracker: { owner: '~alice', name: 'alpha' }, labels: [makeLabel('bug')], isPart: true }] as const;
		const all = { own: { items: [tracker], completeness: { kind: 'complete' } }, others: [tracker], labels } as const;
		assert.deepEqual(trackersOf(trackersText(all)), { version: 1, ...all });
	});
});
