import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Inbox } from '../../../../src/store/inbox/inbox.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makeSubscription } from '../../../support/makeMail.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

/** An event on the forge or in a window. */
const steps = fc.array(
	fc.record({
		does: fc.constantFrom('comment', 'mail', 'open', 'kill', 'close'),
		of: fc.nat(2),
		waitMs: fc.nat(240_000),
	}),
	{ minLength: 5, maxLength: 15 },
);

/** A forge, a disk and the windows of an account. */
class World {
	readonly clock = fakeClock();
	/** Entries in notifications, in order. */
	readonly toasts: string[] = [];
	/** Expected entry ids of events on the forge. */
	readonly happened: string[] = [];
	readonly #forge = watchedForge(this.clock);
	readonly #inboxText = keptInMemory();
	readonly #leaseText = keptInMemory();
	readonly #written = new Emitter<void>();
	readonly #windows = new Map<number, { readonly inbox: Inbox; readonly end: (isKilled: boolean) => void }>();
	#opened = 0;

	constructor() {
		// Requests take time, so that windows end during some of them.
		const slowly = (): Promise<void> => new Promise((resolve) => void this.clock.after(7000, resolve));
		const { trackers, lists } = this.#forge;
		trackers.world.before = slowly;
		lists.world.before = slowly;
		trackers.world.trackers.push(makeTracker());
		trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 2 }), makeTicket({ id: 1 })]);
		lists.world.lists.push(makeList());
		lists.world.subscriptions.push(makeSubscription(makeList()));
	}

	comment(id: number): void {
		this.happened.push(this.#forge.comment('~alice/alpha', id));
	}

	mail(): void {
		this.happened.push(`mail ~alice/devel ${this.#forge.mail('~alice/devel')}`);
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
		await passTime(this.clock, totalMs, { atStep: () => this.#written.fire() });
	}

	/** A killed window runs no more timers and stores nothing of its pending work. */
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
		const window = watchingWindow({
			forge: this.#forge,
			clock,
			perHour: 600,
			shared: {
				inbox: alive(this.#inboxText),
				lease: alive(this.#leaseText),
				onDidWrite: written.event,
				name,
			},
		});
		const { inbox } = window;
		inbox.onDidChange(({ arrived }) => isDead || this.toasts.push(...arrived.map(({ entry }) => entry.id)));
		return {
			inbox,
			end(isKilled) {
				isDead = isKilled;
				window.dispose();
			},
		};
	}
}

suite('windows closed or killed at any time', function () {
	this.timeout(60_000);

	test('lose no event and report each once', async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const world = new World();
				// The state before the first read creates no entries.
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
