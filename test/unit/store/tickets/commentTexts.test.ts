import assert from 'node:assert/strict';
import type { Completeness } from 'sourcehut/port/page.ts';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import { commentRoom, commentsOf } from '../../../../src/store/tickets/commentTexts.ts';
import type { Listing } from '../../../../src/store/shared/listing.ts';
import { makeComment, makeEvent } from '../../../support/makeTicket.ts';

const complete: Completeness = { kind: 'complete' };
const more: Completeness = { kind: 'more', total: undefined };

function timeline(completeness: Completeness, ...texts: readonly (readonly [id: number, text?: string])[]) {
	const items = texts.map(([id, text]): TicketEvent =>
		makeEvent({ id, ...(text === undefined ? {} : { kinds: ['comment'], comment: makeComment(text) }) }),
	);
	return { items, completeness } satisfies Listing<TicketEvent>;
}

suite('searchable comments', () => {
	test('have a count only after the whole timeline loads', () => {
		assert.equal(commentsOf(timeline(more, [9, 'a'], [8]), undefined)?.count, undefined);
		assert.deepEqual(commentsOf(timeline(complete, [9, 'a'], [8], [7, 'b']), undefined), {
			texts: ['a', 'b'],
			eventIds: [9, 7],
			count: 2,
			size: 2,
		});
		assert.equal(commentsOf(timeline(complete, [1]), undefined)?.count, 0);
	});

	test('are unknown without a loaded timeline', () => {
		assert.equal(commentsOf(timeline(more), undefined), undefined);
	});

	test('combine known texts with new ones, and replace edited comments', () => {
		const known = commentsOf(timeline(complete, [7, 'old words'], [6, 'first']), undefined);
		const now = commentsOf(timeline(more, [9, 'new'], [7, 'better words']), known);
		assert.deepEqual([now?.texts, now?.count], [['new', 'better words', 'first'], 3]);
	});

	test('lose their count when newer events may be missing', () => {
		const known = commentsOf(timeline(complete, [7, 'seen']), undefined);
		assert.equal(commentsOf(timeline(more, [99, 'much later']), known)?.count, undefined);
	});

	test('are limited per ticket, newest first', () => {
		const comments = commentsOf(
			timeline(complete, [3, 'n'.repeat(60_000)], [2, 'm'.repeat(60_000)], [1, 'o']),
			undefined,
		);
		assert.deepEqual(
			[comments?.size, comments?.texts.map(({ length }) => length), comments?.count],
			[65_536, [60_000, 5536], 3],
		);
	});

	test('are limited in total, and the least recently loaded are dropped first', () => {
		const dropped: string[] = [];
		const room = commentRoom(100);
		for (const [ticket, size] of [
			['a', 40],
			['b', 40],
			['a', 45],
			['c', 30],
		] as const) {
			room.take(ticket, size, () => dropped.push(ticket));
		}
		assert.deepEqual(dropped, ['b']);
		room.take('d', 100, () => dropped.push('d'));
		assert.deepEqual(dropped, ['b', 'a', 'c']);
	});
});
