import assert from 'node:assert/strict';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { testInRest } from '../../../support/parts.ts';
import { watchedForge, type WatchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const places = {
	trackers: ['~bob/tracker1', '~bob/tracker2'],
	lists: ['~bob/list1', '~bob/list2', '~bob/list3'],
	repositories: ['~bob/repository1', '~bob/repository2'],
};

/** A forge with long trackers, lists and repositories, all watched by one window. */
class World {
	readonly clock = fakeClock();
	readonly forge: WatchedForge = watchedForge(this.clock);
	readonly window: WatchingWindow;

	constructor(perHour: number) {
		const owner = makeUser('bob');
		for (const [at, name] of ['tracker1', 'tracker2'].entries()) {
			const tracker = makeTracker({ id: at + 1, name, owner });
			this.forge.trackers.world.trackers.push(tracker);
			const tickets = Array.from({ length: 300 }, (_, of) => makeTicket({ id: 300 - of, tracker }));
			this.forge.trackers.world.tickets.set(`~bob/${name}`, tickets);
		}
		for (const [at, name] of ['list1', 'list2', 'list3'].entries()) {
			this.forge.lists.world.lists.push(makeList({ id: at + 1, name, owner }));
		}
		places.repositories.forEach((name) => this.forge.push(name, 'refs/heads/main'));
		this.window = watchingWindow({ forge: this.forge, clock: this.clock, followed: places, perHour });
		places.trackers.forEach((name) => this.window.inbox.choose(`tracker ${name}`, 'everything'));
		places.lists.forEach((name) => this.window.inbox.choose(`list ${name}`, 'everything'));
	}

	async pass(minutes: number): Promise<void> {
		for (let seconds = 0; seconds < minutes * 60; seconds += 2) {
			this.clock.advance(2000);
			for (let turn = 0; turn < 5; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}
}

suite('watch with a scarce budget', () => {
	test('alternates between sources, so that none waits for a busier one', async () => {
		const world = new World(120);
		const { forge, window, clock } = world;
		await world.pass(180);
		const happened = places.trackers.map((name) => forge.comment(name, 5));
		const tags = places.repositories.map((name) => `${name} ${forge.push(name, 'refs/tags/v1')}`);
		const startMs = clock.nowMs();
		const rowsOf = (name: string): number =>
			forge.lists.world.calls.filter((call) => call === `posts ~bob/${name} 0`).length;
		const before = Math.max(...['list1', 'list2', 'list3'].map(rowsOf));
		for (let minute = 0; minute < 90; minute += 1) {
			places.lists.forEach((name) => forge.mail(name));
			await world.pass(1);
		}
		const entries = window.inbox.items().map(({ entry }) => entry);
		const told = entries.flatMap(({ thing, event }) =>
			thing.kind === 'repository' && event.kind === 'pushed'
				? event.changes.map(({ now }) => `${thing.ref.owner}/${thing.ref.name} ${now}`)
				: [],
		);
		assert.deepEqual(told.toSorted(), tags.toSorted());
		const ids = entries.map(({ id }) => id);
		assert.deepEqual(
			happened.filter((id) => !ids.includes(id)),
			[],
		);
		for (const { watched, readMs } of window.readings.all()) {
			// The lists have more new messages than the budget allows.
			const isRead =
				watched.kind === 'list' ? rowsOf(watched.ref.name) >= before + 4 : (readMs ?? 0) > startMs + 30 * minuteMs;
			assert.ok(isRead, JSON.stringify(watched));
		}
		window.dispose();
	});

	test('reserves a tenth of the hour for unread pages of a tracker', async () => {
		const world = new World(300);
		const { forge, window } = world;
		const names = Array.from({ length: 14 }, (_, at) => `~bob/busy${at}`);
		for (const [at, name] of names.entries()) {
			forge.lists.world.lists.push(makeList({ id: at + 10, name: `busy${at}`, owner: makeUser('bob') }));
			window.inbox.choose(`list ${name}`, 'everything');
		}
		const busyHour = async (): Promise<void> => {
			for (let minute = 0; minute < 60; minute += 1) {
				[...places.lists, ...names].forEach((name) => forge.mail(name));
				await world.pass(1);
			}
		};
		await busyHour();
		await busyHour();
		const tracker = makeTracker({ id: 9, name: 'late', owner: makeUser('bob') });
		forge.trackers.world.trackers.push(tracker);
		const tickets = Array.from({ length: 1200 }, (_, of) => makeTicket({ id: 1200 - of, tracker }));
		forge.trackers.world.tickets.set('~bob/late', tickets);
		const late = { owner: '~bob', name: 'late' };
		await window.tickets.follow(late, new AbortController().signal);
		await busyHour();
		assert.equal(window.tickets.reads(late).known()?.items.length, 1200);
		assert.ok(window.readings.budget().spent <= 300);
		window.dispose();
	});

	testInRest('reserves a tenth of the hour for other sources during the first read of a long tracker', async () => {
		const world = new World(300);
		const { forge, window } = world;
		const tracker = makeTracker({ id: 9, name: 'late', owner: makeUser('bob') });
		forge.trackers.world.trackers.push(tracker);
		const tickets = Array.from({ length: 15_000 }, (_, of) => makeTicket({ id: 15_000 - of, tracker }));
		forge.trackers.world.tickets.set('~bob/late', tickets);
		const late = { owner: '~bob', name: 'late' };
		await window.tickets.follow(late, new AbortController().signal);
		const known = (): number => window.tickets.reads(late).known()?.items.length ?? 0;
		let minutes = 0;
		for (; known() < tickets.length && minutes < 300; minutes += 1) {
			await world.pass(1);
			const { spent } = window.readings.budget();
			assert.ok(spent <= 275, `${spent} requests after ${minutes} minutes`);
		}
		assert.ok(minutes > 60, 'it has had more than its part of the first hour');
		assert.equal(known(), tickets.length);
		window.dispose();
	});

	test('charges exactly its requests', async () => {
		const world = new World(3000);
		await world.pass(30);
		world.forge.comment('~bob/tracker1', 300);
		places.lists.forEach((name) => world.forge.mail(name));
		await world.pass(25);
		assert.equal(world.window.readings.budget().spent, world.forge.calls().length);
		world.window.dispose();
	});
});
