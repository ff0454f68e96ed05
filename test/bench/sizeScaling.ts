import { blockFigure, counted, verdictOf } from './figures.ts';
import { heldByTickets } from './heldMemory.ts';
import type { Figure, Size } from './measurement.ts';
import { blocksOf } from './treeRows.ts';

const sizes = { full: { tickets: 100_000, runs: 3 }, smallest: { tickets: 300, runs: 1 } } as const;
const mostMebibytes = 150;

/** What the Tickets view costs over ten times the tickets that the other measurements have. */
export async function sizeScaling(size: Size): Promise<readonly Figure[]> {
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
		{
			name: `${counted(tickets)} tickets: memory with as many rows as a list shows`,
			goal: `≤ ${mostMebibytes} MiB`,
			measured: memory,
			shown: `${memory.toFixed(1)} MiB`,
			verdict: verdictOf(memory <= mostMebibytes),
			detail: `${((memory * 1024 * 1024) / tickets).toFixed(0)} bytes for each ticket, whose description has about 700 characters`,
		},
	];
}
