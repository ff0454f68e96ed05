import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { ticketStatuses, type Ticket } from 'sourcehut/port/ticket.ts';
import { groupingSteps, groupName } from '../../../../src/engine/search/groupTickets.ts';
import { makeTicket, makeUser } from '../../../support/makeTicket.ts';

function groupsOf(
	tickets: readonly Ticket[],
	by: 'status' | 'label' | 'assignee',
): readonly (readonly [string, readonly number[]])[] {
	return runAtOnce(groupingSteps(tickets, by, (ticket) => ticket)).map(({ key, items }) => [
		groupName(key),
		items.map(({ id }) => id),
	]);
}

suite('grouping tickets', () => {
	test('orders statuses by workflow, with unknown ones last', () => {
		const tickets = [
			makeTicket({ id: 1, status: 'resolved' }),
			makeTicket({ id: 2, status: 'other:waiting' }),
			makeTicket({ id: 3, status: 'reported' }),
			makeTicket({ id: 4, status: 'pending' }),
			makeTicket({ id: 5, status: 'reported' }),
		];
		assert.deepEqual(groupsOf(tickets, 'status'), [
			['status:reported', [3, 5]],
			['status:pending', [4]],
			['status:resolved', [1]],
			['status:other:waiting', [2]],
		]);
	});

	test('puts a ticket with two labels in two groups, and unlabeled tickets last', () => {
		const tickets = [
			makeTicket({ id: 1 }),
			makeTicket({ id: 2, labels: ['ui', 'Bug'] }),
			makeTicket({ id: 3, labels: ['ui', 'ui'] }),
		];
		assert.deepEqual(groupsOf(tickets, 'label'), [
			['label:Bug', [2]],
			['label:ui', [2, 3]],
			['noLabel', [1]],
		]);
	});

	test('orders people by name, with unassigned tickets last', () => {
		const tickets = [
			makeTicket({ id: 1 }),
			makeTicket({ id: 2, assignees: [makeUser('carol'), makeUser('bob')] }),
			makeTicket({ id: 3, assignees: [makeUser('bob')] }),
		];
		assert.deepEqual(groupsOf(tickets, 'assignee'), [
			['assignee:~bob', [2, 3]],
			['assignee:~carol', [2]],
			['noAssignee', [1]],
		]);
	});

	test('loses no ticket, repeats none within a group, and keeps the order', () => {
		const ticket = fc.record({
			status: fc.constantFrom(...ticketStatuses),
			labels: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
			assignees: fc.array(fc.constantFrom('x', 'y').map(makeUser), { maxLength: 2 }),
		});
		fc.assert(
			fc.property(fc.array(ticket), fc.constantFrom('status', 'label', 'assignee'), (made, by) => {
				const tickets = made.map((change, at) => makeTicket({ ...change, id: at + 1 }));
				const groups = groupsOf(tickets, by).map(([, ids]) => ids);
				assert.deepEqual(
					[...new Set(groups.flat())].sort((a, b) => a - b),
					tickets.map(({ id }) => id),
				);
				groups.forEach((ids) =>
					assert.deepEqual(
						ids,
						[...new Set(ids)].sort((a, b) => a - b),
					),
				);
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});
});
