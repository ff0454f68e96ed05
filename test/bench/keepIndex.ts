import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexFolders, type IndexFolders } from '../../src/app/indexFiles.ts';
import { systemClock } from '../../src/app/systemClock.ts';
import type { Ticket } from '../../src/forge/ticket.ts';
import { indexKeeper, type IndexKeeper } from '../../src/state/indexKeeper.ts';
import { TicketStore } from '../../src/state/ticketStore.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../support/makeTicket.ts';
import { longestBlock } from './longestBlock.ts';
import { quietLog } from '../support/quietLog.ts';

/** What keeping a big index on the disk costs, in milliseconds. */
export interface Keeping {
	readonly tickets: number;
	/** The longest that the event loop stood still while everything was written, and while it was read. */
	readonly writeBlockMs: number;
	readonly readBlockMs: number;
	/** Size of the JSON of all tickets, as the forge would send it or more. */
	readonly jsonBytes: number;
}

const alpha = { owner: '~alice', name: 'alpha' };

/** Writes the index of a big tracker to the disk and reads it back, watching the event loop. */
export async function keepIndex(tickets: number): Promise<Keeping> {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	try {
		const all = Array.from({ length: tickets }, (_, at) => wordyTicket(tickets - at));
		const folders = indexFolders(folder);
		const writeBlockMs = await bestOf(3, async () => {
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
		});
		return { tickets, writeBlockMs, readBlockMs, jsonBytes: JSON.stringify(all).length };
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
		breathe: () => new Promise((resolve) => setImmediate(resolve)),
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
