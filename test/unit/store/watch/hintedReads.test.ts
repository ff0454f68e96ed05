import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { DeliveryHint } from 'sourcehut/port/deliveryHint.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Presence } from '../../../../src/store/background/backgroundLoop.ts';
import type { Inbox } from '../../../../src/store/inbox/inbox.ts';
import type { ListStore } from '../../../../src/store/lists/listStore.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import type { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import type { WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { heldLease } from '../../../support/heldLease.ts';
import { makePushSaid } from '../support/makePushSaid.ts';
import { makeRepository } from '../../../support/fakeRepositories.ts';
import { makeList, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeEvent, makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const alpha = { owner: '~alice', name: 'alpha' };
const devel = { owner: '~alice', name: 'devel' };
const quill = { owner: '~bob', name: 'quill' };
const elsewhere = { owner: '~eve', name: 'elsewhere' };
const signal = new AbortController().signal;
const alwaysThere: Presence = { isThere: () => true, onDidChange: new Emitter<void>().event };

/** A forge with a tracker, a list and a repository watched by one window. */
class World {
	readonly clock = fakeClock();
	readonly forge = watchedForge(this.clock);
	readonly trackers = this.forge.trackers;
	readonly lists = this.forge.lists;
	readonly repositories = this.forge.repositories;
	/** Expected entry ids. */
	readonly happened: string[] = [];
	/** The target of `main`. */
	tip = 'a'.repeat(40);

	constructor() {
		this.trackers.world.trackers.push(makeTracker());
		this.trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 2 }), makeTicket({ id: 1 })]);
		this.lists.world.lists.push(makeList());
		this.lists.world.subscriptions.push(makeSubscription(makeList()));
		this.repositories.world.references.set('~bob/quill', [{ name: 'refs/heads/main', target: this.tip }]);
	}

	comment(id: number): DeliveryHint {
		this.happened.push(this.forge.comment('~alice/alpha', id));
		return { kind: 'ticket', ref: { tracker: alpha, id } };
	}

	mail(): DeliveryHint {
		const id = this.forge.mail('~alice/devel');
		this.happened.push(`mail ~alice/devel ${id}`);
		return { kind: 'mail', id, list: devel };
	}

	push(): DeliveryHint {
		this.tip = this.forge.push('~bob/quill', 'refs/heads/main');
		return { kind: 'references', repository: quill };
	}

	happens(what: 'comment' | 'mail' | 'push', of: number): DeliveryHint {
		switch (what) {
			case 'comment':
				return this.comment(1 + of);
			case 'mail':
				return this.mail();
			case 'push':
				return this.push();
		}
	}

	/** Asserts that the final state equals that of a full read. */
	assertKnown({ tickets, lists, inbox }: Pick<Window, 'tickets' | 'lists' | 'inbox'>): void {
		assert.deepEqual(tickets.reads(alpha).known()?.items, this.trackers.world.tickets.get('~alice/alpha'));
		assert.deepEqual(
			lists
				.posts(devel)
				.known()
				?.items.map(({ id }) => id),
			(this.lists.world.posts.get('~alice/devel') ?? []).map(({ id }) => id),
		);
		const [reference] = this.repositories.world.references.get('~bob/quill') ?? [];
		assert.ok(inbox.position('repository ~bob/quill')?.detail.includes(reference?.target ?? 'none'));
	}

	calls(): readonly string[] {
		return this.forge.calls();
	}

	open({ isHeld = true, perHour = 600, presence = alwaysThere } = {}): Window {
		return new Window(this, { isHeld, perHour, presence });
	}
}

class Window {
	readonly inbox: Inbox;
	readonly tickets: TicketStore;
	readonly lists: ListStore;
	readonly repositories: RepositoryStore;
	readonly watch: WatchingWindow['watch'];
	readonly #readings: WatchReadings;
	readonly #owned = new Disposables();
	readonly #world: World;

