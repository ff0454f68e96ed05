import { counted, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import { manyTickets } from './manyTickets.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = {
	full: { tickets: 10_000, latencyMs: 10, rounds: 7, pageRounds: 70 },
	smallest: { tickets: 200, latencyMs: 0, rounds: 1, pageRounds: 1 },
} as const;

/**
 * Lists a big tracker through the packaged API layer (authorized, limited, decoded, paged past the server's broken
 * cursor), and by a bare loop with the very same requests that only parses.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, latencyMs, rounds, pageRounds } = sizes[size];
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
		pageRounds,
	);
	const at = `${latencyMs} ms latency`;
	return [
		ratioFigure(`${counted(tickets)} tickets to a bare loop, ${at}`, 1.01, all),
		ratioFigure(`First 50 tickets to one bare request, ${at}`, 1.3, firstPage),
	];
}
