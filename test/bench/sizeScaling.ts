import { blockFigure, counted, mebibyte, mostFigure } from './figures.ts';
import { heldByTickets } from './heldMemory.ts';
import type { Figure, Size } from './measurement.ts';
import { blocksOf } from './treeRows.ts';

const sizes = { full: { tickets: 100_000, runs: 3 }, smallest: { tickets: 300, runs: 1 } } as const;
const mostMebibytes = 150;

/** The Tickets view over ten times the tickets of the other measurements. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, runs } = sizes[size];
	const blocks = await blocksOf(tickets, runs);
	const next = blocks.find(({ name }) => name === 'next ticket');
	const memory = await heldByTickets(tickets);
	return [
		blockFigure(
			`${counted(tickets)} tickets: longest block of the next-ticket key`,
			next?.blockMs ?? Number.NaN,
			`in ms: ${blocks.map(({ name, blockMs }) => `${name} ${blockMs.toFixed(1)}`).join(', ')}; best of ${runs} runs`,
		),
		mostFigure(
			`${counted(tickets)} tickets: memory with as many rows as a list shows`,
			memory,
			{ most: mostMebibytes, unit: ' MiB', digits: 1 },
			`${((memory * mebibyte) / tickets).toFixed(0)} bytes for each ticket, whose description has about 700 characters`,
		),
	];
}
