import { systemClock } from '../../src/app/systemClock.ts';
import { ticketIndexer } from '../../src/state/ticketIndexer.ts';
import { TicketStore } from '../../src/state/ticketStore.ts';
import { compare, type Comparison } from './interleaved.ts';
import { longestBlock } from './longestBlock.ts';
import { manyTickets } from './manyTickets.ts';

/** What listing and indexing a big tracker costs. */
export interface Indexing {
	readonly latencyMs: number;
	readonly tickets: number;
	/** Everything read and indexed, to a sequential loop that only parses. */
	readonly all: Comparison;
	/** The longest that the event loop stood still while a tracker was read and indexed. */
	readonly longestBlockMs: number;
	/** Of the same while the bare loop ran: what the machine itself did. */
	readonly bareLongestBlockMs: number;
}

/**
 * Reads a big tracker into store and index through the packaged API layer, against a bare sequential loop that sends the
 * very same requests and only parses.
 */
export async function indexTickets(tickets: number, latencyMs: number, rounds: number): Promise<Indexing> {
	await using world = await manyTickets(tickets, latencyMs);
	const { connected, tracker } = world;
	const signal = new AbortController().signal;

	async function indexed(): Promise<number> {
		const store = new TicketStore({
			api: connected.trackers,
			me: tracker.owner,
			followed: { all: () => [], keep: async () => undefined },
			clock: systemClock,
		});
		const index = ticketIndexer({ store, clock: systemClock });
		await index.readWhole(tracker, signal);
		const state = index.state(tracker);
		const known = state.kind === 'whole' ? index.tickets(tracker).length : 0;
		index.dispose();
		store.dispose();
		return known;
	}

	const bareLoop = (): Promise<number> => world.bareWalk(world.pages);
	await world.proveSame(indexed, bareLoop);
	const all = await compare(
		{ name: 'indexed', run: async () => void (await indexed()) },
		{ name: 'bare loop', run: async () => void (await bareLoop()) },
		rounds,
	);
	return {
		latencyMs,
		tickets,
		all,
		longestBlockMs: await longestBlock(indexed),
		bareLongestBlockMs: await longestBlock(bareLoop),
	};
}
