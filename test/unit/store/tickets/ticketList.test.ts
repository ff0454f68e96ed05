import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import { isWithin, withRange } from '../../../../src/store/shared/numberRanges.ts';
import { TicketList } from '../../../../src/store/tickets/ticketList.ts';
import { partsOf } from '../../../../src/store/tickets/ticketChange.ts';
import { makeTicket } from '../../../support/makeTicket.ts';

const more: Completeness = { kind: 'more', total: 1000 };
const complete: Completeness = { kind: 'complete' };

function take(list: TicketList, ids: readonly number[], from?: number, completeness: Completeness = more): void {
	list.take({
		items: ids.map((id) => makeTicket({ id })),
		completeness,
		from,
		stamp: list.tick(),
		atMs: 5,
	});
}

function ids(list: TicketList): readonly number[] {
	return list.indexed().map(({ ticket }) => ticket.id);
}

suite('ticket list', () => {
	test('drops a ticket missing from its page', () => {
		const list = new TicketList();
		take(list, [6, 5, 4, 3, 2, 1], undefined, complete);
		take(list, [5, 3, 2], 5);
		assert.deepEqual(ids(list), [6, 5, 3, 2, 1]);
	});

	test('keeps the position of a changed ticket, and leaves returned lists unchanged', () => {
		const list = new TicketList();
		take(list, [6, 5, 4, 3, 2, 1], undefined, complete);
		const [indexed, listed] = [list.indexed(), list.listing()?.items];
		list.put(makeTicket({ id: 3, title: 'Other' }), list.tick(), 9);
		assert.deepEqual(ids(list), [6, 5, 4, 3, 2, 1]);
		assert.equal(list.indexed()[3]?.ticket.title, 'Other');
		assert.equal(list.listing()?.items[3]?.title, 'Other');
		assert.deepEqual(
			[indexed[3]?.ticket.title, listed?.[3]?.title],
			[makeTicket({ id: 3 }).title, makeTicket({ id: 3 }).title],
		);
		list.setComments(5, { texts: ['a'], count: 1, eventIds: [], size: 1 });
		assert.deepEqual(
			list.indexed().map(({ commentCount }) => commentCount),
			[undefined, 1, undefined, undefined, undefined, undefined],
		);
	});

	test('updates the oldest check of open tickets and of all tickets after every read', () => {
		const list = new TicketList();
		assert.deepEqual(list.oldestChecksMs(), { open: Infinity, any: Infinity });
		list.put(makeTicket({ id: 1, status: 'resolved' }), list.tick(), 10);
		list.put(makeTicket({ id: 2, status: 'reported' }), list.tick(), 20);
		assert.deepEqual(list.oldestChecksMs(), { open: 20, any: 10 });
		list.put(makeTicket({ id: 1, status: 'resolved' }), list.tick(), 30);
		assert.deepEqual(list.oldestChecksMs(), { open: 20, any: 20 });
		list.put(makeTicket({ id: 2, status: 'resolved' }), list.tick(), 40);
		assert.deepEqual(list.oldestChecksMs(), { open: Infinity, any: 30 });
		list.remove(1);
		assert.deepEqual(list.oldestChecksMs(), { open: Infinity, any: 40 });
	});

	test('drops the newest tickets if the first page starts below them', () => {
		const list = new TicketList();
		take(list, [6, 5, 4], undefined, more);
		take(list, [5, 4]);
		assert.deepEqual(ids(list), [5, 4]);
	});

	test('keeps concurrent changes while it applies a whole list in steps', () => {
		const list = new TicketList();
		const all = Array.from({ length: 600 }, (_, at) => 600 - at).filter((id) => id !== 40);
		const page = { items: all.map((id) => makeTicket({ id })), completeness: complete, from: undefined, atMs: 5 };
		const [first, ...others] = partsOf({ ...page, stamp: list.tick() });
		assert.ok(first && !first.isLast && others.length > 0);
		list.take(first.page);
		assert.equal(list.listing()?.completeness.kind, 'more');
		list.put(makeTicket({ id: 601, title: 'Just made' }), list.tick(), 6);
		list.put(makeTicket({ id: 7, title: 'Just changed' }), list.tick(), 6);
		// Restored from disk, but deleted since.
		const gone = { ticket: makeTicket({ id: 40 }), checkedAtMs: 1, comments: undefined };
		list.remember({ tickets: [gone], covered: [], isUnstated: false });
		others.forEach((part) => list.take(part.page));
		assert.equal(others.at(-1)?.isLast, true);
		assert.deepEqual(
			[ids(list).length, list.item(601)?.title, list.item(7)?.title, list.item(40)],
			[600, 'Just made', 'Just changed', undefined],
		);
		assert.equal(list.listing()?.completeness.kind, 'complete');
	});

	test('restores a deleted ticket from a later request, but not from an earlier one', () => {
		const list = new TicketList();
		take(list, [3, 2, 1], undefined, complete);
		const [early, late] = [list.tick(), list.tick()];
		list.remove(2);
		const page = { items: [3, 2, 1].map((id) => makeTicket({ id })), completeness: complete, from: undefined, atMs: 5 };
		list.take({ ...page, stamp: late });
		assert.equal(list.put(makeTicket({ id: 2 }), early, 5), 'same');
		list.remember({
			tickets: [{ ticket: makeTicket({ id: 2 }), checkedAtMs: 1, comments: undefined }],
			covered: [],
			isUnstated: false,
		});
		assert.deepEqual(ids(list), [3, 1]);
		take(list, [3, 2, 1], undefined, complete);
		assert.deepEqual(ids(list), [3, 2, 1], 'it was there again');
		const slow = list.tick();
		take(list, [3, 1], undefined, complete);
		list.take({ ...page, stamp: slow });
		assert.deepEqual(ids(list), [3, 1], 'nobody but a page has told that it is gone');
	});

	test('draws no conclusion about numbers outside a page', () => {
		const list = new TicketList();
		take(list, [9, 8, 7, 6, 5, 4, 3, 2, 1], undefined, complete);
		take(list, [6, 5], 6);
		assert.deepEqual(ids(list), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
	});

	test('draws no conclusion from an unordered page or an empty array', () => {
		const list = new TicketList();
		take(list, [4, 3, 2, 1], undefined, complete);
		take(list, [2, 4], 4);
		take(list, [], undefined, { kind: 'unstated' });
		assert.deepEqual(ids(list), [4, 3, 2, 1]);
	});

	test('keeps all tickets if a server starts at the wrong number', () => {
		const list = new TicketList();
		take(list, [9, 8, 7], undefined);
		take(list, [6, 5, 4], 6);
		take(list, [9, 8], 3);
		assert.deepEqual(ids(list), [9, 8, 7, 6, 5, 4]);
	});

	test('keeps a ticket that arrived while the page was loading', () => {
		const list = new TicketList();
		take(list, [3, 2, 1], undefined, complete);
		const stamp = list.tick();
		list.put(makeTicket({ id: 4 }), list.tick(), 7);
		list.take({ items: [makeTicket({ id: 3 })], completeness: complete, from: undefined, stamp, atMs: 8 });
		assert.deepEqual(ids(list), [4, 3]);
	});

	test('reports a gap between known tickets and a new first page', () => {
		const list = new TicketList();
		take(list, [5, 4, 3, 2, 1], undefined, complete);
		take(list, [20, 19]);
		assert.deepEqual(
			[list.gap(), list.listing()?.completeness.kind, list.listing()?.items.map(({ id }) => id)],
			[18, 'more', [20, 19, 5, 4, 3, 2, 1]],
		);
		take(list, [18, 17, 9, 5], 18);
		assert.deepEqual([list.gap(), list.listing()?.completeness.kind], [undefined, 'complete']);
	});

	test('reuses an unchanged ticket and updates its age', () => {
		const list = new TicketList();
		take(list, [1], undefined, complete);
		const [before] = list.indexed();
		const gain = list.take({
			items: [makeTicket({ id: 1 })],
			completeness: complete,
			from: undefined,
			stamp: list.tick(),
			atMs: 99,
		});
		assert.equal(list.indexed()[0], before);
		assert.deepEqual([gain.differences, gain.changed.length, list.checkedAtMs(1)], [0, 0, 99]);
	});

	test('confirms a ticket as of the request, unless a later change exists', () => {
		const list = new TicketList();
		take(list, [2, 1]);
		const { updatedMs } = makeTicket();
		const stamp = list.tick();
		list.put(makeTicket({ id: 2, title: 'Just changed' }), list.tick(), 8);
		assert.deepEqual(
			[1, 2].map((id) => list.confirm(id, updatedMs, { stamp, atMs: 7 })),
			[true, true],
		);
		assert.deepEqual([list.checkedAtMs(1), list.checkedAtMs(2)], [7, 8]);
		// A page requested earlier is older than the confirmation.
		list.take({
			items: [makeTicket({ id: 1, title: 'Old' })],
			completeness: more,
			from: undefined,
			stamp: stamp - 1,
			atMs: 9,
		});
		assert.equal(list.item(1)?.title, makeTicket().title);
		assert.equal(list.confirm(1, updatedMs + 1, { stamp: list.tick(), atMs: 10 }), false);
		assert.equal(list.confirm(3, updatedMs, { stamp: list.tick(), atMs: 10 }), false);
		assert.deepEqual([list.checkedAtMs(1), list.checkedAtMs(3)], [7, undefined]);
	});

	test('prefers current tickets to restored ones', () => {
		const list = new TicketList();
		list.put(makeTicket({ id: 2, title: 'Now' }), list.tick(), 50);
		list.remember({
			tickets: [
				{ ticket: makeTicket({ id: 2, title: 'Then' }), checkedAtMs: 1, comments: undefined },
				{ ticket: makeTicket({ id: 1 }), checkedAtMs: 1, comments: undefined },
			],
			covered: [{ top: 2, bottom: 1 }],
			isUnstated: false,
		});
		assert.deepEqual(
			[list.item(2)?.title, list.checkedAtMs(1), list.listing()?.completeness.kind],
			['Now', 1, 'complete'],
		);
	});

	test('matches the server after its pages load in any order', () => {
		const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 });
		fc.assert(
			fc.property(numbers, numbers, fc.array(fc.nat({ max: 60 }), { maxLength: 20 }), (before, after, froms) => {
				const list = new TicketList();
				const read = (world: readonly number[], from?: number): void => {
					const below = world.filter((id) => id <= (from ?? Infinity)).toSorted((a, b) => b - a);
					take(list, below.slice(0, 5), from, below.length > 5 ? more : complete);
				};
				froms.forEach((from) => read(before, from === 0 ? undefined : from));
				read(after);
				for (let from = after.length; list.gap() !== undefined && from > -70; from -= 1) {
					read(after, list.gap());
				}
				let from: number | undefined = 60;
				while (from !== undefined && from > 0) {
					const start: number = from;
					const page: readonly number[] = after
						.filter((id) => id <= start)
						.toSorted((a, b) => b - a)
						.slice(0, 5);
					read(after, start);
					from = page.length < 5 ? undefined : (page.at(-1) ?? 1) - 1;
				}
				assert.deepEqual(
					ids(list),
					after.toSorted((a, b) => b - a),
				);
			}),
			inRounds({ small: 300, full: 6000 }),
		);
	});
});

suite('number ranges', () => {
	test('contain exactly the added numbers, disjoint and in descending order', () => {
		const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 8 }));
		fc.assert(
			fc.property(fc.array(range, { maxLength: 12 }), (added) => {
				const ranges = added
					.map(([bottom, length]) => ({ top: bottom + length, bottom }))
					.reduce(withRange, new Array<{ readonly top: number; readonly bottom: number }>());
				const numbers = new Set(
					added.flatMap(([bottom, length]) => Array.from({ length: length + 1 }, (_, at) => bottom + at)),
				);
				const held = ranges.flatMap(({ top, bottom }) => Array.from({ length: top - bottom + 1 }, (_, at) => top - at));
				assert.deepEqual(
					held,
					Array.from(numbers).toSorted((a, b) => b - a),
				);
				assert.deepEqual(
					Array.from({ length: 60 }, (_, number) => number).filter((number) => isWithin(ranges, number)),
					Array.from(numbers).toSorted((a, b) => a - b),
				);
				assert.ok(ranges.every(({ bottom }, at) => at === 0 || (ranges[at - 1]?.bottom ?? 0) > bottom + 1));
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});
});
