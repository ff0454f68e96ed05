import assert from 'node:assert/strict';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { passTime } from '../../support/passTime.ts';
import { watchedForge } from '../../../../support/watchedForge.ts';
import { watchingWindow } from '../../../../support/watchingWindow.ts';

const minuteMs = 60_000;

/** Minutes of requests for the newest page within an hour, in a window that doesn’t show the tracker. */
async function asked({
	everyMinutes,
	chance,
	perHour = 3000,
}: {
	everyMinutes: number | undefined;
	chance: number;
	perHour?: number;
}): Promise<readonly number[]> {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.trackers;
	world.trackers.push(makeTracker());
	const open = makeTicket({ id: 1, status: 'resolved', resolution: 'fixed' });
	world.tickets.set('~alice/alpha', [open]);
	const window = watchingWindow({ forge, clock, perHour, random: () => chance });
	await passTime(clock, 60 * minuteMs, { stepMs: 10_000 });
	const beganMs = clock.nowMs();
	const at: number[] = [];
	world.before = (call) =>
		void (call.startsWith('tickets ~alice/alpha') && at.push((clock.nowMs() - beganMs) / minuteMs));
	for (let minute = 1; minute <= 60; minute += 1) {
		if (everyMinutes !== undefined && minute % everyMinutes === 0) {
			const tickets = world.tickets.get('~alice/alpha') ?? [];
			world.tickets.set('~alice/alpha', [makeTicket({ id: tickets.length + 1, status: 'resolved' }), ...tickets]);
		}
		await passTime(clock, minuteMs, { stepMs: 10_000 });
	}
	window.dispose();
	return at;
}

suite('poll interval of a hidden tracker', () => {
	test('is short for an active tracker and long for a quiet one', async () => {
		const busy = await asked({ everyMinutes: 1, chance: 0 });
		assert.ok(busy.length >= 24 && busy.length <= 31, `busy: ${busy.length}`);
		const quiet = await asked({ everyMinutes: undefined, chance: 0 });
		assert.ok(quiet.length >= 3 && quiet.length <= 5, `quiet: ${quiet.length}`);
	});

	test('leaves room in a small budget', async () => {
		const busy = await asked({ everyMinutes: 1, chance: 0, perHour: 24 });
		assert.ok(busy.length <= 14, `${busy.length}`);
	});

	test('differs between windows, so that they don’t poll in step', async () => {
		const [one, other] = [
			await asked({ everyMinutes: undefined, chance: 0.1 }),
			await asked({ everyMinutes: undefined, chance: 0.9 }),
		];
		assert.ok(one.length > 0 && one.every((at) => !other.includes(at)), `${one.join()} and ${other.join()}`);
	});
});
