import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { keptSent } from '../../../../src/store/tickets/index/keptSent.ts';
import { requestBudget, type RequestBudget } from '../../../../src/store/background/requestBudget.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/fakeConnection.ts';

const hourMs = 3_600_000;

function poll(budget: RequestBudget): Promise<void> {
	return budget.forTask('poll', () => Promise.resolve(budget.spend()));
}

suite('budget of requests', () => {
	test('no hour, wherever it begins, holds more requests than are allowed', () => {
		const steps = fc.array(fc.record({ waitMs: fc.nat({ max: 900_000 }), share: fc.constantFrom(0.8, 0.9, 1) }), {
			maxLength: 400,
		});
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 60 }), steps, (perHour, wishes) => {
				const clock = fakeClock();
				const budget = requestBudget(() => perHour, clock);
				const sentMs: number[] = [];
				for (const { waitMs, share } of wishes) {
					clock.advance(waitMs);
					if (budget.readyAtMs(share) <= clock.nowMs()) {
						budget.spend();
						sentMs.push(clock.nowMs());
					}
				}
				for (const beganMs of sentMs) {
					const inHour = sentMs.filter((atMs) => atMs >= beganMs && atMs < beganMs + hourMs).length;
					assert.ok(inHour <= perHour, `${inHour} of ${perHour}`);
				}
			}),
			inRounds({ small: 200, full: 4000 }),
		);
	});

	test('a clock that is set back blocks for an hour at most, and allows no more either', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 2, clock);
		budget.spend();
		budget.spend();
		clock.advance(-24 * hourMs);
		assert.equal(budget.readyAtMs(1), clock.nowMs() + hourMs);
	});

	test('all windows of an account share one budget, and so does a window that was loaded again', () => {
		const clock = fakeClock();
		const kept = keptInMemory();
		const windowOf = (): { readonly budget: RequestBudget; readonly close: () => void } => {
			const memory = keptSent(kept, clock);
			const budget = requestBudget(() => 4, clock, memory);
			return { budget, close: () => memory.dispose() };
		};
		const [one, two] = [windowOf(), windowOf()];
		one.budget.spend();
		clock.advance(6000);
		two.budget.spend();
		two.budget.spend();
		clock.advance(6000);
		one.budget.spend();
		one.close();
		assert.ok(one.budget.readyAtMs(1) > clock.nowMs());
		assert.ok(two.budget.readyAtMs(1) > clock.nowMs());
		assert.equal(windowOf().budget.readyAtMs(1), one.budget.readyAtMs(1));
		clock.advance(hourMs);
		assert.equal(two.budget.readyAtMs(1), clock.nowMs());
	});

	for (const damaged of ['', '{', '{"a":1}', '["x"]', 7]) {
		test(`a damaged memory of requests (${damaged}) counts as none`, () => {
			const clock = fakeClock();
			const memory = keptSent({ read: () => damaged, write: async () => undefined }, clock);
			const budget = requestBudget(() => 1, clock, memory);
			assert.equal(budget.readyAtMs(1), clock.nowMs());
		});
	}

	test('tells when there will be room, and then there is', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 2, clock);
		budget.spend();
		clock.advance(60_000);
		budget.spend();
		const readyMs = budget.readyAtMs(1);
		assert.equal(readyMs - clock.nowMs(), hourMs - 60_000);
		clock.advance(readyMs - clock.nowMs());
		assert.equal(budget.readyAtMs(1), clock.nowMs());
	});

	test('a share keeps the rest for what is worth more', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 10, clock);
		for (let sent = 0; sent < 8; sent += 1) {
			budget.spend();
		}
		assert.ok(budget.readyAtMs(0.8) > clock.nowMs());
		assert.equal(budget.readyAtMs(1), clock.nowMs());
	});

	test('polls spend a part of an hour at once, then one after another, and no more in any hour', async () => {
		const clock = fakeClock();
		const startMs = clock.nowMs();
		const budget = requestBudget(() => 300, clock);
		const sent: number[] = [];
		while (clock.nowMs() < startMs + 3 * hourMs) {
			if (budget.readyAtMs(1) <= clock.nowMs()) {
				await poll(budget);
				sent.push(clock.nowMs() - startMs);
			} else {
				clock.advance(1000);
			}
		}
		const within = (fromMs: number, toMs: number): number => sent.filter((at) => at >= fromMs && at < toMs).length;
		assert.equal(within(0, 1000), 36);
		for (let fromMs = 0; fromMs < 2 * hourMs; fromMs += 60_000) {
			assert.ok(within(fromMs, fromMs + hourMs) <= 300);
			assert.ok(within(fromMs, fromMs + 60_000) >= 3, `minute ${fromMs / 60_000}`);
		}
	});

	test('what is worth more has its place beside polls that have spent their part', async () => {
		const budget = requestBudget(() => 300, fakeClock());
		const nowMs = budget.readyAtMs(0.8);
		while (budget.readyAtMs(0.8) <= nowMs) {
			await poll(budget);
		}
		assert.equal(budget.readyAtMs(1), nowMs);
	});

	test('what people ask for does not slow the polls down', async () => {
		const budget = requestBudget(() => 300, fakeClock());
		const nowMs = budget.readyAtMs(1);
		for (let sent = 0; sent < 200; sent += 1) {
			budget.spend();
		}
		assert.equal(budget.readyAtMs(1), nowMs);
	});

	for (const perHour of [1, 2, 4]) {
		test(`an allowance of ${perHour} is too small for shares, and is there for everything`, () => {
			const clock = fakeClock();
			const budget = requestBudget(() => perHour, clock);
			for (let sent = 0; sent < perHour; sent += 1) {
				assert.equal(budget.readyAtMs(0.8), clock.nowMs());
				budget.spend();
			}
			assert.equal(budget.readyAtMs(0.8), clock.nowMs() + hourMs);
		});
	}

	test('what people ask for counts and is not held back', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 1, clock);
		for (let sent = 0; sent < 5; sent += 1) {
			budget.spend();
		}
		assert.equal(budget.readyAtMs(1), clock.nowMs() + hourMs);
	});

	test('with nothing allowed nothing is ever ready', () => {
		const budget = requestBudget(() => 0, fakeClock());
		assert.deepEqual([budget.readyAtMs(1), budget.readyAtMs(0.8)], [Infinity, Infinity]);
	});

	test('deliveries have a share of their own when polling has spent the hour, and no more than that', async () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 20, clock);
		for (let count = 0; count < 20; count += 1) {
			budget.spend();
		}
		assert.equal(budget.readyAtMs(1), clock.nowMs() + 3_600_000);
		assert.equal(budget.readyAtMs(0.95, 'delivery'), clock.nowMs());
		await budget.forTask('delivery', async () => {
			for (let count = 0; count < 4; count += 1) {
				budget.spend();
			}
		});
		assert.equal(budget.readyAtMs(0.95, 'delivery'), clock.nowMs() + 3_600_000);
		clock.advance(3_600_000);
		assert.equal(budget.readyAtMs(0.95, 'delivery'), clock.nowMs());
	});

	test('polling has the share of deliveries while it is lent to it, and leaves less of it to them', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 20, clock);
		for (let count = 0; count < 20; count += 1) {
			budget.spend();
		}
		const full = clock.nowMs() + 3_600_000;
		const lent = budget.lend();
		assert.deepEqual([budget.readyAtMs(1), budget.isLifted], [clock.nowMs(), true]);
		budget.spend();
		lent.dispose();
		assert.deepEqual([budget.readyAtMs(1), budget.isLifted], [full, false]);
		const again = budget.lend();
		budget.spend();
		assert.deepEqual([budget.readyAtMs(1), budget.readyAtMs(1, 'delivery')], [full, clock.nowMs()]);
		again.dispose();
	});

	test('half the share of deliveries is theirs alone, however much polling borrows', async () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 300, clock);
		for (let count = 0; count < 300; count += 1) {
			budget.spend();
		}
		const lent = budget.lend();
		let borrowed = 0;
		for (; budget.readyAtMs(0.9) <= clock.nowMs(); borrowed += 1) {
			budget.spend();
		}
		lent.dispose();
		let delivered = 0;
		for (; budget.readyAtMs(0.95, 'delivery') <= clock.nowMs(); delivered += 1) {
			await budget.forTask('delivery', async () => budget.spend());
		}
		assert.deepEqual([borrowed, delivered], [30, 30]);
	});
});
