import assert from 'node:assert/strict';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { makeTicket, makeTracker, someTimeMs } from '../../../../support/makeTicket.ts';
import { passTime } from '../../support/passTime.ts';
import { watchedForge } from '../../../../support/watchedForge.ts';
import { watchingWindow } from '../../../../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const count = 120;

/** Own trackers of 120 tickets each, most of them closed. `moves`: whether a comment updates the time of its tracker. */
async function opened({ moves = (): boolean => true, isProved = true, owner = 'alice' } = {}) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.trackers;
	const user = { canonicalName: `~${owner}`, name: owner };
	const provedMs = someTimeMs + hourMs;
	for (const name of ['alpha', 'beta', 'gamma']) {
		const tracker = makeTracker({ name, owner: user, updatedMs: isProved ? provedMs : someTimeMs });
		world.trackers.push(tracker);
		const tickets = Array.from({ length: count }, (_, at): Ticket => {
			const id = count - at;
			const status = id > 100 ? 'reported' : 'resolved';
			return makeTicket({ id, tracker, status, updatedMs: id === 110 ? provedMs : someTimeMs });
		});
		world.tickets.set(`~${owner}/${name}`, tickets);
	}
	const followed = owner === 'alice' ? {} : { trackers: world.trackers.map(({ name }) => `~${owner}/${name}`) };
	const window = watchingWindow({ forge, clock, perHour: 300, followed });
	followed.trackers?.forEach((name) => window.inbox.choose(`tracker ${name}`, 'everything'));
	await passTime(clock, 2 * hourMs, { stepMs: 10 * secondMs });
	const told = (entry: string): boolean => window.inbox.items().some(({ entry: { id } }) => id === entry);
	return {
		clock,
		window,
		world,
		told,
		/** A comment at the current server second. */
		comment: (name: string, id: number): string => {
			const at = world.trackers.findIndex((each) => each.name === name);
			const tracker = world.trackers[at];
			if (tracker && moves()) {
				world.trackers[at] = { ...tracker, updatedMs: clock.nowMs() };
			}
			return forge.comment(`~${owner}/${name}`, id);
		},
		pass: (totalMs: number) => passTime(clock, totalMs, { stepMs: 10 * secondMs }),
		/** Minutes until the Inbox has the entry. */
		minutesTo: async (entry: string): Promise<number> => {
			let passedMs = 0;
			for (; !told(entry) && passedMs < 12 * hourMs; passedMs += 10 * secondMs) {
				await passTime(clock, 10 * secondMs, { stepMs: 10 * secondMs });
			}
			return passedMs / minuteMs;
		},
	};
}

suite('trackers whose times follow comments', function () {
	this.timeout(20_000);

	test('need one request per owner and a few for their tickets', async () => {
		const { window, world, pass } = await opened();
		world.calls.length = 0;
		await pass(hourMs);
		const rounds = world.calls.filter((call) => call.startsWith('trackers')).length;
		const pages = world.calls.filter((call) => call.startsWith('tickets')).length;
		assert.ok(rounds >= 12 && rounds <= 16, `${rounds} rounds`);
		assert.ok(pages >= 3 && pages <= 6, `${pages} pages: ${world.calls.join(', ')}`);
		window.dispose();
	});

	for (const owner of ['alice', 'bob']) {
		test(`report comments on any ticket of ${owner} within five minutes`, async () => {
			const { window, comment, minutesTo, pass } = await opened({ owner });
			for (const id of [115, 60, 1]) {
				const minutes = await minutesTo(comment('beta', id));
				assert.ok(minutes <= 5, `#${id}: ${minutes} minutes`);
				await pass(20 * minuteMs);
			}
			window.dispose();
		});
	}

	test('report a comment that the server stored late within the same second', async () => {
		const { window, world, comment, minutesTo, pass } = await opened();
		assert.ok((await minutesTo(comment('beta', 60))) <= 5);
		// The pages are read, and the next round is due later.
		await pass(minuteMs);
		const atMs = world.trackers.map(({ updatedMs }) => updatedMs);
		const late = comment('beta', 1);
		world.trackers.forEach((each, at) => (world.trackers[at] = { ...each, updatedMs: atMs[at] ?? 0 }));
		assert.ok((await minutesTo(late)) <= 5);
		window.dispose();
	});

	test('leave assignments to slow rereads', async () => {
		const { window, world, pass } = await opened();
		const tickets = world.tickets.get('~alice/gamma') ?? [];
		const [updatedMs, alice] = [someTimeMs + 9 * hourMs, { canonicalName: '~alice', name: 'alice' } as const];
		world.tickets.set(
			'~alice/gamma',
			tickets.map((each) => (each.id === 103 ? { ...each, updatedMs, assignees: [alice] } : each)),
		);
		await pass(3 * hourMs);
		assert.deepEqual(window.tickets.knownTicket({ tracker: { owner: '~alice', name: 'gamma' }, id: 103 })?.assignees, [
			alice,
		]);
		window.dispose();
	});
});

suite('trackers with unchanged times', function () {
	this.timeout(20_000);

	test('have their own polls, without rounds', async () => {
		const { window, world, comment, minutesTo } = await opened({ moves: () => false, isProved: false });
		world.calls.length = 0;
		const minutes = await minutesTo(comment('beta', 115));
		assert.ok(minutes <= 20, `${minutes} minutes`);
		assert.ok(world.calls.filter((call) => call.startsWith('trackers')).length <= 1);
		window.dispose();
	});

	test('return to their own polls after one comment without a new time', async () => {
		let areMoving = true;
		const { window, world, comment, minutesTo, pass } = await opened({ moves: () => areMoving });
		assert.ok((await minutesTo(comment('alpha', 115))) <= 5);
		areMoving = false;
		assert.ok((await minutesTo(comment('beta', 115))) < 12 * 60);
		await pass(20 * minuteMs);
		world.calls.length = 0;
		await pass(hourMs);
		const pollsOf = (call: string): number => world.calls.filter((each) => each.startsWith(call)).length;
		assert.ok(pollsOf('tickets') >= 12, world.calls.join(', '));
		assert.ok(pollsOf('trackers') <= 2, world.calls.join(', '));
		window.dispose();
	});
});
