import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../../../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const others = makeList({ name: 'others', owner: makeUser('bob'), id: 2 });
const list = '~bob/others';

/** A list of bob's whose page of posts holds two, with the thread of a patchset (its first mail is 10) far below. */
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
		/** Replies do not say which patchset they are about (docs/protocol.md#mail-fields). */
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

suite('Replies in threads below the newest of their list', function () {
	this.timeout(20_000);

	test('to a muted patchset bring nothing, and its first mail is asked for once', async () => {
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

	test('to a patchset that is watched are told with it, and what is chosen of its thread holds', async () => {
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

	test('to a patch of the account are answers to it, in its patchset', async () => {
		const { window, reply, pass, told } = open({ sender: makeUser('alice') });
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual(told(), ['patchset Set 2 answered: mail 50']);
		window.dispose();
	});

	test('to a patchset whose first mail the forge does not hand out are told as those of a thread', async () => {
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

	test('where nothing hangs on it ask for no first mail', async () => {
		const { window, reply, pass, told, asked } = open();
		window.inbox.choose(`list ${list}`, 'everything');
		await pass(minuteMs);
		reply(50, 10);
		await pass(20 * minuteMs);
		assert.deepEqual([told(), asked()], [['thread it followed: mail 50'], 0]);
		window.dispose();
	});

	test('are found by the cover letter that a patchset names, where mails name no patchset', async () => {
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
