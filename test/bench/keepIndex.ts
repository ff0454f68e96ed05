import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexFolders } from '../../src/machine/storage/indexFiles.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { indexKeeper, type IndexKeeper } from '../../src/store/tickets/index/indexKeeper.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../support/makeTicket.ts';
import { quietLog } from '../support/quietLog.ts';
import { blockFigure, counted } from './figures.ts';
import { bestOf, longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { tickets: 10_000, runs: 3 }, smallest: { tickets: 200, runs: 1 } } as const;

const alpha = { owner: '~alice', name: 'alpha' };

/** Writes the index of a big tracker to the disk and reads it back. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { tickets, runs } = sizes[size];
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-index-'));
	const all = Array.from({ length: tickets }, (_, at) => wordyTicket(tickets - at));
	const folders = indexFolders(folder.path);
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
}

const never = new AbortController().signal;

function open(
	folders: ReturnType<typeof indexFolders>,
	tickets: readonly Ticket[],
): { store: TicketStore; keeper: IndexKeeper } {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.tickets.set('~alice/alpha', [...tickets]);
	const keeper = indexKeeper(
		folders.of('bench', 'https://todo.forge.test'),
		{ nowMs: () => systemClock.nowMs(), after: () => ({ dispose: () => undefined }) },
		quietLog(),
		() => performance.now(),
	);
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

function wordyTicket(id: number): Ticket {
	return makeTicket({
		id,
		title: `The ${id}th thing that somebody found and wrote down`,
		description: `Seen in build ${id}. `.repeat(25),
		labels: id % 3 === 0 ? ['bug'] : [],
	});
}