	constructor(
		world: World,
		{ isHeld, perHour, presence }: { readonly isHeld: boolean; readonly perHour: number; readonly presence: Presence },
	) {
		this.#world = world;
		const window = this.#owned.add(
			watchingWindow({
				forge: world.forge,
				clock: world.clock,
				followed: { repositories: ['~bob/quill'] },
				perHour,
				lease: { ...heldLease, isOwner: () => isHeld },
				presence,
			}),
		);
		this.inbox = window.inbox;
		this.tickets = window.tickets;
		this.lists = window.lists;
		this.repositories = window.repositories;
		this.watch = window.watch;
		this.#readings = window.readings;
	}

	/** Handles a hint as if a delivery contained it. */
	take(hint: DeliveryHint): void {
		this.watch.take({ kind: 'user', area: 'todo' }, { again: [hint], push: undefined });
	}

	/** Budget used in the last hour. */
	spent(): number {
		return this.#readings.budget().spent;
	}

	ids(): readonly string[] {
		return this.inbox
			.items()
			.map(({ entry }) => entry.id)
			.toSorted();
	}

	async pass(totalMs: number, stepMs = 5 * secondMs): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
			this.#world.clock.advance(stepMs);
			for (let turn = 0; turn < 8; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}

	/** Requests caused by `what`. */
	async callsBy(what: () => void, passMs: number): Promise<readonly string[]> {
		const before = new Map<string, number>();
		this.#world.calls().forEach((call) => before.set(call, (before.get(call) ?? 0) + 1));
		what();
		await this.pass(passMs);
		return this.#world.calls().filter((call) => {
			const count = before.get(call) ?? 0;
			before.set(call, count - 1);
			return count <= 0;
		});
	}

	close(): void {
		this.#owned.dispose();
	}
}

async function opened(world = new World()): Promise<{ readonly world: World; readonly window: Window }> {
	const window = world.open();
	await window.pass(10 * minuteMs);
	return { world, window };
}

