import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../../support/counts.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { backgroundLoop } from '../../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../../src/store/background/requestBudget.ts';
import { type TicketIndex, ticketIndexer } from '../../../../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../../../../src/store/tickets/ticketStore.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { testInBoth } from '../../../../support/parts.ts';

const alpha = { owner: '~alice', name: 'alpha' };
const beta = { owner: '~bob', name: 'beta' };
const never = new AbortController().signal;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

interface Rig {
	readonly fake: FakeTrackers;
	readonly clock: FakeClock;
	readonly store: TicketStore;
	readonly index: TicketIndex;
	/** Ticket page requests with their time. */
	readonly sent: { readonly call: string; readonly atMs: number }[];
	readonly setThere: (isThere: boolean) => void;
	/** The user requests a refresh. */
	readonly hurry: () => void;
	/** Spends budget on behalf of other parts of the window. */
	readonly spend: (requests: number) => void;
	/** Advances the clock step by step. */
	readonly pass: (totalMs: number, stepMs?: number) => Promise<void>;
	readonly dispose: () => void;
}

/** An own tracker with `count` tickets, some of them resolved, and an empty followed tracker. */
function rig(count: number, perHour = 300, isResolved: (id: number) => boolean = () => false): Rig {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker(), makeTracker({ owner: makeUser('bob'), name: 'beta' }));
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: count }, (_, at) => count - at).map((id) =>
			makeTicket({ id, status: isResolved(id) ? 'resolved' : 'reported' }),
		),
	);
	const clock = fakeClock();
	const sent: { readonly call: string; readonly atMs: number }[] = [];
	fake.world.before = (call) => void sent.push({ call, atMs: clock.nowMs() });
	const budget = requestBudget(() => perHour, clock);
	const presence = new Emitter<void>();
	let isThere = true;
	const store = new TicketStore({
		api: fake.api,
		me: '~alice',
		followed: keptNames('~bob/beta'),
		clock,
		asks: () => budget.spend(),
	});
	const loop = backgroundLoop({ isThere: () => isThere, onDidChange: presence.event }, budget, clock);
	const index = ticketIndexer(store, clock, { budget, loop });
	return {
		fake,
		clock,
		store,
		index,
		sent,
		setThere(next) {
			isThere = next;
			presence.fire();
		},
		hurry: () => loop.hurry(),
		spend: (requests) => Array.from({ length: requests }).forEach(() => budget.spend()),
		async pass(totalMs, stepMs = secondMs) {
			for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
				clock.advance(stepMs);
				await new Promise((resolve) => setImmediate(resolve));
			}
		},
		dispose() {
			index.dispose();
			loop.dispose();
			store.dispose();
		},
	};
}

