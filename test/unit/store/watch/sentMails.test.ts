import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import type { ListStoreChange } from '../../../../src/store/lists/listChange.ts';
import { sentMails } from '../../../../src/store/watch/sentMails.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset } from '../../../support/makeMail.ts';
import { passTime } from '../support/passTime.ts';

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

function situation() {
	const clock = fakeClock();
	const { world, api } = fakeLists();
	world.lists.push(makeList());
	world.posts.set('~alice/devel', []);
	world.patchsets.set('~alice/devel', []);
	const { lists } = listConnection(api);
	const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
	const budget = requestBudget(() => 600, clock);
	const loop = backgroundLoop(presence, budget, clock);
	const sent = sentMails(lists, { loop, budget }, clock);
	return {
		world,
		lists,
		sent,
		loop,
		budget,
		/** Requests within this many seconds. */
		pass: async (seconds: number): Promise<readonly string[]> => {
			const from = world.calls.length;
			await passTime(clock, seconds * 1000, { stepMs: 1000 });
			return world.calls.slice(from);
		},
		arrive: (id: number, changes: Parameters<typeof makeMail>[0] = {}): void => {
			const mail = makeMail({ id, messageId: `<m${id}@x>`, list: makeList(), ...changes });
			world.mails.push(mail);
			if (mail.threadId === undefined) {
				world.posts.get('~alice/devel')?.unshift(mail);
			}
		},
	};
}

suite('sent messages', () => {
	test('of a series appear in visible lists after lookups of the last message', async () => {
		const { world, lists, sent, pass, arrive } = situation();
		await lists.posts(list).first(never);
		await lists.patchsets(list).first(never);
		sent.wentOut(list, '<m6@x>');
		assert.deepEqual(await pass(9), []);
		assert.deepEqual(await pass(1), ['email <m6@x>']);
		arrive(5, { isPatch: false });
		arrive(6, { isPatch: true, threadId: 5, parentId: 5 });
		world.patchsets.set('~alice/devel', [makePatchset({ id: 7 })]);
		assert.deepEqual(await pass(19), []);
		assert.deepEqual(await pass(1), ['email <m6@x>', 'posts ~alice/devel 0', 'patchsets ~alice/devel 0']);
		assert.deepEqual(
			[
				lists
					.posts(list)
					.known()
					?.items.map(({ id }) => id),
				lists
					.patchsets(list)
					.known()
					?.items.map(({ id }) => id),
			],
			[[5], [7]],
		);
		assert.deepEqual(await pass(1000), []);
	});

	test('cause no reload of hidden lists', async () => {
		const { sent, pass, arrive } = situation();
		arrive(6, { isPatch: true });
		sent.wentOut(list, '<m6@x>');
		assert.deepEqual(await pass(1000), ['email <m6@x>']);
	});

	test('that are replies reload a visible thread and a patchset whose status they may change', async () => {
		const { world, lists, sent, pass, arrive } = situation();
		world.patchsets.set('~alice/devel', [makePatchset({ id: 7 })]);
		await lists.patchsets(list).first(never);
		arrive(1);
		await lists.thread(list, 1, never);
		for (const id of [5, 6]) {
			arrive(id, { threadId: 1, parentId: 1, patchsetId: 7 });
		}
		const changes: ListStoreChange[] = [];
		lists.onDidChange((change) => changes.push(change));
		world.patchsets.set('~alice/devel', [makePatchset({ id: 7, status: 'applied' })]);
		sent.wentOut(list, '<m6@x>');
		assert.deepEqual(await pass(1000), ['email <m6@x>', 'patchset ~alice/devel 7']);
		assert.equal(lists.knownPatchset({ list, id: 7 })?.status, 'applied');
		assert.deepEqual(changes[0], { kind: 'thread', list, id: 1 });
		assert.deepEqual(
			(await lists.thread(list, 1, never)).map(({ id }) => id),
			[1, 5, 6],
		);
	});

	test('are looked up again if the reload failed', async () => {
		const { world, lists, sent, pass, arrive } = situation();
		await lists.patchsets(list).first(never);
		arrive(6, { isPatch: true });
		world.patchsets.set('~alice/devel', [makePatchset({ id: 7 })]);
		world.before = (call) => {
			if (call.startsWith('patchsets ')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		sent.wentOut(list, '<m6@x>');
		assert.deepEqual(await pass(10), ['email <m6@x>', 'patchsets ~alice/devel 0']);
		world.before = () => undefined;
		assert.deepEqual(await pass(1000), ['email <m6@x>', 'patchsets ~alice/devel 0']);
		assert.deepEqual(
			lists
				.patchsets(list)
				.known()
				?.items.map(({ id }) => id),
			[7],
		);
	});

	test('get no requests after about ten minutes, whether missing or failing', async () => {
		for (const problem of [undefined, { kind: 'serverError', status: 500 } as const]) {
			const { world, sent, pass } = situation();
			world.before = () => {
				if (problem) {
					throw new ForgeError(problem);
				}
			};
			sent.wentOut(list, '<m6@x>');
			assert.equal((await pass(601)).length, 6);
			assert.deepEqual(await pass(1000), []);
		}
	});

	test('count as lacking until the forge has them, also after the last try and after a failed one', async () => {
		const { world, sent, pass, arrive } = situation();
		sent.wentOut(list, '<m6@x>');
		assert.equal(await sent.lacking({ owner: '~alice', name: 'other' }, never), 0);
		assert.deepEqual(world.calls, []);
		assert.equal(await sent.lacking(list, never), 1);
		assert.deepEqual(world.calls, ['email <m6@x>']);
		await pass(1000);
		world.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 500 });
		};
		assert.equal(await sent.lacking(list, never), 1);
		world.before = () => undefined;
		arrive(6);
		assert.equal(await sent.lacking(list, never), 0);
		assert.deepEqual([await sent.lacking(list, never), await pass(1000)], [0, []]);
	});

	test('are looked up immediately on a refresh, within the budget', async () => {
		const { sent, loop, pass, budget, arrive } = situation();
		sent.wentOut(list, '<m6@x>');
		assert.deepEqual(await pass(3), []);
		loop.hurry();
		assert.deepEqual(await pass(1), ['email <m6@x>']);
		Array.from({ length: 600 }).forEach(() => budget.spend());
		assert.deepEqual(await pass(1000), []);
		arrive(6);
		assert.deepEqual(await pass(3000), ['email <m6@x>']);
	});
});
