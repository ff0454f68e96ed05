import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const others = makeList({ name: 'others', owner: makeUser('bob'), id: 2 });
const list = '~bob/others';

/** A list of bob with pages of two posts, and the thread of a patchset (first message 10) far below. */
function open(change: Partial<ShortEmail> = {}) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.lists;
	world.pageSize = 2;
	world.lists.push(others);
	world.subscriptions.push(makeSubscription(others, 1));
	const posts = [
		makeMail({ id: 10, subject: '[PATCH 0/2] Set 2', list: others, patchsetId: 2, ...change }),
		...[20, 30, 40].map((id) => makeMail({ id, subject: `Thread ${id}`, list: others })),
	];
	world.mails.push(...posts);
	world.posts.set(list, posts.toReversed());
	world.patchsets.set(
		list,
		[8, 6, 4, 2].map((id) => makePatchset({ id, subject: `Set ${id}`, messageId: `<set${id}@forge.test>` })),
	);
	const window = watchingWindow({ forge, clock, perHour: 600 });
	return {
		window,
		world,
		/** Replies do not name their patchset (docs/protocol.md#mail-fields). */
		reply: (id: number, threadId: number): void =>
			void world.mails.push(makeMail({ id, threadId, subject: 'Re: it', list: others, createdMs: clock.nowMs() })),
		asked: () => world.calls.filter((call) => call === 'email 10').length,
		told: () =>
			window.inbox
				.items()
				.flatMap(({ entry: { thing, reason, event } }) =>
					event.kind === 'mailArrived' && 'subject' in thing
						? [`${thing.kind} ${thing.subject} ${reason}: mail ${event.mailId}`]
						: [],
				)
				.toSorted(),
		pass: async (totalMs: number): Promise<void> => {
			await passTime(clock, totalMs);
		},
	};
}

suite('replies in older threads of a list', function () {
	this.timeout(20_000);

	test('to a muted patchset create no entry, and cost one request for its first message', async () => {
		const { window, reply, pass, told, asked } = open();
		window.inbox.choose(`list ${list}`, 'everything');
		window.inbox.choose(`patchset ${list} 2`, 'nothing');
		await pass(minuteMs);
		reply(50, 10);
		reply(51, 20);
		await pass(20 * minuteMs);
		reply(52, 10);
		await pass(20 * minuteMs);
		assert.deepEqual([told(), asked()], [['thread Thread 20 followed: mail 51'], 1]);
		window.dispose();
	});

	test('to a watched patchset belong to it, and follow the choice for its thread', async () => {
		const { window, reply, pass, told } = open();
		window.inbox.choose(`patchset ${list} 2`, 'everything');
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual(told(), ['patchset Set 2 followed: mail 50']);
		window.inbox.choose(`patchset ${list} 2`, 'usual');
		window.inbox.choose(`patchset ${list} 4`, 'everything');
		window.inbox.choose(`thread ${list} 10`, 'everything');
		reply(51, 10);
		await pass(20 * minuteMs);
		window.inbox.choose(`thread ${list} 10`, 'nothing');
		reply(52, 10);
		await pass(20 * minuteMs);
		assert.deepEqual(told(), ['patchset Set 2 followed: mail 50', 'patchset Set 2 followed: mail 51']);
		window.dispose();
	});

	test('to an own patch belong to its patchset', async () => {
		const { window, reply, pass, told } = open({ sender: makeUser('alice') });
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual(told(), ['patchset Set 2 answered: mail 50']);
		window.dispose();
	});

	test('to a patchset without a readable first message belong to their thread', async () => {
		const { window, world, reply, pass, told, asked } = open();
		world.before = (call) => {
			if (call === 'email 10') {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		window.inbox.choose(`list ${list}`, 'everything');
		window.inbox.choose(`patchset ${list} 4`, 'nothing');
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual([told(), asked()], [['thread it followed: mail 50'], 1]);
		window.dispose();
	});

	test('need no first message if no choice depends on it', async () => {
		const { window, reply, pass, told, asked } = open();
		window.inbox.choose(`list ${list}`, 'everything');
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual([told(), asked()], [['thread it followed: mail 50'], 0]);
		window.dispose();
	});

	test('find their patchset through its cover letter if messages don’t name it', async () => {
		const { window, world, reply, pass, told, asked } = open({ patchsetId: undefined });
		const [cover] = world.mails;
		const rows = world.patchsets.get(list) ?? [];
		world.patchsets.set(
			list,
			rows.toReversed().map((each) => (each.id === 2 ? { ...each, coverLetter: cover } : each)),
		);
		window.inbox.choose(`patchset ${list} 2`, 'everything');
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual([told(), asked()], [['patchset Set 2 followed: mail 50'], 0]);
		window.dispose();
	});
});
