import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const others = makeList({ name: 'others', owner: makeUser('bob'), id: 2 });

/** A list of bob with six patchsets in pages of two; alice sent the first and replied to the second. */
function open(perHour = 600) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.lists;
	world.pageSize = 2;
	world.lists.push(others);
	world.subscriptions.push(makeSubscription(others, 1));
	const statuses = new Map<number, PatchsetStatus>();
	const stand = (): void =>
		void world.patchsets.set(
			'~bob/others',
			[6, 5, 4, 3, 2, 1].map((id) =>
				makePatchset({
					id,
					subject: `Set ${id}`,
					status: statuses.get(id) ?? 'proposed',
					messageId: `<set${id}@forge.test>`,
				}),
			),
		);
	stand();
	world.mails.push(
		makeMail({
			id: 11,
			subject: '[PATCH] Set 1',
			messageId: '<set1@forge.test>',
			sender: makeUser('alice'),
			list: others,
			patchsetId: 1,
		}),
		makeMail({ id: 10, subject: '[PATCH] Set 2', list: others, patchsetId: 2 }),
		// Replies do not name their patchset (docs/protocol.md#mail-fields).
		makeMail({ id: 12, subject: 'Re: [PATCH] Set 2', sender: makeUser('alice'), list: others, threadId: 10 }),
	);
	const window = watchingWindow({ forge, clock, perHour });
	return {
		world,
		window,
		mark: (id: number, status: PatchsetStatus): void => {
			statuses.set(id, status);
			stand();
		},
		asked: () => world.calls.filter((call) => call.startsWith('patchset ')),
		told: () =>
			window.inbox
				.items()
				.flatMap(({ entry: { thing, reason, event } }) =>
					event.kind === 'patchsetMarked' && thing.kind === 'patchset'
						? [`${thing.subject} ${reason}: ${event.status}`]
						: [],
				)
				.toSorted(),
		pass: async (totalMs: number, stepMs = 15_000): Promise<void> => {
			await passTime(clock, totalMs, { stepMs });
		},
	};
}

