import assert from 'node:assert/strict';
import { pageToReread } from '../../../../../src/store/tickets/index/rereadOrder.ts';
import { TicketCursors } from '../../../../../src/store/tickets/ticketCursors.ts';
import type { TicketList } from '../../../../../src/store/tickets/ticketList.ts';
import { fake } from '../../../../support/fake.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';

const minuteMs = 60_000;
const nowMs = 1_000 * 60 * minuteMs;

/** Tickets in descending order, each with its age. */
function listOf(
	ages: readonly { readonly minutes: number; readonly isOpen: boolean }[],
	isUnstated = false,
): TicketList {
	const indexed = ages.map(({ isOpen }, at) => ({
		ticket: makeTicket({ id: ages.length - at, status: isOpen ? 'reported' : 'resolved' }),
		comments: [],
		commentCount: undefined,
	}));
	return fake<TicketList>({
		indexed: () => indexed,
		checkedAtMs: (id) => nowMs - (ages[ages.length - id]?.minutes ?? 0) * minuteMs,
		isUnstated,
		cursors: new TicketCursors(),
	});
}

const page = (minutes: number, isOpen: boolean): readonly { readonly minutes: number; readonly isOpen: boolean }[] =>
	Array.from({ length: 50 }, () => ({ minutes, isOpen }));

suite('next page to reread', () => {
	test('has open tickets, even if closed ones are far older', () => {
		const list = listOf([...page(600, false), ...page(20, true)]);
		assert.equal(pageToReread(list, nowMs)?.from, 50);
	});

	test('is the older of two pages with open tickets', () => {
		assert.equal(pageToReread(listOf([...page(20, true), ...page(30, true)]), nowMs)?.from, 50);
		assert.equal(pageToReread(listOf([...page(30, true), ...page(20, true)]), nowMs)?.from, undefined);
	});

	test('does not exist while all reads are recent, within hours for closed tickets', () => {
		assert.equal(pageToReread(listOf(page(9, true)), nowMs), undefined);
		assert.equal(pageToReread(listOf(page(359, false)), nowMs), undefined);
		assert.ok(pageToReread(listOf(page(10, true)), nowMs));
		assert.ok(pageToReread(listOf(page(360, false)), nowMs));
	});

	test('is the whole list if the server doesn’t page, with a longer pause the larger it is', () => {
		const large = Array.from({ length: 9000 }, () => ({ minutes: 14, isOpen: true }));
		assert.equal(pageToReread(listOf(large, true), nowMs), undefined);
		const due = pageToReread(listOf([...page(15, true), ...page(15, true)], true), nowMs);
		assert.ok(due && due.from === undefined);
		assert.equal(due.need, 100 * 15 * minuteMs);
	});
});
