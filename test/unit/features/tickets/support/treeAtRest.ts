import assert from 'node:assert/strict';
import type { TreeSource } from '../../../../../src/editor/trees/treeSource.ts';
import { ticketFilters, type TicketFilters } from '../../../../../src/features/tickets/choices/ticketFilters.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { refOfTicket, type Ticket } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { ticketIndexer } from '../../../../../src/store/tickets/index/ticketIndexer.ts';
import {
	fakeConnection,
	fakeConnections,
	type FakeConnections,
	type ForgeConnection,
} from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeFilterSetting, fakeKept, fakeView, ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker, someTimeMs } from '../../../../support/makeTicket.ts';
import { linesOf, slowEditor, type SlowEditor } from '../../../../support/slowEditor.ts';
import { never, noPages } from '../../../../support/ticketTreeWorld.ts';
import { steppingClock, type SteppingClock } from '../../../../support/steppingClock.ts';

/** The view of an account with one tracker, drawn by a slow editor. */
export interface SlowView extends SlowEditor {
	readonly clock: SteppingClock;
	readonly forge: FakeTrackers;
	readonly connection: Connection;
	readonly connections: FakeConnections;
	/** Source of the view. */
	readonly tree: Pick<TreeSource, 'forget'>;
	readonly parts: TicketsContext;
	readonly filters: TicketFilters;
	/** Changes a ticket on the forge silently. */
	readonly change: (id: number, change?: Partial<Ticket>) => Ticket;
	/** Rows of a newly opened view. */
	readonly truth: () => Promise<readonly string[]>;
	/** The editor's busy time before and after a read, in milliseconds. */
	busyMs: () => number;
}

export interface SlowViewParts {
	/** Duration of a look at the clock. */
	readonly work: () => number;
	readonly saved: readonly unknown[];
}

export async function slowView({ work, saved }: SlowViewParts): Promise<SlowView> {
	const { ticketTree } = await import('../../../../../src/features/tickets/tree/ticketTree.ts');
	const clock = steppingClock(work);
	const forge = fakeTrackers();
	forge.world.trackers.push(makeTracker());
	const first = Array.from({ length: 10 }, (_, at) => makeTicket({ id: 10 - at }));
	forge.world.tickets.set('~alice/alpha', first);
	const connection = withIndex(fakeConnection(forge.api), clock);
	const connections = fakeConnections(connection);
	const filters = ticketFilters(fakeFilterSetting({ user: saved }), connections, fakeKept(), () => undefined);
	const view = fakeView();
	const parts = { ...ticketsParts(connections, noPages), clock, view, filters };
	const tree = ticketTree(parts);
	const made = { busyMs: () => 0 };
	const editor = await slowEditor({
		source: tree,
		clock,
		busy: () => clock.wait(made.busyMs()),
		tellFolded: (row) => view.collapse(row),
		isUnfoldedFirst: () => true,
	});
	let changes = 0;

	function change(id: number, wanted: Partial<Ticket> = {}): Ticket {
		changes += 1;
		const before = (forge.world.tickets.get('~alice/alpha') ?? []).find((ticket) => ticket.id === id);
		assert.ok(before, 'the ticket is there');
		const isOpen = before.status !== 'resolved';
		const after: Ticket = {
			...before,
			updatedMs: someTimeMs + changes * 1000,
			...(isOpen ? { status: 'resolved', resolution: 'fixed' } : { status: 'reported', resolution: 'unresolved' }),
			...wanted,
		};
		const all = forge.world.tickets.get('~alice/alpha') ?? [];
		forge.world.tickets.set(
			'~alice/alpha',
			all.map((ticket) => (ticket.id === id ? after : ticket)),
		);
		return after;
	}

	return Object.assign(made, {
		clock,
		forge,
		connection,
		connections,
		tree,
		parts,
		filters,
		change,
		...editor,
		async truth() {
			const fresh = ticketTree({ ...parts, view: fakeView() });
			const rows = await linesOf(await fresh.roots(never), editor.isUnfolded);
			fresh.dispose();
			return rows;
		},
	});
}

/** The account with the real index. */
function withIndex(bare: ForgeConnection, clock: SteppingClock): ForgeConnection {
	const { key, instance, me, forge, tickets, journal, writes, readMarks: looks } = bare;
	const index = ticketIndexer(tickets, clock);
	return {
		key,
		instance,
		me,
		forge,
		tickets,
		journal,
		outbox: bare.outbox,
		outboxSender: bare.outboxSender,
		mailOutbox: bare.mailOutbox,
		drainMails: bare.drainMails,
		writes,
		readMarks: looks,
		index,
		mentions: bare.mentions,
		threadReadMarks: bare.threadReadMarks,
		patchsetReadMarks: bare.patchsetReadMarks,
		viewed: bare.viewed,
		listChoices: bare.listChoices,
		snoozes: bare.snoozes,
		inbox: bare.inbox,
		inboxReadings: bare.inboxReadings,
		sentMails: bare.sentMails,
		get lists() {
			return bare.lists;
		},
		get texts() {
			return bare.texts;
		},
		get reviews() {
			return bare.reviews;
		},
		get people() {
			return bare.people;
		},
		get repositories() {
			return bare.repositories;
		},
		webhooks: bare.webhooks,
		get wholeFiles() {
			return bare.wholeFiles;
		},
	};
}

/** A write with a lost answer: the server has it, and the client looks for it. */
export async function loseAnswer({ connection, change }: SlowView, id: number): Promise<void> {
	await connection.tickets.renewTicket(refOfTicket(change(id)), never);
}
