import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { watchedName } from '../../../../src/store/inbox/watched.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeMail, makePatchset } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type FollowedNames, type WatchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const alice = makeUser('alice');
const other = { owner: '~bob', name: 'other' } as const;

/** A forge with a list of bob that alice doesn’t follow. */
class World {
	readonly clock = fakeClock();
	readonly forge = watchedForge(this.clock);
	readonly list = makeList({ name: 'other', owner: makeUser('bob') });

	constructor() {
		this.forge.lists.world.lists.push(this.list);
	}

	send(change: Partial<Email> & { readonly id: number }): void {
		const mail = makeMail({ createdMs: this.clock.nowMs(), list: this.list, ...change });
		this.forge.lists.world.mails.push(mail);
	}

	open(followed: FollowedNames = {}): WatchingWindow {
		return watchingWindow({ forge: this.forge, clock: this.clock, perHour: 300, followed });
	}

	/** Number of single thread and patchset requests. */
	asked(): number {
		return this.forge.lists.world.calls.filter((call) => /^(?:thread|patchset) /.test(call)).length;
	}
}

function told({ inbox }: WatchingWindow): readonly string[] {
	return inbox
		.items()
		.map(({ entry: { thing, reason, event } }) => {
			const what = event.kind === 'mailArrived' ? `mail ${event.mailId}` : event.kind;
			return `${thing.kind} ${'subject' in thing ? thing.subject : ''} ${reason}: ${what}`;
		})
		.toSorted();
}

suite('polls of own threads in unwatched lists', () => {
	test('report replies to own patches, and their statuses', async () => {
		const world = new World();
		const patchsets = (status: 'proposed' | 'applied'): void =>
			void world.forge.lists.world.patchsets.set('~bob/other', [
				makePatchset({ id: 7, status, subject: 'Mend it', messageId: '<m50@forge.test>' }),
			]);
		patchsets('proposed');
		world.send({ id: 50, sender: alice, subject: '[PATCH] Mend it', patchsetId: 7 });
		world.send({ id: 51, threadId: 50, subject: 'Re: [PATCH] Mend it' });
		const window = world.open();
		await passTime(world.clock, 10 * minuteMs);
		assert.deepEqual(told(window), ['patchset Mend it answered: mail 51']);
		patchsets('applied');
		world.send({ id: 52, threadId: 50, subject: 'Re: [PATCH] Mend it' });
		world.send({ id: 53, threadId: 50, sender: alice, subject: 'Re: [PATCH] Mend it' });
		// The list itself is not watched.
		world.send({ id: 54, subject: 'Another thread' });
		await passTime(world.clock, 40 * minuteMs);
		assert.deepEqual(told(window), [
			'patchset Mend it answered: mail 51',
			'patchset Mend it answered: mail 52',
			'patchset Mend it answered: patchsetMarked',
		]);
		assert.deepEqual(
			world.forge.lists.world.calls.filter((call) => /^(?:posts|patchsets|search).*other/.test(call)),
			[],
		);
		window.dispose();
	});

	test('report replies after an own one, but not much older ones', async () => {
		const world = new World();
		world.send({ id: 40, subject: 'A question', createdMs: world.clock.nowMs() - 9 * dayMs });
		world.send({ id: 41, threadId: 40, sender: alice, createdMs: world.clock.nowMs() - 8 * dayMs });
		world.send({ id: 42, threadId: 40, createdMs: world.clock.nowMs() - 7 * dayMs });
		world.send({ id: 43, threadId: 40 });
		const window = world.open();
		await passTime(world.clock, 10 * minuteMs);
		assert.deepEqual(told(window), ['thread A question participating: mail 43']);
		window.dispose();
	});

	test('slow down while quiet, and end after two months', async () => {
		const world = new World();
		world.send({ id: 40, sender: alice, createdMs: world.clock.nowMs() - 61 * dayMs });
		world.send({ id: 50, sender: alice, createdMs: world.clock.nowMs() - 10 * dayMs });
		const window = world.open();
		await passTime(world.clock, 20 * 60 * minuteMs, { stepMs: minuteMs });
		assert.equal(world.asked(), 1);
		window.dispose();
	});

	test('cover at most the newest twenty, with a tenth of the budget', async () => {
		const world = new World();
		for (let id = 1; id <= 30; id += 1) {
			world.send({ id, sender: alice });
		}
		const window = world.open();
		await passTime(world.clock, 60 * minuteMs);
		const asked = world.forge.lists.world.calls.filter((call) => call.startsWith('thread '));
		assert.ok(asked.length > 10 && asked.length <= 31, String(asked.length));
		const ids = new Set(asked.map((call) => Number(call.split(' ')[1])));
		assert.ok([...ids].every((id) => id > 10));
		assert.equal(ids.size, 20);
		window.dispose();
	});

	test('cost no request for a watched or muted list', async () => {
		const world = new World();
		world.send({ id: 50, sender: alice, subject: '[PATCH] Mend it' });
		const following = world.open({ lists: ['~bob/other'] });
		await passTime(world.clock, 30 * minuteMs);
		following.dispose();
		const muting = world.open();
		muting.inbox.choose(watchedName({ kind: 'list', ref: other }), 'nothing');
		await passTime(world.clock, 30 * minuteMs);
		assert.equal(world.asked(), 0);
		muting.dispose();
	});

	test('end after the forge denies access', async () => {
		const world = new World();
		world.send({ id: 50, sender: alice });
		const window = world.open();
		world.forge.lists.world.before = (call) => {
			if (call === 'thread 50') {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await passTime(world.clock, 120 * minuteMs);
		assert.equal(world.asked(), 1);
		window.dispose();
	});

	test('report replies even with an inaccessible patchset, and request that once', async () => {
		const world = new World();
		world.send({ id: 50, sender: alice, subject: '[PATCH] Mend it', patchsetId: 7 });
		world.send({ id: 51, threadId: 50, subject: 'Re: [PATCH] Mend it' });
		const window = world.open();
		await passTime(world.clock, 10 * minuteMs);
		world.send({ id: 52, threadId: 50, subject: 'Re: [PATCH] Mend it' });
		await passTime(world.clock, 40 * minuteMs);
		assert.deepEqual(
			told(window).map((each) => each.split(': ').at(-1)),
			['mail 51', 'mail 52'],
		);
		assert.equal(world.forge.lists.world.calls.filter((call) => call.startsWith('patchset ')).length, 1);
		window.dispose();
	});

	test('happen immediately on a refresh, and then as rarely as before', async () => {
		const world = new World();
		for (let id = 50; id < 60; id += 1) {
			world.send({ id, sender: alice, subject: `Question ${id}`, createdMs: world.clock.nowMs() - 10 * dayMs });
		}
		const window = world.open();
		await passTime(world.clock, 60 * minuteMs);
		assert.equal(world.asked(), 10);
		world.send({ id: 70, threadId: 55, subject: 'Re: Question 55' });
		void window.readings.refresh(new AbortController().signal);
		await passTime(world.clock, 30_000, { stepMs: 1000 });
		assert.deepEqual(told(window), ['thread Question 55 participating: mail 70']);
		assert.equal(world.asked(), 20);
		await passTime(world.clock, 10 * minuteMs);
		assert.equal(world.asked(), 20);
		window.dispose();
	});
});