suite('delivery hint', () => {
	test('reloads its thing immediately, with the same inbox entry as polling', async () => {
		const { world, window } = await opened();
		const hints = [world.comment(1), world.mail(), world.push()];
		const before = world.calls().length;
		hints.forEach((hint) => window.take(hint));
		await window.pass(15 * secondMs, secondMs);
		const told = window.ids().filter((id) => !id.includes('quill'));
		assert.deepEqual(told, world.happened.toSorted());
		assert.equal(window.ids().length, 3);
		// Ticket and timeline, posts, replies before and after them, patchsets, message and references.
		assert.ok(world.calls().length - before <= 8, String(world.calls().slice(before)));
		window.close();
	});

	test('reloads its thing immediately after polling exhausts the hourly budget', async () => {
		const world = new World();
		const window = world.open({ perHour: 20 });
		await window.pass(30 * minuteMs);
		assert.ok(window.spent() >= 18, String(window.spent()));
		window.take(world.comment(1));
		await window.pass(15 * secondMs, secondMs);
		assert.deepEqual(window.ids(), world.happened);
		window.close();
	});

	test('reloads its thing even while the user is away and polling pauses', async () => {
		const world = new World();
		const focused = new Emitter<void>();
		let isThere = true;
		const window = world.open({ presence: { isThere: () => isThere, onDidChange: focused.event } });
		await window.pass(10 * minuteMs);
		isThere = false;
		focused.fire();
		await window.pass(20 * minuteMs);
		assert.deepEqual(await window.callsBy(() => undefined, 60 * minuteMs), []);
		const hints = [world.comment(1), world.mail(), world.push()];
		const news: DeliveryHint = { kind: 'tickets', tracker: alpha };
		const calls = await window.callsBy(() => [...hints, news].forEach((hint) => window.take(hint)), 60 * minuteMs);
		assert.equal(window.ids().length, 3, String(window.ids()));
		assert.deepEqual(
			window.ids().filter((id) => !id.includes('quill')),
			world.happened.toSorted(),
		);
		assert.ok(calls.length <= 9, String(calls));
		window.close();
	});

	test('reports an event of a ticket with an unchanged time', async () => {
		const { world, window } = await opened();
		const { events } = world.trackers.world;
		const label = makeEvent({ id: 900, createdMs: world.clock.nowMs(), kinds: ['label_added'], labels: ['urgent'] });
		events.set('~alice/alpha#1', [label, ...(events.get('~alice/alpha#1') ?? [])]);
		const hint: DeliveryHint = { kind: 'ticket', ref: { tracker: alpha, id: 1 } };
		const calls = await window.callsBy(() => window.take(hint), 15 * secondMs);
		assert.deepEqual(window.ids(), ['~alice/alpha#1 event 900']);
		assert.equal(calls.length, 2);
		window.take(hint);
		await window.pass(2 * minuteMs);
		assert.deepEqual(window.ids(), ['~alice/alpha#1 event 900']);
		window.close();
	});

	test('requests only the ticket while the forge denies access, and all of it afterwards', async () => {
		const { world, window } = await opened();
		world.trackers.world.before = (call) => {
			if (call.includes('#1')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const hint = world.comment(1);
		const isOfOne = (call: string): boolean => call.includes('#1');
		const calls = await window.callsBy(() => window.take(hint), 15 * secondMs);
		assert.deepEqual(calls.filter(isOfOne), ['ticket ~alice/alpha#1']);
		// The newest page also contains the ticket.
		await window.pass(30 * minuteMs);
		const again = await window.callsBy(() => window.take(hint), 60 * minuteMs);
		assert.deepEqual(again.filter(isOfOne), ['ticket ~alice/alpha#1']);
		world.trackers.world.before = () => undefined;
		await window.callsBy(() => window.take(hint), 15 * secondMs);
		assert.deepEqual(window.ids(), world.happened);
		window.close();
	});

	test('reads no timeline of a ticket in a muted tracker', async () => {
		const { window } = await opened();
		window.inbox.choose('tracker ~alice/alpha', 'nothing');
		const hint: DeliveryHint = { kind: 'ticket', ref: { tracker: alpha, id: 1 } };
		const calls = await window.callsBy(() => window.take(hint), 15 * secondMs);
		assert.deepEqual(
			calls.filter((call) => call.startsWith('events')),
			[],
		);
		window.close();
	});

	test('treats a watched tracker like a followed one', async () => {
		const world = new World();
		const tracker = makeTracker({ owner: makeUser('eve'), name: 'elsewhere' });
		const { tickets, events, trackers } = world.trackers.world;
		trackers.push(tracker);
		const createdMs = world.clock.nowMs() - minuteMs;
		const ticket = (id: number): Ticket => makeTicket({ id, tracker, createdMs, updatedMs: createdMs });
		tickets.set('~eve/elsewhere', [ticket(2), ticket(1)]);
		const window = world.open();
		window.inbox.choose('tracker ~eve/elsewhere', 'everything');
		// Its newest page is due because the tracker is watched.
		window.take({ kind: 'tickets', tracker: elsewhere });
		await window.pass(minuteMs);
		assert.equal(world.calls().filter((call) => call === 'tickets ~eve/elsewhere 0').length, 1);
		await window.pass(30 * minuteMs);
		const like = await window.callsBy(() => window.take({ kind: 'tracker', ref: elsewhere }), 15 * secondMs);
		assert.ok(like.includes('tracker ~eve/elsewhere'));
		const created = (id: number): void => {
			const nowMs = world.clock.nowMs();
			const others = tickets.get('~eve/elsewhere') ?? [];
			tickets.set('~eve/elsewhere', [{ ...ticket(id), createdMs: nowMs, updatedMs: nowMs }, ...others]);
		};
		created(3);
		window.take({ kind: 'ticket', ref: { tracker: elsewhere, id: 3 } });
		await window.pass(15 * secondMs);
		assert.deepEqual(window.ids(), ['~eve/elsewhere#3 created']);
		created(4);
		const page = await window.callsBy(() => window.take({ kind: 'tickets', tracker: elsewhere }), 15 * secondMs);
		assert.deepEqual(window.ids(), ['~eve/elsewhere#3 created', '~eve/elsewhere#4 created']);
		assert.ok(page.includes('tickets ~eve/elsewhere 0'));
		events.set('~eve/elsewhere#1', [makeEvent({ id: 900, createdMs: world.clock.nowMs(), kinds: ['label_added'] })]);
		window.take({ kind: 'ticket', ref: { tracker: elsewhere, id: 1 } });
		await window.pass(15 * secondMs);
		assert.ok(window.ids().includes('~eve/elsewhere#1 event 900'), String(window.ids()));
		window.close();
	});

	test('reads a single watched ticket, but no others of its tracker', async () => {
		const world = new World();
		const tracker = makeTracker({ owner: makeUser('eve'), name: 'elsewhere' });
		const createdMs = world.clock.nowMs() - minuteMs;
		const ticket = (id: number): Ticket => makeTicket({ id, tracker, createdMs, updatedMs: createdMs });
		world.trackers.world.tickets.set('~eve/elsewhere', [ticket(2), ticket(1)]);
		const before = world.forge.comment('~eve/elsewhere', 1);
		let failures = 1;
		world.trackers.world.before = (call) => {
			if (call === 'ticket ~eve/elsewhere#1' && failures > 0) {
				failures -= 1;
				throw new Error('No');
			}
		};
		const window = world.open();
		window.inbox.choose('ticket ~eve/elsewhere#1', 'everything');
		const hintOf = (id: number): DeliveryHint => ({ kind: 'ticket', ref: { tracker: elsewhere, id } });
		await window.pass(10 * secondMs);
		assert.equal(failures, 0);
		// The first read of the ticket creates no entry.
		window.take(hintOf(1));
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.ids(), [], before);
		const told = world.forge.comment('~eve/elsewhere', 1);
		world.forge.comment('~eve/elsewhere', 2);
		window.take(hintOf(1));
		const calls = await window.callsBy(() => window.take(hintOf(2)), 15 * secondMs);
		assert.deepEqual(window.ids(), [told]);
		assert.deepEqual(
			calls.filter((call) => call.includes('#2')),
			[],
		);
		window.close();
	});

	test('reloads a visible ticket, but not its hidden timeline', async () => {
		const world = new World();
		const tracker = makeTracker({ owner: makeUser('eve'), name: 'elsewhere' });
		world.trackers.world.tickets.set('~eve/elsewhere', [makeTicket({ id: 1, tracker })]);
		const { window } = await opened(world);
		await window.tickets.tickets(elsewhere, signal);
		const hint: DeliveryHint = { kind: 'ticket', ref: { tracker: elsewhere, id: 1 } };
		const calls = await window.callsBy(() => window.take(hint), 30 * secondMs);
		assert.deepEqual(
			calls.filter((call) => call.includes('elsewhere')),
			['ticket ~eve/elsewhere#1'],
		);
		window.close();
	});

	test('of a push includes the pusher, for its own repository only', async () => {
		const world = new World();
		world.push();
		const { window } = await opened(world);
		const before = world.tip;
		const hint = world.push();
		const push = makePushSaid('1', '~carol', { 'refs/heads/main': [before, world.tip] });
		window.watch.take({ kind: 'repository', ref: quill }, { again: [hint], push });
		await window.pass(15 * secondMs, secondMs);
		assert.deepEqual(
			window.inbox.items().map(({ entry }) => entry.by),
			['~carol'],
		);
		window.close();
	});

	test('of each kind reloads a followed or cached thing', async () => {
		const world = new World();
		const patchset = makePatchset({ id: 5 });
		world.lists.world.patchsets.set('~alice/devel', [patchset]);
		const { window } = await opened(world);
		await window.tickets.trackers.labels(alpha, signal);
		await window.lists.list(devel, signal);
		await window.lists.subscriptions.first(signal);
		await window.repositories.metadata.get(quill, signal).catch(() => undefined);
		await window.repositories.own.first(signal);
		const cases: readonly (readonly [DeliveryHint, readonly string[]])[] = [
			[{ kind: 'ticket', ref: { tracker: alpha, id: 1 } }, ['ticket ~alice/alpha#1']],
			[{ kind: 'tickets', tracker: alpha }, ['tickets ~alice/alpha 0']],
			[{ kind: 'tracker', ref: alpha }, ['tracker ~alice/alpha']],
			[{ kind: 'labels', tracker: alpha }, ['labels ~alice/alpha 0']],
			[{ kind: 'ownTrackers' }, ['trackers 0']],
			[{ kind: 'list', ref: devel }, ['list ~alice/devel']],
			[{ kind: 'mails', list: devel }, ['patchsets ~alice/devel 0', 'posts ~alice/devel 0']],
			[
				{ kind: 'patchset', ref: { list: devel, id: 5 } },
				['patchset ~alice/devel 5', 'patchsets ~alice/devel 0', 'posts ~alice/devel 0'],
			],
			[{ kind: 'ownLists' }, ['lists 0']],
			[{ kind: 'subscriptions' }, ['subscriptions 0']],
			[{ kind: 'ownMails' }, ['emails (own) 0']],
			[{ kind: 'mail', id: 9, list: undefined }, ['emails (own) 0']],
			[{ kind: 'ownRepositories' }, ['repositories 0']],
			[{ kind: 'repository', ref: quill }, ['repository ~bob/quill']],
			[{ kind: 'references', repository: quill }, ['references ~bob/quill 0']],
		];
		for (const [hint, wanted] of cases) {
			const calls = await window.callsBy(() => window.take(hint), 15 * secondMs);
			const missing = wanted.filter((call) => !calls.includes(call));
			assert.deepEqual([hint.kind, missing], [hint.kind, []]);
			await window.pass(3 * minuteMs);
		}
		window.close();
	});

	test('of a missing list reloads own lists and subscriptions too', async () => {
		const { world, window } = await opened();
		await window.lists.list(devel, signal);
		await window.lists.subscriptions.first(signal);
		world.lists.world.before = (call) => {
			if (call === 'list ~alice/devel') {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const calls = await window.callsBy(() => window.take({ kind: 'list', ref: devel }), minuteMs);
		const wanted = ['list ~alice/devel', 'lists 0', 'subscriptions 0'];
		assert.deepEqual(
			wanted.filter((call) => calls.includes(call)),
			wanted,
		);
		window.close();
	});

	test('has no effect for unknown things, or in a window that doesn’t watch', async () => {
		const { world, window } = await opened();
		const other = world.open({ isHeld: false });
		const hints: readonly DeliveryHint[] = [
			{ kind: 'ticket', ref: { tracker: elsewhere, id: 1 } },
			{ kind: 'tickets', tracker: elsewhere },
			{ kind: 'tracker', ref: elsewhere },
			{ kind: 'labels', tracker: elsewhere },
			{ kind: 'list', ref: elsewhere },
			{ kind: 'mails', list: elsewhere },
			{ kind: 'patchset', ref: { list: elsewhere, id: 1 } },
			{ kind: 'repository', ref: elsewhere },
			{ kind: 'references', repository: elsewhere },
		];
		const calls = await window.callsBy(() => hints.forEach((hint) => window.take(hint)), minuteMs);
		assert.deepEqual(
			calls.filter((call) => call.includes('elsewhere')),
			[],
		);
		const before = world.calls().length;
		other.take({ kind: 'ticket', ref: { tracker: alpha, id: 1 } });
		other.take({ kind: 'references', repository: quill });
		assert.equal(world.calls().length, before);
		window.close();
		other.close();
	});

	test('costs no more than the fastest polling, however often it repeats', async () => {
		const { world, window } = await opened();
		window.inbox.choose('tracker ~eve/elsewhere', 'everything');
		const hints: readonly DeliveryHint[] = [
			{ kind: 'ticket', ref: { tracker: alpha, id: 1 } },
			{ kind: 'tickets', tracker: elsewhere },
			{ kind: 'mails', list: devel },
			{ kind: 'references', repository: quill },
		];
		const startMs = world.clock.nowMs() - 10 * minuteMs;
		for (let round = 0; round < 720; round += 1) {
			hints.forEach((hint) => Array.from({ length: 20 }, () => window.take(hint)));
			await window.pass(5 * secondMs);
		}
		const minutes = (world.clock.nowMs() - startMs) / minuteMs;
		const count = (call: string): number => world.calls().filter((each) => each === call).length;
		const [ticket, page, posts, references] = [
			count('ticket ~alice/alpha#1'),
			count('tickets ~eve/elsewhere 0'),
			count('posts ~alice/devel 0'),
			count('references ~bob/quill 0'),
		];
		assert.ok(ticket <= minutes + 1 && ticket >= minutes - 6, String(ticket));
		// Regular polls are included.
		for (const read of [page, posts, references]) {
			assert.ok(read <= minutes / 1.6 + 4 && read >= minutes / 1.6 - 3, String(read));
		}
		window.close();
	});

	test('costs one request per page of lists, subscriptions and repositories', async () => {
		const world = new World();
		for (const [at, name] of ['one', 'two', 'three'].entries()) {
			const list = makeList({ id: at + 10, name });
			world.lists.world.lists.push(list);
			world.lists.world.subscriptions.push(makeSubscription(list, at + 10));
			world.repositories.world.repositories.push(makeRepository(name));
		}
		world.lists.world.pageSize = 2;
		world.repositories.world.pageSize = 2;
		const { window } = await opened(world);
		await window.repositories.own.first(signal);
		const before = window.spent();
		const hints: readonly DeliveryHint[] = [
			{ kind: 'ownLists' },
			{ kind: 'subscriptions' },
			{ kind: 'ownRepositories' },
		];
		const calls = await window.callsBy(() => hints.forEach((hint) => window.take(hint)), minuteMs);
		const pages = ['lists', 'subscriptions', 'repositories'].flatMap((of) => [`${of} 0`, `${of} 2`]);
		assert.deepEqual(
			pages.filter((page) => !calls.includes(page)),
			[],
		);
		assert.equal(window.spent() - before, calls.length);
		window.close();
	});

	test('reads the newest page instead of very many tickets', async () => {
		const { window } = await opened();
		const ids = Array.from({ length: 5000 }, (_, at) => at + 1);
		const calls = await window.callsBy(
			() => ids.forEach((id) => window.take({ kind: 'ticket', ref: { tracker: alpha, id } })),
			3 * minuteMs,
		);
		assert.equal(calls.filter((call) => call.startsWith('ticket ')).length, 20);
		assert.ok(calls.includes('tickets ~alice/alpha 0'));
		window.close();
	});

	test('reads once more when repeated during a read', async () => {
		const { world, window } = await opened();
		const answers: (() => void)[] = [];
		world.repositories.world.before = (call) =>
			call.startsWith('references') ? new Promise((resolve) => void answers.push(resolve)) : undefined;
		window.take(world.push());
		await window.pass(20 * secondMs);
		assert.equal(answers.length, 1);
		const hint = world.push();
		// The response shows the earlier state.
		world.repositories.world.references.set('~bob/quill', [{ name: 'refs/heads/main', target: '1'.padStart(40, '0') }]);
		window.take(hint);
		window.take(hint);
		answers[0]?.();
		await window.pass(20 * secondMs);
		assert.equal(answers.length, 2);
		answers[1]?.();
		await window.pass(20 * secondMs);
		assert.equal(answers.length, 2);
		window.close();
	});

	test('leaves the thing to polling after several failures', async () => {
		const { world, window } = await opened();
		let asked = 0;
		world.lists.world.before = (call) => {
			if (call === 'list ~alice/devel') {
				asked += 1;
				throw new Error('No');
			}
		};
		window.take({ kind: 'list', ref: devel });
		await window.pass(60 * minuteMs);
		assert.equal(asked, 3);
		window.close();
	});

	test('has the same result in any order, repeated, late or lost', async () => {
		const steps = fc.array(
			fc.record({
				does: fc.constantFrom('comment', 'mail', 'push', 'nothing'),
				of: fc.nat(1),
				/** Number of steps until each copy of the delivery arrives; empty for a lost one. */
				comes: fc.array(fc.nat(4), { maxLength: 3 }),
				waitMs: fc.nat(150_000),
			}),
			{ minLength: 3, maxLength: 15 },
		);
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const { world, window } = await opened();
				const coming: DeliveryHint[][] = [];
				for (const [at, { does, of, comes, waitMs }] of all.entries()) {
					if (does !== 'nothing') {
						const hint = world.happens(does, of);
						comes.forEach((later) => (coming[at + later] = [hint, ...(coming[at + later] ?? [])]));
					}
					coming[at]?.forEach((hint) => window.take(hint));
					await window.pass(waitMs);
				}
				coming.slice(all.length).forEach((late) => late?.forEach((hint) => window.take(hint)));
				await window.pass(40 * minuteMs, 15 * secondMs);
				assert.deepEqual(
					window.ids().filter((id) => !id.includes('quill')),
					world.happened.toSorted(),
				);
				world.assertKnown(window);
				window.close();
			}),
			{ numRuns: counts({ small: 15, full: 500 }), seed: seed() },
		);
	}).timeout(300_000);
});
