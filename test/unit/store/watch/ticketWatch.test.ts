import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Ticket, TicketEvent } from 'sourcehut/port/ticket.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { watchedName } from '../../../../src/store/inbox/watched.ts';
import { openInbox, type Inbox } from '../../../../src/store/inbox/inbox.ts';
import { ticketPosition } from '../../../../src/store/inbox/ticketNotices.ts';
import { ticketIndexer } from '../../../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import { placeOf, ticketWatch } from '../../../../src/store/watch/ticketWatch.ts';
import { watchReadings, type WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { fake as fakeOf } from '../../../support/fake.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { passTime } from '../support/passTime.ts';
import {
	makeComment,
	makeEvent,
	makeParticipant,
	makeTicket,
	makeTracker,
	makeUser,
} from '../../../support/makeTicket.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const tracker = { owner: '~alice', name: 'alpha' };
const other = { owner: '~bob', name: 'beta' };

/** A forge with an own and a followed tracker, across several windows. */
class World {
	readonly fake = fakeTrackers();
	readonly kept: KeptText = keptInMemory();
	readonly clock: FakeClock = fakeClock();
	#eventId = 0;

	constructor() {
		this.fake.world.trackers.push(makeTracker(), makeTracker({ owner: makeUser('bob'), name: 'beta' }));
		this.fake.world.tickets.set('~alice/alpha', [this.#ticket(3), this.#ticket(2), this.#ticket(1)]);
		this.fake.world.tickets.set('~bob/beta', [this.#ticket(1, 'beta')]);
	}

	/** A tracker of another person that no one follows. */
	addStrange(count: number): void {
		this.fake.world.trackers.push(makeTracker({ owner: makeUser('carol'), name: 'Gamma' }));
		const ids = Array.from({ length: count }, (_, at) => count - at);
		this.fake.world.tickets.set(
			'~carol/Gamma',
			ids.map((id) => this.#ticket(id, 'Gamma', 'carol')),
		);
	}

	#ticket(id: number, name = 'alpha', of = name === 'alpha' ? 'alice' : 'bob'): Ticket {
		const owner = makeUser(of);
		const atMs = this.clock.nowMs() - minuteMs;
		const { createdMs, updatedMs } = makeTracker();
		return makeTicket({ id, tracker: { owner, name, createdMs, updatedMs }, createdMs: atMs, updatedMs: atMs });
	}

	/** Someone comments, as the server records it. */
	say(id: number, text: string, { who = 'bob', name = '~alice/alpha' } = {}): void {
		this.#eventId += 1;
		// Servers use whole seconds.
		const atMs = Math.floor(this.clock.nowMs() / secondMs) * secondMs;
		const submitter = makeParticipant(who);
		this.#event(
			name,
			id,
			makeEvent({
				id: this.#eventId,
				createdMs: atMs,
				kinds: ['comment'],
				user: submitter,
				comment: makeComment(text, { submitter }),
			}),
		);
		this.change(id, { updatedMs: atMs }, name);
	}

	change(id: number, change: Partial<Ticket>, name = '~alice/alpha'): void {
		const tickets = this.fake.world.tickets.get(name) ?? [];
		this.fake.world.tickets.set(
			name,
			tickets.map((each) => (each.id === id ? { ...each, ...change } : each)),
		);
	}

	#event(name: string, id: number, event: TicketEvent): void {
		const key = `${name}#${id}`;
		this.fake.world.events.set(key, [event, ...(this.fake.world.events.get(key) ?? [])]);
	}

	open({ perHour = 600 } = {}): Window {
		return new Window(this, perHour);
	}
}

class Window {
	readonly inbox: Inbox;
	readonly readings: WatchReadings;
	readonly #owned = new Disposables();
	readonly #clock: FakeClock;

	constructor({ fake, kept, clock }: World, perHour: number) {
		this.#clock = clock;
		const budget = requestBudget(() => perHour, clock);
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const store = this.#owned.add(
			new TicketStore({
				api: fake.api,
				me: '~alice',
				followed: keptNames('~bob/beta'),
				clock,
				asks: () => budget.spend(),
			}),
		);
		const loop = this.#owned.add(backgroundLoop(presence, budget, clock));
		const index = this.#owned.add(ticketIndexer(store, clock, { budget, loop }, undefined, 0));
		const inbox = this.#owned.add(openInbox(kept, new Emitter<void>().event, clock));
		this.inbox = inbox;
		this.readings = this.#owned.add(watchReadings({ loop, budget }, clock));
		this.#owned.add(
			ticketWatch(
				fakeOf<WatchContext>({
					tickets: store,
					index,
					inbox,
					background: { budget, loop },
					readings: this.readings,
					me: '~alice',
					clock,
					random: () => 0.5,
				}),
			),
		);
	}

	/** Inbox entries, oldest first. */
	told(): readonly string[] {
		return this.inbox
			.items()
			.toReversed()
			.map(({ entry: { thing, reason, event } }) => {
				const said = event.kind === 'commented' ? event.excerpt : event.kind;
				return `${thing.kind === 'ticket' ? `${thing.ref.tracker.name}#${thing.ref.id}` : thing.kind} ${reason}: ${said}`;
			});
	}

	async pass(totalMs: number): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += secondMs) {
			this.#clock.advance(secondMs);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	/** Waits until a tracker is read, with a tolerance of a tenth of a second. */
	async looked(): Promise<void> {
		for (let turns = 0; this.inbox.position(placeOf(tracker)) === undefined && turns < 1000; turns += 1) {
			this.#clock.advance(secondMs / 10);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	close(): void {
		this.#owned.dispose();
	}
}

const callsOf = ({ calls }: FakeTrackerWorld, of: string): number => calls.filter((call) => call.startsWith(of)).length;

suite('ticket watch', () => {
	test('reports events after the first read, and none from before', async () => {
		const world = new World();
		world.say(1, 'Long ago');
		const window = world.open();
		await window.pass(10 * secondMs);
		assert.deepEqual(window.told(), []);
		world.say(2, 'Now');
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['alpha#2 followed: Now']);
		window.close();
	});

	test('reports later events within the second of the first read', async () => {
		const world = new World();
		world.clock.advance(350);
		world.say(1, 'A minute before');
		world.clock.advance(minuteMs);
		const window = world.open();
		await window.looked();
		world.say(2, 'At once');
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['alpha#2 followed: At once']);
		window.close();
	});

	test('reports events from a time without windows once, and keeps their state', async () => {
		const world = new World();
		const first = world.open();
		await first.pass(10 * secondMs);
		first.close();
		world.say(2, 'In the night');
		world.say(3, 'Mine', { who: 'alice' });
		const second = world.open();
		await second.pass(minuteMs);
		assert.deepEqual(second.told(), ['alpha#2 followed: In the night']);
		second.inbox.setState(
			second.inbox.items().map(({ entry }) => entry.id),
			'done',
		);
		second.close();
		const third = world.open();
		await third.pass(minuteMs);
		assert.deepEqual(
			third.inbox.items().map(({ state }) => state),
			['done'],
		);
		third.close();
	});

	test('reports mentions in other trackers, and everything in watched ones', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(10 * secondMs);
		world.say(1, 'Between others', { name: '~bob/beta' });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), []);
		world.say(1, 'For ~alice', { name: '~bob/beta' });
		await window.pass(20 * minuteMs);
		window.inbox.choose(placeOf(other), 'everything');
		world.say(1, 'Once more', { name: '~bob/beta' });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['beta#1 mentioned: For ~alice', 'beta#1 followed: Once more']);
		window.close();
	});

	test('requests nothing of muted tickets, and nothing twice', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(10 * secondMs);
		window.inbox.choose(ticketPosition({ tracker, id: 2 }), 'nothing');
		world.say(2, 'Muted');
		world.say(3, 'Heard');
		await window.pass(40 * minuteMs);
		assert.deepEqual(window.told(), ['alpha#3 followed: Heard']);
		assert.equal(callsOf(world.fake.world, 'events'), 1);
		window.inbox.choose(ticketPosition({ tracker, id: 2 }), 'usual');
		await window.pass(40 * minuteMs);
		world.say(2, 'Heard again');
		await window.pass(40 * minuteMs);
		assert.deepEqual(window.told(), ['alpha#3 followed: Heard', 'alpha#2 followed: Heard again']);
		window.close();
	});

	test('reports an assignment that leaves the ticket time unchanged, even from a time without windows', async () => {
		const world = new World();
		world.change(1, { assignees: [makeUser('alice')] });
		const first = world.open();
		await first.pass(10 * secondMs);
		first.close();
		world.change(2, { assignees: [makeUser('alice')] });
		const second = world.open();
		await second.pass(2 * 60 * minuteMs);
		assert.deepEqual(second.told(), ['alpha#2 assigned: assigned']);
		second.close();
	});

	test('includes a watched tracker that no one follows', async () => {
		const world = new World();
		world.addStrange(120);
		const window = world.open();
		await window.pass(minuteMs);
		assert.equal(callsOf(world.fake.world, 'tickets ~carol/Gamma'), 0);
		window.inbox.choose('tracker ~carol/Gamma', 'everything');
		await window.pass(60 * minuteMs);
		assert.deepEqual(window.told(), []);
		world.say(120, 'On the newest', { name: '~carol/Gamma' });
		await window.pass(20 * minuteMs);
		world.say(3, 'On an old one', { name: '~carol/Gamma' });
		await window.pass(3 * 60 * minuteMs);
		assert.deepEqual(window.told(), ['Gamma#120 followed: On the newest', 'Gamma#3 followed: On an old one']);
		const before = callsOf(world.fake.world, 'tickets ~carol/Gamma');
		await window.pass(60 * minuteMs);
		const inOneHour = callsOf(world.fake.world, 'tickets ~carol/Gamma') - before;
		assert.ok(inOneHour > 0 && inOneHour <= 12, `${inOneHour} requests`);
		window.inbox.choose('tracker ~carol/Gamma', 'usual');
		const then = callsOf(world.fake.world, 'tickets ~carol/Gamma');
		await window.pass(60 * minuteMs);
		assert.equal(callsOf(world.fake.world, 'tickets ~carol/Gamma'), then);
		window.close();
	});

	test('includes single watched tickets of such a tracker, across two windows', async () => {
		const world = new World();
		world.addStrange(2);
		for (let count = 0; count < 120; count += 1) {
			world.say(1, 'Before', { name: '~carol/Gamma' });
		}
		const first = world.open();
		first.inbox.choose('ticket ~carol/Gamma#1', 'everything');
		await first.pass(minuteMs);
		assert.deepEqual(first.told(), []);
		world.say(1, 'After', { name: '~carol/Gamma' });
		world.say(2, 'Elsewhere', { name: '~carol/Gamma' });
		await first.pass(20 * minuteMs);
		assert.deepEqual(first.told(), ['Gamma#1 followed: After']);
		assert.deepEqual(
			first.readings.all().map(({ watched, readMs }) => [watchedName(watched), readMs !== undefined]),
			[
				['tracker ~alice/alpha', true],
				['tracker ~bob/beta', true],
				['ticket ~carol/Gamma#1', true],
			],
		);
		assert.equal(callsOf(world.fake.world, 'events'), 1);
		first.close();
		world.say(1, 'In the night', { name: '~carol/Gamma' });
		const second = world.open();
		await second.pass(minuteMs);
		assert.deepEqual(second.told(), ['Gamma#1 followed: After', 'Gamma#1 followed: In the night']);
		assert.equal(callsOf(world.fake.world, 'tickets ~carol/Gamma'), 0);
		second.close();
	});

	test('waits for the budget and then reports everything', async () => {
		const world = new World();
		const window = world.open({ perHour: 20 });
		await window.pass(10 * secondMs);
		for (let id = 1; id <= 3; id += 1) {
			world.say(id, `Number ${id}`);
		}
		await window.pass(3 * 60 * minuteMs);
		assert.equal(window.told().length, 3);
		window.close();
	});

	test('requests an inaccessible ticket again after a newer event or a day', async () => {
		const world = new World();
		const window = world.open();
		const asked = (): number => callsOf(world.fake.world, 'events ~alice/alpha#2');
		await window.pass(10 * secondMs);
		world.fake.world.before = (call) => {
			if (call.startsWith('events ~alice/alpha#2')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		world.say(2, 'Hidden');
		await window.pass(12 * 60 * minuteMs);
		assert.equal(asked(), 1);
		world.say(2, 'Newer');
		await window.pass(20 * minuteMs);
		assert.equal(asked(), 2);
		await window.pass(25 * 60 * minuteMs);
		assert.equal(asked(), 3);
		world.fake.world.before = () => undefined;
		world.say(2, 'There again');
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), [
			'alpha#2 followed: Hidden',
			'alpha#2 followed: Newer',
			'alpha#2 followed: There again',
		]);
		window.close();
	});

	test('retries after any other failure', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(10 * secondMs);
		world.fake.world.before = (call) => {
			if (call.startsWith('events')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		world.say(2, 'Now');
		await window.pass(20 * minuteMs);
		world.fake.world.before = () => undefined;
		await window.pass(60 * minuteMs);
		assert.deepEqual(window.told(), ['alpha#2 followed: Now']);
		window.close();
	});

	test('stays within the hourly budget for single watched tickets', async () => {
		const world = new World();
		world.addStrange(40);
		const window = world.open({ perHour: 20 });
		for (let id = 1; id <= 40; id += 1) {
			window.inbox.choose(`ticket ~carol/Gamma#${id}`, 'everything');
		}
		await window.pass(55 * minuteMs);
		assert.ok(callsOf(world.fake.world, '') <= 20, `${callsOf(world.fake.world, '')} requests`);
		assert.equal(window.readings.budget().spent, callsOf(world.fake.world, ''));
		await window.pass(5 * 60 * minuteMs);
		assert.ok(window.readings.all().every(({ readMs }) => readMs !== undefined));
		window.close();
	});

	test('reports all events within one server second, regardless of the time of the read', async () => {
		for (let laterMs = 100; laterMs < 1000; laterMs += 100) {
			const clock = fakeClock();
			const forge = watchedForge({ nowMs: () => Math.floor(clock.nowMs() / 1000) * 1000 });
			forge.trackers.world.trackers.push(makeTracker());
			forge.trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
			const window = watchingWindow({ forge, clock, perHour: 3000 });
			const pass = async (totalMs: number, stepMs: number): Promise<void> => {
				await passTime(clock, totalMs, { stepMs });
			};
			await pass(60_000, 1000);
			const take = (): void => {
				const hint = { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 1 } } as const;
				window.watch.take({ kind: 'user', area: 'todo' }, { again: [hint], push: undefined });
			};
			const first = forge.comment('~alice/alpha', 1);
			take();
			await pass(laterMs, 50);
			const second = forge.comment('~alice/alpha', 1);
			take();
			await pass(300_000, 500);
			assert.deepEqual(
				window.inbox
					.items()
					.map(({ entry }) => entry.id)
					.toSorted(),
				[first, second],
				`after ${laterMs} ms`,
			);
			window.dispose();
		}
	});
});
