import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TicketTree } from '../../src/features/tickets/tree/ticketTree.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../src/store/connection.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { fakeFilterSetting, fakeKept, ticketsParts } from '../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker, makeUser } from '../support/makeTicket.ts';
import { blockFigure, counted } from './figures.ts';
import { longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { tickets: 10_000, runs: 3 }, smallest: { tickets: 200, runs: 1 } } as const;

const alpha = { owner: '~alice', name: 'alpha' };
const never = new AbortController().signal;

/** Draws, groups, walks and changes the rows of a big tracker. The figure is that of the worst step. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, runs } = sizes[size];
	const measured = await blocksOf(tickets, runs);
	return [
		blockFigure(
			`Tickets view over ${counted(tickets)} tickets: longest block of the event loop`,
			Math.max(...measured.map(({ blockMs }) => blockMs)),
			`in ms: ${measured.map(({ name, blockMs }) => `${name} ${blockMs.toFixed(1)}`).join(', ')}`,
		),
	];
}

export async function blocksOf(
	tickets: number,
	runs: number,
): Promise<readonly { readonly name: string; readonly blockMs: number }[]> {
	const { ticketTree } = await import('../../src/features/tickets/tree/ticketTree.ts');
	const { ticketFilters } = await import('../../src/features/tickets/choices/ticketFilters.ts');
	const connection = await bigConnection(tickets);
	const connections = fakeConnections(connection);
	const filters = ticketFilters(
		fakeFilterSetting({ user: [{ name: 'Open', filter: 'status:open' }] }),
		connections,
		fakeKept(),
		() => undefined,
	);
	const parts = {
		...ticketsParts(connections, {
			open: () => assert.fail('no page is opened here'),
			restore: () => assert.fail('no page is restored here'),
			inFront: () => undefined,
			front: () => undefined,
			dispose: () => undefined,
		}),
		clock: systemClock,
		filters,
	};
	const tree = ticketTree(parts);
	const order = { key: 'updated', isReversed: false } as const;
	let round = 0;
	const change = (id: number): void => {
		round += 1;
		connection.tickets.apply({ kind: 'ticketChanged', ticket: bigTicket(id, tickets, `Round ${round}`) });
	};
	const steps: { name: string; run: () => Promise<unknown> }[] = [
		{ name: 'first sight', run: () => unfold(tree) },
		...(['label', 'status', 'assignee'] as const).map((grouping) => ({
			name: `grouped by ${grouping}`,
			async run() {
				change(1);
				await parts.treeChoices.choose(connection.key, alpha, { grouping, order });
				await unfold(tree);
			},
		})),
		{
			name: 'next ticket',
			async run() {
				change(2);
				const subject = { kind: 'ticket', connectionKey: connection.key, ref: { tracker: alpha, id: 77 } } as const;
				const { next } = await tree.neighbours(subject);
				await tree.reveal(next ?? assert.fail('there is a next one'), false);
			},
		},
		{
			name: 'one changed ticket',
			async run() {
				change(3);
				await quiet();
			},
		},
		{
			name: 'all marked as read',
			async run() {
				connection.readMarks.markAllRead(
					alpha,
					connection.index.tickets(alpha).map(({ ticket }) => ticket),
				);
				await quiet();
			},
		},
	];
	const measured = [];
	for (const { name, run } of steps) {
		measured.push({ name, blockMs: await longestBlock(run, runs) });
	}
	tree.dispose();
	return measured;
}

/** Waits for the end of a burst of changes. */
function quiet(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 400));
}

async function unfold(tree: TicketTree): Promise<void> {
	const rows: readonly TreeNode[] = await tree.roots(never);
	for (const row of rows) {
		for (const inner of (await row.children?.(never)) ?? []) {
			await inner.children?.(never);
		}
	}
}

async function bigConnection(tickets: number): Promise<Connection> {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.pageSize = tickets;
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: tickets }, (_, at) => bigTicket(tickets - at, tickets)),
	);
	const connection = fakeConnection(fake.api);
	await connection.tickets.ownTrackers(never);
	await connection.tickets.readAllTickets(alpha, never);
	return connection;
}

function bigTicket(id: number, of: number, title = `The ${id}th thing that somebody found and wrote down`): Ticket {
	return makeTicket({
		id,
		title,
		updatedMs: Date.UTC(2026, 0, 1) + ((id * 7919) % of) * 1000,
		status: id % 3 === 0 ? 'resolved' : 'reported',
		labels: id % 4 === 0 ? ['bug', `area ${id % 20}`] : [],
		assignees: id % 5 === 0 ? [makeUser('bob')] : [],
	});
}
