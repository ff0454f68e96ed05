import type { BackgroundTask, BackgroundTimes } from './backgroundLoop.ts';
import type { RequestBudget } from './requestBudget.ts';

/** What a task is due by. */
export interface BudgetedTaskParts extends Pick<BackgroundTask, 'isApart' | 'isTold' | 'read' | 'failed'> {
	readonly budget: RequestBudget;
	/** Of an hour's requests, from 0 to 1; the rest is left to what is worth more. */
	readonly share: number;
	/** When it should be read; milliseconds since 1970. */
	readonly wishedMs: number;
	/** Follows from `isTold` when left out. */
	readonly cause?: 'poll' | 'delivery';
}

/**
 * A task that runs at its time, or later when the loop rests or the budget has no room. A delivery's task may also use the
 * deliveries' own share. The ticket index alone reports the wait (`waitsForBudget`), since views show that pause.
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

/** When something is due that is wished for, and when it may run: `readyMs` is when there is room for it in the budget. */
export function budgetedTimes(
	{ restUntilMs }: Pick<BackgroundTimes, 'restUntilMs'>,
	{ wishedMs, readyMs }: { readonly wishedMs: number; readonly readyMs: number },
): { readonly dueMs: number; readonly atMs: number } {
	const dueMs = Math.max(wishedMs, restUntilMs);
	return { dueMs, atMs: Math.max(dueMs, readyMs) };
}
