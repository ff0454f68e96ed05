import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { ticketIndexer } from '../../src/state/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../src/state/tickets/ticketStore.ts';
import { blockFigure, counted, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import { longestBlock } from './longestBlock.ts';
import { manyTickets } from './manyTickets.ts';
import type { Figure, Size } from './measurement.ts';

/** One latency at which a big tracker is listed and indexed. */
interface Indexing {
	readonly tickets: number;
	readonly latencyMs: number;
	/** 0 leaves out the comparison with the bare loop. */
	readonly rounds: number;
	/** How often the event loop is watched; 0 leaves it out. */
	readonly blockRuns: number;
}

const indexings: Readonly<Record<Size, readonly Indexing[]>> = {
	full: [
		{ tickets: 10_000, latencyMs: 0, rounds: 0, blockRuns: 3 },
		{ tickets: 10_000, latencyMs: 10, rounds: 7, blockRuns: 0 },
	],
	smallest: [{ tickets: 200, latencyMs: 0, rounds: 1, blockRuns: 1 }],
};

/**
 * Reads a big tracker into store and index through the packaged API layer, against a bare sequential loop that sends the
 * very same requests and only parses.
 */
export async function indexTickets(size: Size): Promise<readonly Figure[]> {
	const figures: Figure[] = [];
	for (const indexing of indexings[size]) {
		figures.push(...(await indexOnce(indexing)));
	}
	return figures;
}

async function indexOnce({ tickets, latencyMs, rounds, blockRuns }: Indexing): Promise<readonly Figure[]> {
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
	const figures: Figure[] = [];
	if (rounds > 0) {
		const all = await compare(
			{ name: 'indexed', run: async () => void (await indexed()) },
			{ name: 'bare loop', run: async () => void (await bareLoop()) },
			rounds,
		);
		const name = `${counted(tickets)} tickets listed and indexed to a bare loop, ${latencyMs} ms latency`;
		figures.push(ratioFigure(name, 1.0, all));
	}
	if (blockRuns > 0) {
		const blockMs = await longestBlock(indexed, blockRuns);
		const bareBlockMs = await longestBlock(bareLoop, blockRuns);
		const detail = `best of ${blockRuns} runs; ${bareBlockMs.toFixed(1)} ms in the bare loop`;
		figures.push(blockFigure('Listing and indexing: longest block of the event loop', blockMs, detail));
	}
	return figures;
}
