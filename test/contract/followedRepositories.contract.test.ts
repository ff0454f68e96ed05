import assert from 'node:assert/strict';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { busyForge } from './support/busyForge.ts';
import { protocolSuite, wanted } from '../support/contractForge.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { watchingWindow } from '../support/watchingWindow.ts';

const minuteMs = 60_000;

/** Requests at most, in the first ten minutes and in an idle hour, with 20 trackers, 20 lists and so many repositories. */
const limits = [
	{ repositories: 0, start: 16, idleHour: 35 },
	{ repositories: 6, start: 19, idleHour: 40 },
	{ repositories: 10, start: 22, idleHour: 45 },
] as const;

protocolSuite('followed repositories', { firstIn: 'graphql' }, ({ dialect, forge }) => {
	if (dialect !== 'graphql') {
		return;
	}
	const made: string[] = [];

	suiteSetup(async () => {
		const { trackers, lists, repositories } = forge().as('alice');
		for (let at = 0; at < 18; at += 1) {
			const { name } = await trackers.create({ name: `tracker-${at}`, description: '' }, wanted());
			await trackers.submit({ owner: '~alice', name }, { title: 'It flickers', description: '' }, wanted());
			await lists.create({ name: `list-${at}` }, wanted());
		}
		for (let at = 0; at < 10; at += 1) {
			const { name } = await repositories.create(
				{ name: `repository-${at}`, description: '', visibility: 'public' },
				wanted(),
			);
			made.push(`~alice/${name}`);
		}
	});

	for (const { repositories, start, idleHour } of limits) {
		test(`${repositories} repositories cost few requests beside 20 trackers and 20 lists`, async () => {
			const { sample } = forge();
			const clock = fakeClock(Date.now() - 12 * 60 * minuteMs);
			const busy = busyForge(forge().as('alice'));
			using owned = new Disposables();
			owned.add(
				watchingWindow({
					forge: busy.forge,
					clock,
					followed: { repositories: made.slice(0, repositories) },
					perHour: 300,
				}),
			);
			const sent = async (ms: number): Promise<{ readonly count: number; readonly kinds: string }> => {
				await sample.forgetRequests();
				await busy.pass(clock, ms);
				// The index loads the tickets of this world at a pace of its own.
				const asked = (await sample.requests()).filter(
					({ question }) => question?.startsWith('query TicketsInFull') === false,
				);
				const kinds = Map.groupBy(asked, ({ question, area }) => `${area} ${question?.split(' {')[0]}`);
				return {
					count: asked.length,
					kinds: Array.from(kinds, ([kind, all]) => `${all.length} ${kind}`).join('\n'),
				};
			};
			const first = await sent(10 * minuteMs);
			await sent(50 * minuteMs);
			const hour = await sent(60 * minuteMs);
			assert.ok(first.count <= start, `${first.count} requests at first:\n${first.kinds}`);
			assert.ok(hour.count <= idleHour, `${hour.count} requests in an hour:\n${hour.kinds}`);
		});
	}
});
