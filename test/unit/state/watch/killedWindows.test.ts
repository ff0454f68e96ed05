import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Clock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { Disposables } from '../../../../src/base/lifecycle.ts';
import { watchReadings } from '../../../../src/state/watch/watchReadings.ts';
import { backgroundLoop } from '../../../../src/state/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/state/background/requestBudget.ts';
import { openInbox, type Inbox } from '../../../../src/state/inbox/inbox.ts';
import { ticketIndexer } from '../../../../src/state/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../../../src/state/tickets/ticketStore.ts';
import { accountWatch } from '../../../../src/state/watch/accountWatch.ts';
import { windowLease } from '../../../../src/state/watch/windowLease.ts';
import type { KeptText } from '../../../../src/state/shared/keptText.ts';
import { counts, seed } from '../../../support/counts.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { fakeRepositories, fakeStore } from '../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makeMail, makeSubscription } from '../../../support/makeMail.ts';
import { makeComment, makeEvent, makeTicket, makeTracker } from '../../../support/makeTicket.ts';

/** Something that happens on the forge, or to a window. */
const steps = fc.array(
	fc.record({
		does: fc.constantFrom('comment', 'mail', 'open', 'kill', 'close'),
		of: fc.nat(2),
		waitMs: fc.nat(240_000),
	}),
	{ minLength: 5, maxLength: 15 },
);

/** A forge, a disk, and the windows of one account. */
class World {
	readonly clock = fakeClock();
	/** Entries that a window told its person of, as they came. */
	readonly toasts: string[] = [];
	/** What others did on the forge, by the ids of the entries that it should make. */
	readonly happened: string[] = [];
	readonly #trackers = fakeTrackers();
	readonly #lists = fakeLists();
	readonly #inboxText = keptInMemory();
	readonly #leaseText = keptInMemory();
	readonly #written = new Emitter<void>();
	readonly #windows = new Map<number, { readonly inbox: Inbox; readonly end: (isKilled: boolean) => void }>();
	#lastId = 0;
	#opened = 0;

	constructor() {
		// A request takes its time, so that windows end in the middle of some.
		const slowly = (): Promise<void> => new Promise((resolve) => void this.clock.after(7000, resolve));
		this.#trackers.world.before = slowly;
		this.#lists.world.before = slowly;
		this.#trackers.world.trackers.push(makeTracker());
		this.#trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 2 }), makeTicket({ id: 1 })]);
		this.#lists.world.lists.push(makeList());
		this.#lists.world.subscriptions.push(makeSubscription(makeList()));
	}

	comment(id: number): void {
		this.#lastId += 1;
		const [eventId, atMs, key] = [this.#lastId, this.clock.nowMs(), `~alice/alpha#${id}`];
		const event = makeEvent({ id: eventId, createdMs: atMs, kinds: ['comment'], comment: makeComment('Yes') });
		const { events, tickets } = this.#trackers.world;
		events.set(key, [event, ...(events.get(key) ?? [])]);
		const changed = (tickets.get('~alice/alpha') ?? []).map((each) =>
			each.id === id ? { ...each, updatedMs: atMs } : each,
		);
		tickets.set('~alice/alpha', changed);
		this.happened.push(`${key} event ${eventId}`);
	}

	mail(): void {
		this.#lastId += 1;
		const mail = makeMail({ id: this.#lastId, createdMs: this.clock.nowMs(), list: makeList() });
		const { mails, posts } = this.#lists.world;
		mails.push(mail);
		posts.set('~alice/devel', [mail, ...(posts.get('~alice/devel') ?? [])]);
		this.happened.push(`mail ~alice/devel ${mail.id}`);
	}

	open(at: number): void {
		if (!this.#windows.has(at)) {
			this.#opened += 1;
			this.#windows.set(at, this.#window(`window ${this.#opened}`));
		}
	}

	end(at: number, isKilled: boolean): void {
		this.#windows.get(at)?.end(isKilled);
		this.#windows.delete(at);
	}

	inboxes(): readonly Inbox[] {
		return [...this.#windows.values()].map(({ inbox }) => inbox);
	}

	async pass(totalMs: number): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += 5000) {
			this.clock.advance(5000);
			this.#written.fire();
			for (let turn = 0; turn < 10; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}

	/** Of a window that is killed no timer comes any more, and nothing that it has under way is kept. */
	#window(name: string): { readonly inbox: Inbox; readonly end: (isKilled: boolean) => void } {
		let isDead = false;
		const clock: Clock = {
			nowMs: () => this.clock.nowMs(),
			after: (delayMs, work) => this.clock.after(delayMs, () => isDead || work()),
		};
		const alive = (kept: KeptText): KeptText => ({
			read: () => kept.read(),
			write: (text) => (isDead ? Promise.reject(new Error('The process is gone')) : kept.write(text)),
		});
		const written = new Emitter<void>();
		this.#written.event(() => isDead || written.fire());
		const owned = new Disposables();
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const budget = requestBudget(
			() => 600,
			() => clock.nowMs(),
		);
		const tickets = owned.add(new TicketStore({ api: this.#trackers.api, me: '~alice', followed: keptNames(), clock }));
		const loop = owned.add(backgroundLoop({ presence, clock }));
		const background = { loop, budget };
		const readings = owned.add(watchReadings(background));
		const index = owned.add(ticketIndexer({ store: tickets, clock, background, bundleMs: 0 }));
		const { lists, texts, people } = listConnection(this.#lists.api);
		const repositories = owned.add(fakeStore(fakeRepositories()));
		const inbox = owned.add(openInbox({ kept: alive(this.#inboxText), onDidWrite: written.event, clock }));
		inbox.onDidChange(({ arrived }) => isDead || this.toasts.push(...arrived.map(({ entry }) => entry.id)));
		const lease = owned.add(windowLease({ kept: alive(this.#leaseText), name, clock }));
		const parts = { tickets, index, lists, texts, people, repositories, inbox, lease, background, readings, clock };
		owned.add(accountWatch({ ...parts, me: '~alice', random: () => 0.5 }));
		return {
			inbox,
			end(isKilled) {
				isDead = isKilled;
				owned.dispose();
			},
		};
	}
}

suite('Windows that are closed and killed at any moment', function () {
	this.timeout(60_000);

	test('lose nothing that happened, and tell it once', async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const world = new World();
				// What was there before the first look is no news.
				world.open(0);
				await world.pass(10 * 60_000);
				for (const { does, of, waitMs } of all) {
					if (does === 'comment') {
						world.comment(1 + (of % 2));
					} else if (does === 'mail') {
						world.mail();
					} else if (does === 'open') {
						world.open(of);
					} else {
						world.end(of, does === 'kill');
					}
					await world.pass(waitMs);
				}
				world.open(0);
				await world.pass(40 * 60_000);
				for (const inbox of world.inboxes()) {
					assert.deepEqual(
						inbox
							.items()
							.map(({ entry }) => entry.id)
							.toSorted(),
						world.happened.toSorted(),
					);
				}
				assert.deepEqual(world.toasts.toSorted(), [...new Set(world.toasts)].toSorted());
			}),
			{ numRuns: counts({ small: 15, full: 1000 }), seed: seed() },
		);
	});
});
