import { compare, type Comparison } from './interleaved.ts';
import { manyTickets } from './manyTickets.ts';

export interface Listing {
	readonly latencyMs: number;
	readonly tickets: number;
	readonly all: Comparison;
	readonly firstPage: Comparison;
}

/**
 * Lists a big tracker through the packaged API layer (authorized, limited, decoded, paged past the server's broken
 * cursor) against a bare loop that sends the very same requests and only parses.
 */
export async function listTickets(tickets: number, latencyMs: number, rounds: number): Promise<Listing> {
	await using world = await manyTickets(tickets, latencyMs);
	const { connected, tracker, bareWalk, pages } = world;
	const signal = new AbortController().signal;

	async function ourWalk(most: number): Promise<number> {
		let seen = 0;
		let read = 0;
		for await (const page of connected.trackers.tickets(tracker, signal)) {
			seen = page.seen;
			read += 1;
			if (read >= most) {
				break;
			}
		}
		return seen;
	}

	await world.proveSame(
		() => ourWalk(Infinity),
		() => bareWalk(pages),
	);
	const all = await compare(
		{ name: 'ours', run: async () => void (await ourWalk(Infinity)) },
		{ name: 'bare loop', run: async () => void (await bareWalk(pages)) },
		rounds,
	);
	const firstPage = await compare(
		{ name: 'ours', run: async () => void (await ourWalk(1)) },
		{ name: 'one bare request', run: async () => void (await bareWalk(1)) },
		rounds * 10,
	);
	return { latencyMs, tickets, all, firstPage };
}
