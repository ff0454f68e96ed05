import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const devel = makeList();
const name = '~alice/devel';

/** An own list across several windows. */
class World {
	readonly clock = fakeClock();
	readonly forge = watchedForge(this.clock);
	readonly perHour: number;
	readonly #shared = { inbox: keptInMemory(), lease: keptInMemory(), onDidWrite: new Emitter<void>().event };
	/** Numbers of all messages. */
	readonly sent: number[] = [];
	#lastId = 0;
	#windows = 0;

	constructor(perHour = 3000) {
		this.perHour = perHour;
		this.forge.lists.world.lists.push(devel);
		this.forge.lists.world.subscriptions.push(makeSubscription(devel));
		this.post();
		this.reply();
		this.sent.length = 0;
	}

	post(): void {
		this.#lastId += 1;
		const { mails, posts } = this.forge.lists.world;
		const mail = makeMail({ id: this.#lastId, createdMs: this.clock.nowMs(), list: devel });
		mails.push(mail);
		posts.set(name, [mail, ...(posts.get(name) ?? [])]);
		this.sent.push(mail.id);
	}

	reply(): void {
		this.#lastId += 1;
		const mail = makeMail({ id: this.#lastId, createdMs: this.clock.nowMs(), list: devel, threadId: 1 });
		this.forge.lists.world.mails.push(mail);
		this.sent.push(mail.id);
	}

	patchset(id: number): void {
		const { patchsets } = this.forge.lists.world;
		patchsets.set(name, [makePatchset({ id, subject: `Patchset ${id}` }), ...(patchsets.get(name) ?? [])]);
	}

	open(): WatchingWindow {
		this.#windows += 1;
		const shared = { ...this.#shared, name: `window ${this.#windows}` };
		return watchingWindow({ forge: this.forge, clock: this.clock, perHour: this.perHour, shared });
	}

	async pass(totalMs: number): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += 5 * secondMs) {
			this.clock.advance(5 * secondMs);
			for (let turn = 0; turn < 40; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}
}

/** Numbers of the messages in an inbox, in order. */
function toldBy({ inbox }: WatchingWindow): readonly number[] {
	return inbox
		.items()
		.flatMap(({ entry: { event } }) => (event.kind === 'mailArrived' ? [event.mailId] : []))
		.toSorted((a, b) => a - b);
}

suite('list watch after a long absence', function () {
	this.timeout(60_000);

	test('reports every message once, for any number of replies and first messages', async () => {
		const world = new World();
		const first = world.open();
		await world.pass(minuteMs);
		first.dispose();
		for (let count = 0; count < 400; count += 1) {
			world.reply();
			if (count % 3 === 0) {
				world.post();
			}
		}
		const second = world.open();
		await world.pass(60 * minuteMs);
		assert.deepEqual(toldBy(second), world.sent);
		const { calls } = world.forge.lists.world;
		const pages = calls.filter((call) => call.startsWith('search')).length;
		await world.pass(20 * minuteMs);
		assert.ok(calls.filter((call) => call.startsWith('search')).length - pages <= 4, 'is not read down to again');
		assert.equal(new Set(toldBy(second)).size, toldBy(second).length);
		second.dispose();
	});

	test('reports every message once, even if the window sleeps or closes during the read', async () => {
		const world = new World(300);
		const first = world.open();
		await world.pass(minuteMs);
		world.clock.advance(3 * 24 * 60 * minuteMs);
		for (let count = 0; count < 330; count += 1) {
			world.post();
		}
		await world.pass(10 * minuteMs);
		const soon = toldBy(first);
		assert.ok(soon.length > 0 && soon.length < 330, `${soon.length} mails`);
		first.dispose();
		for (let count = 0; count < 200; count += 1) {
			world.reply();
		}
		const second = world.open();
		await world.pass(3 * 60 * minuteMs);
		assert.deepEqual(toldBy(second), world.sent);
		second.dispose();
	});

	test('gives other lists their turn, and charges no budget for a refresh', async () => {
		const world = new World(3000);
		const other = makeList({ id: 2, name: 'other' });
		world.forge.lists.world.lists.push(other);
		const first = world.open();
		await world.pass(3 * minuteMs);
		for (let count = 0; count < 600; count += 1) {
			world.reply();
			if (count % 4 === 0) {
				world.post();
			}
		}
		const { calls } = world.forge.lists.world;
		const from = calls.length;
		world.forge.mail('~alice/other');
		void first.readings.refresh(new AbortController().signal);
		await world.pass(2 * minuteMs);
		const rows = calls.slice(from).filter((call) => /^(?:search|posts)/.test(call));
		const turn = rows.findIndex((call) => call.includes('other'));
		assert.ok(turn <= 8, `its turn came after ${turn} pages`);
		// A refresh does not count.
		assert.ok(first.readings.budget().spent < world.forge.calls().length);
		first.dispose();
	});

	test('includes messages that arrive between its requests', async () => {
		const world = new World();
		const window = world.open();
		await world.pass(minuteMs);
		world.post();
		let isBetween = true;
		world.forge.lists.world.before = (call) => {
			if (call.startsWith('search') && isBetween) {
				isBetween = false;
				world.post();
				world.reply();
			}
		};
		await world.pass(30 * minuteMs);
		assert.deepEqual(toldBy(window), world.sent);
		window.dispose();
	});

	test('reports every patchset once', async () => {
		const world = new World();
		world.patchset(1);
		const first = world.open();
		await world.pass(minuteMs);
		first.dispose();
		for (let id = 2; id <= 130; id += 1) {
			world.patchset(id);
		}
		const second = world.open();
		await world.pass(30 * minuteMs);
		const told = second.inbox
			.items()
			.flatMap(({ entry: { thing } }) => (thing.kind === 'patchset' ? [thing.ref.id] : []))
			.toSorted((a, b) => a - b);
		assert.deepEqual(
			told,
			Array.from({ length: 129 }, (_, at) => at + 2),
		);
		second.dispose();
	});
});
