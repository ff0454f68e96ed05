import assert from 'node:assert/strict';
import { catchUp } from '../../../../src/store/webhooks/accountWebhooks.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const secondMs = 1000;

suite('catch-up after missed deliveries', function () {
	this.timeout(20_000);

	test('runs once, soon, and on its own share when the hourly budget is exhausted', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		const tracker = makeTracker();
		forge.trackers.world.trackers.push(tracker);
		forge.trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 1, tracker })]);
		forge.lists.world.lists.push(makeList());
		const perHour = 120;
		using window = { ...watchingWindow({ forge, clock, perHour }), [Symbol.dispose]: () => window.dispose() };
		const { budget } = window.background;
		const missed = catchUp(window.background, clock);
		const pass = async (totalMs: number): Promise<void> => {
			for (let passedMs = 0; passedMs < totalMs; passedMs += secondMs) {
				clock.advance(secondMs);
				for (let turn = 0; turn < 6; turn += 1) {
					await new Promise((resolve) => setImmediate(resolve));
				}
			}
		};
		await pass(60 * secondMs);
		while (budget.spent() < perHour) {
			budget.spend();
		}
		const comment = forge.comment('~alice/alpha', 1);
		const mail = forge.mail('~alice/devel');
		const told = (): readonly string[] => window.inbox.items().map(({ entry }) => entry.id);
		await pass(60 * secondMs);
		assert.deepEqual(told(), []);
		missed.begin();
		missed.begin();
		await pass(30 * secondMs);
		assert.deepEqual(told().toSorted(), [comment, `mail ~alice/devel ${mail}`].toSorted());
		const cost = budget.spent() - perHour;
		assert.ok(cost > 0 && cost <= 0.2 * perHour, `${cost} requests`);
		await pass(300 * secondMs);
		// The loan to polling ends.
		assert.ok(budget.readyAtMs(1) > clock.nowMs());
		missed.dispose();
	});
});
