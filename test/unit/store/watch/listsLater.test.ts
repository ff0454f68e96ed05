import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailingList } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const never = new AbortController().signal;
const later = makeList({ name: 'later', owner: makeUser('bob'), id: 7 });

/** A forge with one own list and a window that watches it. */
class World {
	readonly clock = fakeClock();
	readonly forge = watchedForge(this.clock);
	readonly window: WatchingWindow;

	constructor(prepare: (world: World) => void = () => undefined) {
		this.forge.lists.world.lists.push(makeList());
		this.subscribe(makeList());
		prepare(this);
		this.window = watchingWindow({ forge: this.forge, clock: this.clock, perHour: 300 });
	}

	/** Subscribes outside of the window. */
	subscribe(list: MailingList): void {
		const { lists, subscriptions } = this.forge.lists.world;
		if (!lists.some(({ id }) => id === list.id)) {
			lists.push(list);
		}
		subscriptions.push(makeSubscription(list, subscriptions.length + 1));
	}

	watched(): readonly string[] {
		return this.window.readings
			.all()
			.flatMap(({ watched }) => (watched.kind === 'list' ? [watched.ref.name] : []))
			.toSorted();
	}

	/** Number of subscription requests. */
	asked(): number {
		return this.forge.calls().filter((call) => call.startsWith('subscriptions')).length;
	}

	async pass(totalMs: number): Promise<void> {
		await passTime(this.clock, totalMs);
	}
}

suite('lists added later', function () {
	this.timeout(20_000);

	test('elsewhere join the watch within an hour, and leave it after an unsubscription', async () => {
		const world = new World();
		await world.pass(minuteMs);
		assert.deepEqual(world.watched(), ['devel']);
		world.subscribe(later);
		await world.pass(65 * minuteMs);
		assert.deepEqual(world.watched(), ['devel', 'later']);
		world.forge.lists.world.subscriptions.pop();
		await world.pass(65 * minuteMs);
		assert.deepEqual(world.watched(), ['devel']);
		assert.ok(world.asked() <= 4, `${world.asked()} requests`);
		assert.ok(world.window.readings.budget().spent <= 60);
		world.window.dispose();
	});

	test('cost as many requests as they need, and a refresh costs no budget', async () => {
		const world = new World();
		await world.pass(30 * minuteMs);
		const [spent, calls] = [world.window.readings.budget().spent, world.forge.calls().length];
		assert.equal(spent, calls);
		world.forge.lists.world.pageSize = 1;
		world.subscribe(later);
		void world.window.readings.refresh(new AbortController().signal);
		await world.pass(minuteMs);
		assert.deepEqual(world.watched(), ['devel', 'later']);
		assert.ok(world.forge.calls().length > calls + 3);
		assert.equal(world.window.readings.budget().spent, spent);
		world.window.dispose();
	});

	test('cause one address lookup for an account without an address, and retries only after a failure', async () => {
		for (const [users, most] of [
			[[{ ...makeUser('alice'), email: undefined, url: undefined, location: undefined, bio: undefined }], 1],
			[[], 4],
		] as const) {
			const world = new World(({ forge }) => forge.lists.world.users.push(...users));
			await world.pass(200 * minuteMs);
			assert.equal(world.forge.calls().filter((call) => call === 'profile').length, most);
			world.window.dispose();
		}
	});

	test('load three times an hour while quiet, with three requests each', async () => {
		const world = new World();
		await world.pass(120 * minuteMs);
		const before = world.forge.calls().length;
		await world.pass(600 * minuteMs);
		const rows = world.forge
			.calls()
			.slice(before)
			.filter((call) => call.includes('devel'));
		assert.ok(rows.length <= 10 * 4 * 3 && rows.length >= 10 * 3 * 3, `${rows.length} requests`);
		world.window.dispose();
	});

	test('join after a refresh, with one search for several in a row', async () => {
		const world = new World();
		await world.pass(20 * minuteMs);
		world.subscribe(later);
		for (let times = 0; times < 3; times += 1) {
			void world.window.readings.refresh(new AbortController().signal);
			await world.pass(20 * secondMs);
		}
		assert.deepEqual(world.watched(), ['devel', 'later']);
		assert.equal(world.asked(), 2);
		world.window.dispose();
	});

	test('join after a failed search, with less and less frequent retries', async () => {
		let isBroken = true;
		const world = new World(({ forge }) => {
			forge.lists.world.before = (call) => {
				if (isBroken && call.startsWith('subscriptions')) {
					throw new ForgeError({ kind: 'serverError', status: 500 });
				}
			};
		});
		world.subscribe(later);
		await world.pass(minuteMs);
		assert.deepEqual(world.watched(), ['devel']);
		await world.pass(10 * minuteMs);
		assert.equal(world.asked(), 2);
		await world.pass(4 * 60 * minuteMs);
		assert.ok(world.asked() <= 8, `${world.asked()} requests`);
		isBroken = false;
		await world.pass(65 * minuteMs);
		assert.deepEqual(world.watched(), ['devel', 'later']);
		world.window.dispose();
	});

	test('join even during another read', async () => {
		const world = new World(({ forge }) => {
			forge.lists.world.lists.push(later);
		});
		let isSubscribed = false;
		world.forge.lists.world.before = async (call) => {
			if (call.startsWith('emails') && !isSubscribed) {
				isSubscribed = true;
				await world.window.lists.subscribe({ owner: '~bob', name: 'later' }, never);
			}
		};
		await world.pass(2 * minuteMs);
		assert.deepEqual(world.watched(), ['devel', 'later']);
		world.window.dispose();
	});

	test('join even if the forge hides the messages of the account', async () => {
		const world = new World(({ forge }) => {
			forge.lists.world.before = (call) => {
				if (call.startsWith('emails')) {
					throw new ForgeError({ kind: 'notAllowed' });
				}
			};
		});
		await world.pass(2 * minuteMs);
		assert.deepEqual(world.watched(), ['devel']);
		world.window.dispose();
	});
});
