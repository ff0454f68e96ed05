import type { BackgroundTask, BackgroundTimes } from './backgroundLoop.ts';
import type { RequestBudget } from './requestBudget.ts';

export interface BudgetedTaskParts extends Pick<BackgroundTask, 'isApart' | 'isTold' | 'read' | 'failed'> {
	readonly budget: RequestBudget;
	/** Share of the hourly budget, from 0 to 1; the rest is for higher priorities. */
	readonly share: number;
	/** Due time in milliseconds since 1970. */
	readonly wishedMs: number;
	/** Default: derived from `isTold`. */
	readonly cause?: 'poll' | 'delivery';
}

/**
 * A task that waits for its time, the loop and the budget. Delivery tasks may also use their own budget share. Only the
 * ticket index reports the wait (`waitsForBudget`), because views show that pause.
 */
export function budgetedTask(
	times: BackgroundTimes,
	{ budget, share, wishedMs, isApart, isTold, cause = isTold ? 'delivery' : 'poll', read, failed }: BudgetedTaskParts,
): BackgroundTask {
	return {
		atMs: budgetedTimes(times, { wishedMs, readyMs: budget.readyAtMs(share, cause) }).atMs,
		wishedMs,
		waitsForBudget: false,
		isApart,
		...(isTold === undefined ? {} : { isTold }),
		read: cause === 'delivery' ? (signal) => budget.forDelivery(() => read(signal)) : read,
		failed,
	};
}

/** Due time, and earliest time to run. `readyMs`: when the budget has room. */
export function budgetedTimes(
	{ restUntilMs }: Pick<BackgroundTimes, 'restUntilMs'>,
	{ wishedMs, readyMs }: { readonly wishedMs: number; readonly readyMs: number },
): { readonly dueMs: number; readonly atMs: number } {
	const dueMs = Math.max(wishedMs, restUntilMs);
	return { dueMs, atMs: Math.max(dueMs, readyMs) };
}
