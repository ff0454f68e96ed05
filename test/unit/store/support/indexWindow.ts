import { Emitter } from '@forge-desk/base/event.ts';
import { indexKeeper, type IndexFiles } from '../../../../src/store/tickets/index/indexKeeper.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { ticketIndexer } from '../../../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import type { CursorTickets } from './cursorTickets.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { quietLog } from '../../../support/quietLog.ts';

export const alpha = { owner: '~alice', name: 'alpha' };
const secondMs = 1000;

/** An own tracker with `count` tickets, in pages of 25. */
export function indexWorld(count: number): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.pageSize = 25;
	fake.world.trackers.push(makeTracker());
	addTickets(fake, count);
	return fake;
}

/** Adds `count` newer tickets. */
export function addTickets({ world: { tickets } }: FakeTrackers, count: number): void {
	const known = tickets.get('~alice/alpha') ?? [];
	const added = Array.from({ length: count }, (_, at) => makeTicket({ id: known.length + count - at }));
	tickets.set('~alice/alpha', [...added, ...known]);
}

/** Files that outlive a window. */
export function filesInMemory(): IndexFiles {
	const texts = new Map<string, string>();
	return {
		names: async () => Array.from(texts.keys()),
		read: async (name) => texts.get(name) ?? '',
		async write(name, text) {
			texts.set(name, text);
			return true;
		},
		remove: async (name) => void texts.delete(name),
		nameOf: (tracker) => tracker.replaceAll(/\W/g, '_'),
	};
}

/** One window with background reads; `asked` counts requests of the budget. */
export function indexWindow({ api }: Pick<CursorTickets, 'api'>, { files = filesInMemory(), perHour = 3000 } = {}) {
	const clock = fakeClock();
	const budget = requestBudget(() => perHour, clock);
	const keeper = indexKeeper(files, clock, quietLog({}), () => 0);
	let asked = 0;
	const store = new TicketStore({
		api,
		me: '~alice',
		followed: keptNames(),
		clock,
		asks() {
			asked += 1;
			budget.spend();
		},
		remembered: (tracker) => keeper.remembered(tracker),
	});
	keeper.attach(store);
	const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
	const loop = backgroundLoop(presence, budget, clock);
	const index = ticketIndexer(store, clock, { budget, loop });
	return {
		store,
		index,
		keeper,
		clock,
		asked: () => asked,
		numbers: (): readonly number[] => index.tickets(alpha).map(({ ticket }) => ticket.id),
		async pass(totalMs: number, stepMs = secondMs) {
			for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
				clock.advance(stepMs);
				await new Promise((resolve) => setImmediate(resolve));
			}
		},
		async close() {
			await keeper.flush();
			index.dispose();
			loop.dispose();
			keeper.dispose();
			store.dispose();
		},
	};
}