suite('background ticket index', function () {
	this.timeout(20_000);

	test('fills a tracker page by page and reports its progress', async () => {
		const { index, pass, store, dispose } = rig(480);
		assert.deepEqual(index.state(alpha), { kind: 'unread' });
		await pass(3 * secondMs);
		assert.equal(index.state(alpha).kind, 'partial');
		await pass(minuteMs);
		const state = index.state(alpha);
		assert.deepEqual([state.kind, index.tickets(alpha).length], ['whole', 480]);
		assert.equal(store.reads(alpha).known()?.completeness.kind, 'complete');
		dispose();
	});

	test('sends one request at a time', async () => {
		const { fake, pass, dispose } = rig(200);
		let underWay = 0;
		let most = 0;
		fake.world.before = async () => {
			underWay += 1;
			most = Math.max(most, underWay);
			await new Promise((resolve) => setImmediate(resolve));
			underWay -= 1;
		};
		await pass(20 * secondMs);
		assert.equal(most, 1);
		dispose();
	});

	testInBoth('respects the hourly budget under any load', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 5, max: 120 }),
				fc.array(fc.constantFrom('look', 'whole', 'new', 'away', 'back', 'wait'), { minLength: 3, maxLength: 12 }),
				async (perHour, deeds) => {
					const { fake, clock, store, index, sent, pass, setThere, dispose } = rig(800, perHour);
					let ofPeople = 0;
					for (const deed of deeds) {
						if (deed === 'look') {
							index.inUse(alpha);
						} else if (deed === 'whole') {
							const before = sent.length;
							await index.readWhole(beta, never);
							ofPeople += sent.length - before;
						} else if (deed === 'new') {
							const tickets = fake.world.tickets.get('~alice/alpha') ?? [];
							fake.world.tickets.set('~alice/alpha', [makeTicket({ id: (tickets[0]?.id ?? 0) + 1 }), ...tickets]);
						} else if (deed !== 'wait') {
							setThere(deed === 'back');
						}
						await pass(20 * minuteMs, 20 * secondMs);
					}
					for (const { atMs } of sent) {
						const inHour = sent.filter((each) => each.atMs >= atMs && each.atMs < atMs + hourMs).length;
						assert.ok(inHour <= perHour + ofPeople, `${inHour} of ${perHour}, ${ofPeople} asked by people`);
					}
					assert.ok(clock.nowMs() > 0 && store.knownTrackers().length > 0);
					dispose();
				},
			),
			inRounds({ first: 8, small: 25, full: 500 }),
		);
	});

	test('reports a pause after it spends the budget, and continues afterwards', async () => {
		const { clock, index, pass, dispose } = rig(1000, 10);
		await pass(2 * minuteMs);
		const { pause } = index;
		assert.equal(pause?.kind, 'budget');
		assert.ok(pause?.kind === 'budget' && pause.untilMs > clock.nowMs() && pause.untilMs <= clock.nowMs() + hourMs);
		const before = index.tickets(alpha).length;
		await pass(hourMs + minuteMs, 10 * secondMs);
		assert.ok(index.tickets(alpha).length > before);
		dispose();
	});

	test('reads nothing with a budget of zero, except on demand', async () => {
		const { index, sent, pass, dispose } = rig(120, 0);
		await pass(hourMs, minuteMs);
		assert.deepEqual(sent, []);
		await index.readWhole(alpha, never);
		assert.equal(index.state(alpha).kind, 'whole');
		dispose();
	});

	for (const perHour of [1, 2, 3, 5, 8]) {
		for (const isLookedAt of [false, true]) {
			const who = isLookedAt ? 'a visible tracker' : 'a hidden tracker';
			test(`reads everything once with ${perHour} requests an hour and ${who}, without repeats in between`, async () => {
				const { index, sent, pass, dispose } = rig(400, perHour);
				for (let passedMs = 0; passedMs < (24 * hourMs) / perHour; passedMs += 5 * minuteMs) {
					if (isLookedAt) {
						index.inUse(alpha);
					}
					await pass(5 * minuteMs, minuteMs);
				}
				assert.equal(index.state(alpha).kind, 'whole', sent.map(({ call }) => call).join(', '));
				dispose();
			});
		}
	}

	test('rereads pages with a small budget after the first full read', async () => {
		const { index, sent, pass, dispose } = rig(400, 5);
		await pass(5 * hourMs, minuteMs);
		assert.equal(index.state(alpha).kind, 'whole');
		sent.length = 0;
		await pass(5 * hourMs, minuteMs);
		assert.ok(sent.some(({ call }) => /alpha [1-9]/.test(call)));
		dispose();
	});

	test('reads a newly followed tracker before it rereads others with a small budget', async () => {
		const { fake, index, store, sent, pass, dispose } = rig(400, 5);
		await pass(5 * hourMs, minuteMs);
		const gamma = makeTracker({ owner: makeUser('bob'), name: 'gamma' });
		fake.world.trackers.push(gamma);
		fake.world.tickets.set('~bob/gamma', [makeTicket({ id: 1, tracker: gamma })]);
		await pass(3 * hourMs, minuteMs);
		sent.length = 0;
		await store.follow({ owner: '~bob', name: 'gamma' }, never);
		await pass(2 * hourMs, minuteMs);
		assert.equal(index.state({ owner: '~bob', name: 'gamma' }).kind, 'whole', sent.map(({ call }) => call).join(', '));
		dispose();
	});

	test('rereads other trackers with a small budget while one tracker fails', async () => {
		const { fake, index, sent, pass, dispose } = rig(100, 5);
		fake.world.tickets.set(
			'~bob/beta',
			Array.from({ length: 100 }, (_, at) => makeTicket({ id: 100 - at, tracker: makeTracker({ name: 'beta' }) })),
		);
		fake.world.before = (call) => {
			sent.push({ call, atMs: 0 });
			if (/beta [1-9]/.test(call)) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await pass(5 * hourMs, minuteMs);
		assert.deepEqual([index.state(alpha).kind, index.state(beta).kind], ['whole', 'partial']);
		sent.length = 0;
		await pass(10 * hourMs, minuteMs);
		assert.ok(sent.some(({ call }) => /alpha [1-9]/.test(call)));
		dispose();
	});

	test('reads tickets with one request an hour while the tracker list fails', async () => {
		const { fake, index, store, sent, pass, dispose } = rig(30, 1);
		await store.ownTrackers(never);
		fake.world.before = (call) => {
			sent.push({ call, atMs: 0 });
			if (call.startsWith('trackers')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await pass(6 * hourMs, minuteMs);
		assert.equal(index.state(alpha).kind, 'whole', sent.map(({ call }) => call).join(', '));
		dispose();
	});

	test('polls the newest page of a visible tracker, less often without new tickets', async () => {
		const { fake, index, sent, pass, dispose } = rig(30);
		await pass(5 * secondMs);
		index.inUse(alpha);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 31 }), ...(fake.world.tickets.get('~alice/alpha') ?? [])]);
		await pass(70 * secondMs);
		assert.equal(index.tickets(alpha)[0]?.ticket.id, 31);
		sent.length = 0;
		await pass(8 * minuteMs);
		const early = sent.filter(({ call }) => call === 'tickets ~alice/alpha 0').length;
		assert.ok(early >= 2 && early <= 7, `${early} times`);
		dispose();
	});

	test('finds new tickets immediately on a refresh, even right after a read', async () => {
		const { fake, index, sent, hurry, pass, dispose } = rig(20);
		await pass(20 * secondMs);
		await index.readWhole(alpha, never);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 21 }), ...(fake.world.tickets.get('~alice/alpha') ?? [])]);
		sent.length = 0;
		await pass(2 * secondMs);
		assert.deepEqual(sent, []);
		hurry();
		await pass(2 * secondMs);
		assert.equal(index.tickets(alpha)[0]?.ticket.id, 21);
		dispose();
	});

	test('refreshes once immediately when most of the budget is spent', async () => {
		const { fake, index, sent, spend, hurry, pass, dispose } = rig(20);
		await pass(20 * secondMs);
		spend(240);
		await pass(2 * minuteMs);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 21 }), ...(fake.world.tickets.get('~alice/alpha') ?? [])]);
		sent.length = 0;
		await pass(2 * minuteMs);
		assert.deepEqual(sent, []);
		hurry();
		await pass(2 * secondMs);
		assert.equal(index.tickets(alpha)[0]?.ticket.id, 21);
		sent.length = 0;
		await pass(5 * minuteMs);
		assert.deepEqual(sent, []);
		dispose();
	});

	test('rereads pages with open tickets first, and finds their changes', async () => {
		// The oldest hundred are open, all others are closed.
		const { fake, index, sent, pass, dispose } = rig(400, 300, (id) => id > 100);
		await pass(30 * secondMs);
		assert.equal(index.state(alpha).kind, 'whole');
		sent.length = 0;
		fake.world.tickets.set(
			'~alice/alpha',
			(fake.world.tickets.get('~alice/alpha') ?? []).map((ticket) =>
				ticket.id === 77 ? { ...ticket, title: 'Changed elsewhere', updatedMs: ticket.updatedMs + 1 } : ticket,
			),
		);
		await pass(12 * minuteMs, 5 * secondMs);
		const pages = sent.map(({ call }) => call).filter((call) => /alpha [1-9]/.test(call));
		assert.deepEqual(new Set(pages), new Set(['tickets ~alice/alpha 300', 'tickets ~alice/alpha 350']));
		assert.equal(index.tickets(alpha).find(({ ticket }) => ticket.id === 77)?.ticket.title, 'Changed elsewhere');
		dispose();
	});

	test('reports the age of the least recently read open ticket', async () => {
		const { clock, index, pass, dispose } = rig(60);
		await pass(10 * secondMs);
		const first = index.state(alpha);
		assert.ok(first.kind === 'whole' && clock.nowMs() - first.checkedAtMs <= 10 * secondMs);
		await pass(9 * minuteMs, 5 * secondMs);
		const later = index.state(alpha);
		assert.ok(later.kind === 'whole' && clock.nowMs() - later.checkedAtMs >= 8 * minuteMs);
		await pass(4 * minuteMs, 5 * secondMs);
		const after = index.state(alpha);
		assert.ok(after.kind === 'whole' && clock.nowMs() - after.checkedAtMs <= 5 * minuteMs);
		dispose();
	});

	test('drops a ticket missing from its page', async () => {
		const { fake, index, pass, dispose } = rig(120);
		await pass(20 * secondMs);
		fake.world.tickets.set(
			'~alice/alpha',
			(fake.world.tickets.get('~alice/alpha') ?? []).filter(({ id }) => id !== 33),
		);
		await pass(15 * minuteMs, 5 * secondMs);
		assert.deepEqual(
			[index.tickets(alpha).length, index.tickets(alpha).some(({ ticket }) => ticket.id === 33)],
			[119, false],
		);
		dispose();
	});

	test('pauses while offline, retries less and less often, and recovers', async () => {
		const { fake, index, sent, pass, dispose } = rig(120);
		const failing = (call: string): void => {
			sent.push({ call, atMs: 0 });
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		};
		fake.world.before = failing;
		await pass(10 * minuteMs, 5 * secondMs);
		assert.deepEqual(index.pause, { kind: 'offline' });
		assert.ok(sent.length >= 3 && sent.length <= 8, `${sent.length} requests`);
		fake.world.before = () => undefined;
		await pass(11 * minuteMs, 5 * secondMs);
		assert.deepEqual([index.pause, index.state(alpha).kind], [undefined, 'whole']);
		dispose();
	});

	test('ends the pause when another reader succeeds', async () => {
		const { fake, index, store, pass, dispose } = rig(120);
		fake.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		};
		await pass(5 * minuteMs, 5 * secondMs);
		fake.world.before = () => undefined;
		await store.tickets(alpha, never);
		await pass(10 * secondMs);
		assert.deepEqual([index.pause, index.state(alpha).kind], [undefined, 'whole']);
		dispose();
	});

	test('respects the pause requested by the forge', async () => {
		const { fake, clock, sent, pass, dispose } = rig(500);
		const untilMs = clock.nowMs() + 20 * minuteMs;
		fake.world.before = (call) => {
			sent.push({ call, atMs: clock.nowMs() });
			if (call.startsWith('tickets') && clock.nowMs() < untilMs) {
				throw new ForgeError({ kind: 'rateLimited', untilMs });
			}
		};
		await pass(30 * minuteMs, 5 * secondMs);
		const tickets = sent.filter(({ call }) => call.startsWith('tickets'));
		assert.equal(tickets.filter(({ atMs }) => atMs < untilMs).length, 1);
		assert.ok(tickets.length > 5);
		dispose();
	});

	test('reads other trackers while one fails', async () => {
		const { fake, index, pass, dispose } = rig(60);
		fake.world.before = (call) => {
			if (call.includes('~bob/beta')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		await pass(20 * secondMs);
		assert.deepEqual([index.state(alpha).kind, index.state(beta).kind, index.pause], ['whole', 'unread', undefined]);
		dispose();
	});

	test('stops while the user is away, and resumes quickly', async () => {
		const { sent, index, pass, setThere, dispose } = rig(60);
		await pass(20 * secondMs);
		index.inUse(alpha);
		setThere(false);
		await pass(6 * minuteMs, 5 * secondMs);
		sent.length = 0;
		await pass(3 * hourMs, 30 * secondMs);
		assert.deepEqual(sent, []);
		setThere(true);
		await pass(5 * secondMs);
		assert.ok(sent.some(({ call }) => call === 'tickets ~alice/alpha 0'));
		dispose();
	});

	test('rarely repeats requests to a server that always sends everything', async () => {
		const { fake, index, sent, pass, dispose } = rig(900);
		fake.world.bare = true;
		await pass(10 * secondMs);
		assert.deepEqual([index.state(alpha).kind, index.tickets(alpha).length], ['unstated', 900]);
		sent.length = 0;
		await pass(hourMs, 10 * secondMs);
		const asked = sent.filter(({ call }) => call.startsWith('tickets ~alice/alpha')).length;
		assert.ok(asked <= 12, `${asked} times in an hour`);
		dispose();
	});

	test('does not count index lookups as views of a tracker', async () => {
		const { index, sent, pass, dispose } = rig(30);
		await pass(5 * secondMs);
		sent.length = 0;
		for (let minute = 0; minute < 40; minute += 1) {
			index.tickets(alpha);
			index.state(alpha);
			await pass(minuteMs, 10 * secondMs);
		}
		const news = sent.filter(({ call }) => call === 'tickets ~alice/alpha 0').length;
		// The interval grows without news, so this stays well below one request a minute.
		assert.ok(news <= 7, `${news} times`);
		dispose();
	});

	test('counts an open ticket as a view of its tracker', async () => {
		const { fake, index, store, pass, dispose } = rig(30);
		await pass(2 * minuteMs, secondMs);
		await store.events({ tracker: alpha, id: 3 }, never);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 31 }), ...(fake.world.tickets.get('~alice/alpha') ?? [])]);
		await pass(70 * secondMs);
		assert.equal(index.tickets(alpha)[0]?.ticket.id, 31);
		dispose();
	});

	test('continues after the clock moves back a day', async () => {
		const { fake, clock, index, store, pass, setThere, dispose } = rig(120);
		await pass(10 * minuteMs, 10 * secondMs);
		clock.advance(-24 * hourMs);
		// Real timers continue; here the window focus sets new ones.
		setThere(true);
		fake.world.tickets.set(
			'~alice/alpha',
			(fake.world.tickets.get('~alice/alpha') ?? []).map((ticket) => ({ ...ticket, title: 'After', updatedMs: 2e12 })),
		);
		fake.world.tickets.get('~alice/alpha')?.unshift(makeTicket({ id: 121 }));
		await pass(35 * minuteMs, 10 * secondMs);
		assert.deepEqual(
			[index.tickets(alpha).length, store.knownTicket({ tracker: alpha, id: 7 })?.title],
			[121, 'After'],
		);
		const state = index.state(alpha);
		assert.ok(state.kind === 'whole' && state.checkedAtMs <= clock.nowMs());
		dispose();
	});
	test('counts every page of own trackers against the budget', async () => {
		const { fake, sent, pass, dispose } = rig(0, 4);
		fake.world.pageSize = 1;
		for (let at = 0; at < 7; at += 1) {
			fake.world.trackers.push(makeTracker({ name: `more-${at}` }));
		}
		await pass(hourMs - 10 * secondMs, 10 * secondMs);
		// A started read continues to its end, and nothing else is requested in this hour.
		assert.deepEqual(new Set(sent.map(({ call }) => call.split(' ')[0])), new Set(['trackers']));
		dispose();
	});

	test('rereads own trackers an hour after a view read them', async () => {
		const { fake, store, pass, dispose } = rig(3);
		let requests = 0;
		const { promise, resolve } = Promise.withResolvers<void>();
		const { api } = fake;
		const answered = { ...api };
		Object.assign(api, {
			async *trackers(owner: string | undefined, signal: AbortSignal) {
				requests += 1;
				await promise;
				yield* answered.trackers(owner, signal);
			},
		});
		const shown = store.ownTrackers(never);
		await pass(5 * secondMs);
		resolve();
		assert.deepEqual(
			(await shown).items.map(({ name }) => name),
			['alpha'],
		);
		await pass(50 * minuteMs, 10 * secondMs);
		assert.equal(requests, 1);
		await pass(20 * minuteMs, 10 * secondMs);
		assert.equal(requests, 2);
		dispose();
	});

	test('reports changes in one batch', async () => {
		const { index, clock, store, dispose } = rig(3);
		let told = 0;
		index.onDidChange(() => (told += 1));
		for (let id = 1; id <= 3; id += 1) {
			store.apply({ kind: 'ticketChanged', ticket: makeTicket({ id }) });
		}
		clock.advance(100);
		assert.equal(told, 1);
		dispose();
	});
});
