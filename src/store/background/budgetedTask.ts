import type { BackgroundTask, BackgroundTimes } from './backgroundLoop.ts';
import type { RequestBudget } from './requestBudget.ts';

/**
 * A task that waits for its time, the loop and the budget. `share`: of the hourly budget, from 0 to 1; the rest is for
 * higher priorities. Delivery tasks may also use their own budget share. Only the ticket index reports the wait
 * (`waitsForBudget`), because views show that pause.
 */
export function budgetedTask(
	times: BackgroundTimes,
	budget: RequestBudget,
	share: number,
	task: Omit<BackgroundTask, 'atMs' | 'waitsForBudget'> & { readonly wishedMs: number },
	cause: 'poll' | 'delivery' = task.isTold ? 'delivery' : 'poll',
): BackgroundTask {
	return {
		...task,
		atMs: budgetedTimes(times, task.wishedMs, budget.readyAtMs(share, cause)).atMs,
		waitsForBudget: false,
		read: cause === 'delivery' ? (signal) => budget.forDelivery(() => task.read(signal)) : task.read,
	};
}

/** Due time, and earliest time to run. `readyMs`: when the budget has room. */
export function budgetedTimes(
	{ restUntilMs }: BackgroundTimes,
	wishedMs: number,
	readyMs: number,
): { readonly dueMs: number; readonly atMs: number } {
	const dueMs = Math.max(wishedMs, restUntilMs);
	return { dueMs, atMs: Math.max(dueMs, readyMs) };
}
