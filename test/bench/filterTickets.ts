import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { decoder } from 'sourcehut/answers/decoding.ts';
import { ticket } from 'sourcehut/rest/wire/tracker.ts';
import { parseTicketFilter, type TicketFilter } from '../../src/engine/search/ticketFilter.ts';
import type { IndexedTicket } from '../../src/engine/search/indexedTicket.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import {
	selectionSteps,
	selectTicketsResting,
	type Selection,
	type TicketSource,
} from '../../src/engine/search/selectTickets.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { blockFigure, counted, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { tickets: 10_000, rounds: 21 }, smallest: { tickets: 200, rounds: 1 } } as const;

/** No match in any text, a usual queue, and sorting of all tickets. */
const filters = [
	'status:any "no such words anywhere"',
	'status:any sort:updated',
	'no:assignee !label:bug !submitter:bob tmux sort:created',
	'status:any rsort:comments',
];

const envelope = v.object({ results: v.array(v.looseObject({ id: v.number() })) });

/**
 * Filters and sorts the tickets of a sample tracker without any cache, against one `JSON.parse` of the server's answers. The
 * figure is that of the slowest filter.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, rounds } = sizes[size];
	const wire = await readAll(tickets);
	const text = JSON.stringify(wire);
	const decode = decoder(ticket);
	const entries = shuffled(wire).map((each): IndexedTicket => ({
		ticket: decode(each),
		comments: [],
		commentCount: each.id % 7,
	}));
	const sources = [{ me: '~alice', mark: () => undefined, tickets: entries, from: 'many' }];
	const tried = [];
	for (const written of filters) {
		const filter = read(written);
		const select = (): Selection<string> => runAtOnce(selectionSteps({ filter }, sources));
		const { found } = select();
		const comparison = await compare(
			{ name: written, run: async () => void select() },
			{ name: 'one JSON.parse', run: async () => void JSON.parse(text) },
			rounds,
		);
		const told = `\`${written}\` found ${found.length}, ${comparison.ratio.toFixed(3)} in one go`;
		tried.push({ told, comparison });
	}
	const { comparison } = tried.reduce((a, b) => (a.comparison.ratio >= b.comparison.ratio ? a : b));
	return [
		ratioFigure(`Filter and sort ${counted(tickets)} tickets to one JSON.parse of them`, 0.5, comparison),
		blockFigure(
			'Filter and sort with rests: longest block of the event loop',
			await longestBlockOf(sources),
			tried.map(({ told }) => told).join('; '),
		),
	];
}

/** The longest block of the event loop while all filters run with rests. */
async function longestBlockOf(sources: readonly TicketSource<string>[]): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	const { signal } = new AbortController();
	delay.enable();
	// The histogram's first sample contains earlier work.
	await sleep(50);
	delay.reset();
	for (const written of filters) {
		const resting = { nowMs: () => performance.now(), pause: () => pause(), sliceMs: 8 };
		await selectTicketsResting({ filter: read(written) }, sources, resting, signal);
		await pause();
	}
	delay.disable();
	return delay.max / 1e6;
}

function read(text: string): TicketFilter {
	const reading = parseTicketFilter(text);
	if (reading.kind === 'problem') {
		throw new Error(`${text} is no filter`);
	}
	return reading.filter;
}

/** Deterministic. Numbers and times of the sample tracker have the same order, and sorted input is too easy. */
function shuffled<T extends { readonly id: number }>(items: readonly T[]): readonly T[] {
	const place = ({ id }: T): number => (id * 7919) % 10_007;
	return items.toSorted((a, b) => place(a) - place(b));
}

async function readAll(tickets: number): Promise<readonly { readonly id: number }[]> {
	const forge = await startSampleForge({ dialect: 'field', tickets });
	try {
		const all = new Map<number, { readonly id: number }>();
		for (let before = tickets; before > 0 && all.size < tickets; before -= 50) {
			const answer = await forge.call('todo', 'GET', `/api/trackers/many/tickets?start=${before}`);
			v.parse(envelope, answer.json).results.forEach((each) => all.set(each.id, each));
		}
		if (all.size !== tickets) {
			throw new Error(`Read ${all.size} of ${tickets} tickets`);
		}
		return [...all.values()];
	} finally {
		await forge.stop();
	}
}
