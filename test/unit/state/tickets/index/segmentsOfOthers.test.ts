import assert from 'node:assert/strict';
import { SegmentReader } from '../../../../../src/state/tickets/index/keptTickets.ts';

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
			{ ...head, ref: 'alpha' },
		]) {
			assert.throws(() => new SegmentReader().read(JSON.stringify(other)), /does not begin as it should/);
		}
	});
});
