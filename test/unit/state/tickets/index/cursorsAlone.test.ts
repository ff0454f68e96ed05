import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/event.ts';
import type { TrackerApi } from '../../../../../src/forge/forge.ts';
import { indexKeeper, type IndexFiles } from '../../../../../src/state/tickets/index/indexKeeper.ts';
import { backgroundLoop } from '../../../../../src/state/background/backgroundLoop.ts';
import { requestBudget } from '../../../../../src/state/background/requestBudget.ts';
import { ticketIndexer } from '../../../../../src/state/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../../../../src/state/tickets/ticketStore.ts';
import { cursorTickets, type CursorTickets } from '../../../../support/cursorTickets.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { quietLog } from '../../../../support/quietLog.ts';

const alpha = { owner: '~alice', name: 'alpha' };
const never = new AbortController().signal;
const secondMs = 1000;
const minuteMs = 60 * secondMs;

function world(count: number): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.pageSize = 25;
	fake.world.trackers.push(makeTracker());
	addTickets(fake, count);
	return fake;
}

function addTickets({ world: { tickets } }: FakeTrackers, count: number): void {
	const known = tickets.get('~alice/alpha') ?? [];
	const added = Array.from({ length: count }, (_, at) => makeTicket({ id: known.length + count - at }));
	tickets.set('~alice/alpha', [...added, ...known]);
}

/** Files that outlive a window. */
function filesInMemory(): IndexFiles {
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

/** One window that reads in the background; `asked` counts what the budget was told of. */
function open({ api }: Pick<CursorTickets, 'api'>, { files = filesInMemory(), perHour = 3000 } = {}) {
	const clock = fakeClock();
	const budget = requestBudget(
		() => perHour,
		() => clock.nowMs(),
	);
	const keeper = indexKeeper({ files, clock, log: quietLog({}), tickMs: () => 0 });
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
	const loop = backgroundLoop({ presence, clock });
	const index = ticketIndexer({ store, clock, background: { budget, loop } });
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

const down = (from: number): readonly number[] => Array.from({ length: from }, (_, at) => from - at);
const firsts = (followed: readonly string[]): number => followed.filter((cursor) => cursor === 'first').length;
/** Cursors, each as often as it was followed. */
const cursorsOf = (followed: readonly string[]): readonly string[] => followed.filter((cursor) => cursor !== 'first');

suite('reading tickets in the background by cursors alone', function () {
	this.timeout(20_000);

	test('goes from page to page, follows each cursor once, and counts every request', async () => {
		const forge = cursorTickets(world(180));
		const window = open(forge);
		await window.pass(30 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(180)]);
		assert.equal(new Set(cursorsOf(forge.followed)).size, 7);
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 7]);
		// One's own trackers, and eight pages.
		assert.equal(window.asked(), forge.followed.length + 1);
		await window.close();
	});

	test('goes on in the next window where it was left', async () => {
		const fake = world(180);
		const forge = cursorTickets(fake);
		const files = filesInMemory();
		fake.world.before = (call) => {
			if (call.startsWith('tickets') && forge.followed.length > 4) {
				throw new DOMException('The window closes', 'AbortError');
			}
		};
		const first = open(forge, { files });
		await first.pass(10 * secondMs);
		assert.deepEqual([first.index.state(alpha).kind, first.numbers().length], ['partial', 100]);
		await first.close();
		fake.world.before = () => undefined;
		forge.followed.length = 0;
		const second = open(forge, { files });
		await second.keeper.loaded;
		await second.pass(30 * secondMs);
		assert.deepEqual([second.index.state(alpha).kind, second.numbers()], ['whole', down(180)]);
		// The newest page for its news, and the four that were missing.
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 4]);
		await second.close();
	});

	test('closes the gap above what is known, and reads no further', async () => {
		const fake = world(100);
		const forge = cursorTickets(fake);
		const window = open(forge);
		await window.pass(20 * secondMs);
		assert.equal(window.index.state(alpha).kind, 'whole');
		addTickets(fake, 60);
		forge.followed.length = 0;
		await window.store.rereadTickets(alpha, undefined, never);
		await window.pass(10 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(160)]);
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 2]);
		await window.close();
	});

	test('begins again at the newest when the server takes a cursor no more', async () => {
		const fake = world(180);
		const forge = cursorTickets(fake);
		const window = open(forge);
		await window.store.tickets(alpha, never);
		await window.store.moreTickets(alpha, never);
		forge.forget();
		forge.followed.length = 0;
		await window.pass(30 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(180)]);
		// One refusal, and then all eight pages.
		assert.equal(forge.followed.length, 9);
		await window.close();
	});

	test('shows a person more at once, however far down that is', async () => {
		const fake = world(180);
		const forge = cursorTickets(fake);
		const { store } = open(forge);
		await store.tickets(alpha, never);
		await store.moreTickets(alpha, never);
		forge.forget();
		assert.equal((await store.moreTickets(alpha, never)).items.length, 75);
	});

	test('reads every page again in its turn', async () => {
		const fake = world(180);
		const forge = cursorTickets(fake);
		const window = open(forge);
		await window.pass(30 * secondMs);
		const wholeMs = window.clock.nowMs();
		forge.followed.length = 0;
		await window.pass(16 * minuteMs, 5 * secondMs);
		for (const id of down(180)) {
			assert.ok((window.index.checkedAtMs({ tracker: alpha, id }) ?? 0) > wholeMs, String(id));
		}
		assert.ok(cursorsOf(forge.followed).length <= 2 * 8, String(cursorsOf(forge.followed).length));
		await window.close();
	});

	test('ends where a server says that there is more and sends nothing', async () => {
		const fake = world(60);
		const forge = cursorTickets(fake);
		const api = {
			...forge.api,
			async *tickets(...asked: Parameters<TrackerApi['tickets']>) {
				for await (const { next: _, ...page } of forge.api.tickets(...asked)) {
					yield page;
				}
			},
		};
		const window = open({ api });
		await window.pass(20 * secondMs);
		assert.equal(window.numbers().length, 25);
		assert.ok(forge.followed.length <= 3, String(forge.followed.length));
		await window.close();
	});
});
