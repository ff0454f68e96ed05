import assert from 'node:assert/strict';
import { listKey } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { testInRest } from '../../../support/parts.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const perHour = 120;

/**
 * How a server shows new mails: times of last mails (GraphQL), times of lists by owner (REST), or not at all (services
 * of 2023). With `owners`, each list has another owner, and REST needs a request for each.
 */
type Server = 'activity' | 'times' | 'owners' | 'neither';

/** A window that follows so many lists. Each has had a mail an hour ago. */
function opened(server: Server, count: number) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.lists;
	const createdMs = clock.nowMs() - 100 * minuteMs;
	const all = Array.from({ length: count }, (_, at) => ({
		name: `l${at}`,
		owner: server === 'owners' ? `o${at}` : 'bob',
	}));
	all.forEach(({ name, owner }, at) => {
		world.lists.push(makeList({ id: at + 1, name, owner: makeUser(owner), createdMs, updatedMs: createdMs }));
	});
	/** A mail for each list. Returns the ids of their entries. */
	const mails = (): readonly string[] =>
		all.map(({ name, owner }, at) => {
			const list = world.lists[at];
			assert.ok(list);
			world.lists[at] = { ...list, updatedMs: clock.nowMs() };
			return `mail ~${owner}/${name} ${forge.mail(`~${owner}/${name}`)}`;
		});
	mails();
	clock.advance(60 * minuteMs);
	const activity = {
		mostLists: 65,
		lastMs(refs: readonly { readonly owner: string; readonly name: string }[]) {
			world.calls.push('activity');
			const times = new Map(world.mails.map((mail) => [mail.list?.name, mail.createdMs]));
			return Promise.resolve(new Map(refs.map((ref) => [listKey(ref), times.get(ref.name) ?? 0])));
		},
	};
	const api = {
		...forge.lists.api,
		...(server === 'activity' ? { activity } : {}),
		...(server === 'times' || server === 'owners' ? ({ updatesWithMails: true } as const) : {}),
	};
	const followed = { lists: all.map(({ name, owner }) => `~${owner}/${name}`) };
	const window = watchingWindow({ forge: { ...forge, lists: { ...forge.lists, api } }, clock, followed, perHour });
	const told = (): ReadonlySet<string> => new Set(window.inbox.items().map(({ entry }) => entry.id));
	return { clock, window, followed, mails, told, pass: (ms: number) => passTime(clock, ms, { stepMs: 20_000 }) };
}

suite('every followed list has its turn', function () {
	this.timeout(120_000);

	for (const server of ['activity', 'times', 'owners', 'neither'] as const) {
		for (const count of [20, 61, 66, 200]) {
			// The bound in docs/notifications.md: ten requests of the budget for each list, although all have news at once.
			const hours = (10 * count) / perHour;
			const make = count === 61 ? test : testInRest;
			make(`within ${hours.toFixed(1)} hours at ${perHour} requests an hour: ${server}, ${count} lists`, async () => {
				const { window, followed, mails, told, pass } = opened(server, count);
				followed.lists.forEach((name) => window.inbox.choose(`list ${name}`, 'everything'));
				await pass(2 * minuteMs);
				const sent = mails();
				for (let passed = 0; passed < hours * 60 && told().size < count; passed += 10) {
					await pass(10 * minuteMs);
				}
				assert.deepEqual([...told()].toSorted(), sent.toSorted());
				window.dispose();
			});
		}

		test(`the chosen one of 61 first: ${server}`, async () => {
			const { window, followed, mails, told, pass } = opened(server, 61);
			const [chosen = ''] = followed.lists.slice(30);
			window.inbox.choose(`list ${chosen}`, 'everything');
			await pass(2 * minuteMs);
			const sent = mails();
			await pass(20 * minuteMs);
			assert.deepEqual([...told()], [sent[30]]);
			window.dispose();
		});
	}
});