suite('polls of older patchsets', function () {
	this.timeout(20_000);

	test('report a status change of own patchsets and those with an own reply, without other requests', async () => {
		const { window, mark, pass, told, asked } = open();
		await pass(60 * minuteMs);
		assert.deepEqual(told(), []);
		mark(1, 'approved');
		mark(2, 'applied');
		mark(3, 'applied');
		await pass(90 * minuteMs);
		assert.deepEqual(told(), ['Set 1 answered: approved', 'Set 2 participating: applied']);
		assert.equal(window.lists.knownPatchset({ list: { owner: '~bob', name: 'others' }, id: 1 })?.status, 'approved');
		const ids = new Set(asked());
		assert.deepEqual([...ids].toSorted(), ['patchset ~bob/others 1', 'patchset ~bob/others 2']);
		window.dispose();
	});

	test('take turns while the patchset is open, with at most a tenth of the budget', async () => {
		const { window, mark, pass, asked } = open(60);
		mark(2, 'applied');
		await pass(4 * 60 * minuteMs);
		assert.equal(asked().filter((call) => call.endsWith(' 2')).length, 1);
		const ofFirst = asked().length - 1;
		assert.ok(ofFirst >= 4 && ofFirst <= 4 * 6, `${ofFirst}`);
		window.dispose();
	});

	test('cost no request for uninvolved accounts or a muted list', async () => {
		const { window, world, pass, asked } = open();
		await pass(45_000);
		window.inbox.choose('list ~bob/others', 'nothing');
		await pass(90 * minuteMs);
		assert.deepEqual(asked(), []);
		window.inbox.choose('list ~bob/others', 'usual');
		await pass(90 * minuteMs);
		assert.ok(asked().length > 0);
		window.dispose();
		const none = open();
		none.world.mails.splice(0);
		await none.pass(90 * minuteMs);
		assert.deepEqual([none.asked(), world.calls.length > 0], [[], true]);
		none.window.dispose();
	});

	test('happen once a day for a watched list, and compare the loaded row', async () => {
		const { window, world, mark, pass, told, asked } = open();
		world.mails.splice(0);
		window.inbox.choose('list ~bob/others', 'everything');
		const list = { owner: '~bob', name: 'others' };
		await pass(10 * minuteMs);
		await window.lists.newest.more(list, 'patchsets', () => undefined, new AbortController().signal);
		mark(3, 'approved');
		mark(4, 'applied');
		await pass(2 * minuteMs);
		assert.deepEqual([told(), asked()], [[], []]);
		await pass(24 * 60 * minuteMs);
		assert.deepEqual(told(), ['Set 3 followed: approved', 'Set 4 followed: applied']);
		assert.equal(window.lists.knownPatchset({ list, id: 3 })?.status, 'approved');
		await pass(24 * 60 * minuteMs);
		// Closed patchsets need no poll, and those that never loaded are unknown.
		assert.deepEqual(
			asked().toSorted(),
			['3', '3', '4'].map((id) => `patchset ~bob/others ${id}`),
		);
		window.dispose();
	});

	test('of a watched list wait for the ones that involve the account', async () => {
		const { window, pass, asked } = open(60);
		window.inbox.choose('list ~bob/others', 'everything');
		const list = { owner: '~bob', name: 'others' };
		await pass(10 * minuteMs);
		await window.lists.newest.more(list, 'patchsets', () => undefined, new AbortController().signal);
		await pass(24 * 60 * minuteMs);
		const count = (id: number): number => asked().filter((call) => call.endsWith(` ${id}`)).length;
		assert.ok(count(3) <= 1 && count(4) <= 1 && count(1) >= 40 && count(2) >= 40, asked().join());
		window.dispose();
	});

	test('report a single watched patchset, loaded or not', async () => {
		const { window, world, mark, pass, told, asked } = open();
		world.mails.splice(0);
		window.inbox.choose('patchset ~bob/others 3', 'everything');
		await pass(40 * minuteMs);
		mark(3, 'applied');
		mark(4, 'applied');
		await pass(60 * minuteMs);
		assert.deepEqual(told(), ['Set 3 followed: applied']);
		assert.deepEqual([...new Set(asked())], ['patchset ~bob/others 3']);
		window.dispose();
	});

	test('continue despite an unreadable thread, with only a few tries for each', async () => {
		const { window, world, mark, pass, told } = open();
		world.before = (call) => {
			if (call === 'email 10') {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await pass(60 * minuteMs);
		mark(1, 'approved');
		await pass(90 * minuteMs);
		assert.deepEqual(told(), ['Set 1 answered: approved']);
		assert.equal(world.calls.filter((call) => call === 'email 10').length, 3);
		window.dispose();
	});

	test('end after the forge denies access', async () => {
		const { window, world, pass, asked } = open();
		world.patchsets.set(
			'~bob/others',
			(world.patchsets.get('~bob/others') ?? []).filter(({ id }) => id !== 1),
		);
		await pass(120 * minuteMs);
		assert.equal(asked().filter((call) => call.endsWith(' 1')).length, 1);
		window.dispose();
	});

	test('happen immediately on a refresh if the account is involved', async () => {
		const { window, mark, pass, told, asked } = open(60);
		window.inbox.choose('list ~bob/others', 'everything');
		await pass(10 * minuteMs);
		const list = { owner: '~bob', name: 'others' };
		await window.lists.newest.more(list, 'patchsets', () => undefined, new AbortController().signal);
		await pass(40 * minuteMs);
		for (const id of [1, 2, 3, 4]) {
			mark(id, 'approved');
		}
		const before = asked().length;
		void window.readings.refresh(new AbortController().signal);
		// Without the refresh, one patchset has its turn every ten minutes.
		await pass(2 * minuteMs);
		assert.deepEqual(told(), ['Set 1 answered: approved', 'Set 2 participating: approved']);
		assert.equal(asked().length - before, 2);
		window.dispose();
	});

	test('happen only once on a refresh while the forge is unreachable', async () => {
		const { window, world, pass } = open();
		world.before = (call) => {
			if (call === 'email 10') {
				throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' });
			}
		};
		await pass(2 * minuteMs);
		const tries = (): number => world.calls.filter((call) => call === 'email 10').length;
		const before = tries();
		void window.readings.refresh(new AbortController().signal);
		await pass(minuteMs, 1000);
		assert.equal(tries() - before, 1);
		window.dispose();
	});
});
