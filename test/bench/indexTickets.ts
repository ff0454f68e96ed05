import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { ticketIndexer } from '../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { blockFigure, counted, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import { longestBlock } from './longestBlock.ts';
import { manyTickets } from './manyTickets.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = {
	full: { tickets: 10_000, latencyMs: 10, rounds: 7, blockRuns: 3 },
	smallest: { tickets: 200, latencyMs: 0, rounds: 1, blockRuns: 1 },
} as const;

/**
 * Reads a big tracker into store and index through the packaged API layer, and by a bare sequential loop with the very
 * same requests that only parses.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, latencyMs, rounds, blockRuns } = sizes[size];
	await using world = await manyTickets(tickets, latencyMs);
	const signal = new AbortController().signal;

	async function indexed({ connected, tracker } = world): Promise<number> {
		const store = new TicketStore({
			api: connected.trackers,
			me: tracker.owner,
			followed: { all: () => [], keep: async () => undefined },
			clock: systemClock,
		});
		const index = ticketIndexer(store, systemClock);
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
	// Without any latency the answers come as close together as they can.
	await using atOnce = await manyTickets(tickets, 0);
	const blockMs = await longestBlock(() => indexed(atOnce), blockRuns);
	const bareBlockMs = await longestBlock(() => atOnce.bareWalk(atOnce.pages), blockRuns);
	return [
		ratioFigure(`${counted(tickets)} tickets listed and indexed to a bare loop, ${latencyMs} ms latency`, 1.0, all),
		blockFigure(
			'Listing and indexing: longest block of the event loop',
			blockMs,
			`best of ${blockRuns} runs; ${bareBlockMs.toFixed(1)} ms in the bare loop`,
		),
	];
}
