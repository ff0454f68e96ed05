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

suite('request budget', () => {
	test('never exceeds its limit in any hour', () => {
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

	test('blocks for at most an hour after the clock moves back, without extra requests', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 2, clock);
		budget.spend();
		budget.spend();
		clock.advance(-24 * hourMs);
		assert.equal(budget.readyAtMs(1), clock.nowMs() + hourMs);
	});

	test('is common to all windows of an account, and survives a reload', () => {
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
		test(`ignores a damaged request log (${damaged})`, () => {
			const clock = fakeClock();
			const memory = keptSent({ read: () => damaged, write: async () => undefined }, clock);
			const budget = requestBudget(() => 1, clock, memory);
			assert.equal(budget.readyAtMs(1), clock.nowMs());
		});
	}

	test('predicts the time of the next free request', () => {
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

	test('reserves the rest of a share for higher priority', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 10, clock);
		for (let sent = 0; sent < 8; sent += 1) {
			budget.spend();
		}
		assert.ok(budget.readyAtMs(0.8) > clock.nowMs());
		assert.equal(budget.readyAtMs(1), clock.nowMs());
	});

	test('allows an initial burst of polls, then spreads them over the hour', async () => {
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

	test('serves higher priority after polls exhaust their part', async () => {
		const budget = requestBudget(() => 300, fakeClock());
		const nowMs = budget.readyAtMs(0.8);
		while (budget.readyAtMs(0.8) <= nowMs) {
			await poll(budget);
		}
		assert.equal(budget.readyAtMs(1), nowMs);
	});

	test('does not slow polls down after user requests', async () => {
		const budget = requestBudget(() => 300, fakeClock());
		const nowMs = budget.readyAtMs(1);
		for (let sent = 0; sent < 200; sent += 1) {
			budget.spend();
		}
		assert.equal(budget.readyAtMs(1), nowMs);
	});

	for (const perHour of [1, 2, 4]) {
		test(`of ${perHour} is too small for shares and serves everything`, () => {
			const clock = fakeClock();
			const budget = requestBudget(() => perHour, clock);
			for (let sent = 0; sent < perHour; sent += 1) {
				assert.equal(budget.readyAtMs(0.8), clock.nowMs());
				budget.spend();
			}
			assert.equal(budget.readyAtMs(0.8), clock.nowMs() + hourMs);
		});
	}

	test('counts user requests but never delays them', () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 1, clock);
		for (let sent = 0; sent < 5; sent += 1) {
			budget.spend();
		}
		assert.equal(budget.readyAtMs(1), clock.nowMs() + hourMs);
	});

	test('of zero never allows a request', () => {
		const budget = requestBudget(() => 0, fakeClock());
		assert.deepEqual([budget.readyAtMs(1), budget.readyAtMs(0.8)], [Infinity, Infinity]);
	});

	test('reserves a limited share for deliveries after polling exhausts the hour', async () => {
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

	test('lends the share of deliveries to polling and reduces it by the loan', () => {
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

	test('reserves half the delivery share, however much polling borrows', async () => {
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
