import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexFolders, type IndexFolders } from '../../src/storage/indexFiles.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Ticket } from '../../src/forge/ticket.ts';
import { indexKeeper, type IndexKeeper } from '../../src/state/tickets/index/indexKeeper.ts';
import { TicketStore } from '../../src/state/tickets/ticketStore.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../support/makeTicket.ts';
import { quietLog } from '../support/quietLog.ts';
import { blockFigure, counted } from './figures.ts';
import { longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { tickets: 10_000, runs: 3 }, smallest: { tickets: 200, runs: 1 } } as const;

const alpha = { owner: '~alice', name: 'alpha' };

/** Writes the index of a big tracker to the disk and reads it back, watching the event loop. */
export async function keepIndex(size: Size): Promise<readonly Figure[]> {
	const { tickets, runs } = sizes[size];
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	try {
		const all = Array.from({ length: tickets }, (_, at) => wordyTicket(tickets - at));
		const folders = indexFolders(folder);
		const writeBlockMs = await bestOf(runs, async () => {
			const { store, keeper } = open(folders, all);
			await store.ownTrackers(never);
			await store.readAllTickets(alpha, never);
			return await longestBlock(() => keeper.flush(), 1);
		});
		const readBlockMs = await longestBlock(async () => {
			const { store, keeper } = open(folders, []);
			await keeper.loaded;
			if (store.ticketList(alpha).indexed().length !== tickets) {
				throw new Error('Not everything was read back');
			}
		}, runs);
		const detail = `best of ${runs} runs, ${(JSON.stringify(all).length / 1e6).toFixed(1)} MB of JSON`;
		return [
			blockFigure(`Writing the index of ${counted(tickets)} tickets to the disk: longest block`, writeBlockMs, detail),
			blockFigure('Reading it back: longest block', readBlockMs, detail),
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const never = new AbortController().signal;

async function bestOf(rounds: number, run: () => Promise<number>): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let round = 0; round < rounds; round++) {
		best = Math.min(best, await run());
	}
	return best;
}

function open(folders: IndexFolders, tickets: readonly Ticket[]): { store: TicketStore; keeper: IndexKeeper } {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.tickets.set('~alice/alpha', [...tickets]);
	const keeper = indexKeeper({
		files: folders.of('bench', 'https://todo.forge.test'),
		clock: { nowMs: () => systemClock.nowMs(), after: () => ({ dispose: () => undefined }) },
		log: quietLog(),
		tickMs: () => performance.now(),
	});
	const store = new TicketStore({
		api: fake.api,
		me: '~alice',
		followed: { all: () => [], keep: async () => undefined },
		clock: systemClock,
		remembered: (tracker) => keeper.remembered(tracker),
	});
	keeper.attach(store);
	return { store, keeper };
}

/** About as long as tickets are. */
function wordyTicket(id: number): Ticket {
	return makeTicket({
		id,
		title: `The ${id}th thing that somebody found and wrote down`,
		description: `Seen in build ${id}. `.repeat(25),
		labels: id % 3 === 0 ? ['bug'] : [],
	});
}
