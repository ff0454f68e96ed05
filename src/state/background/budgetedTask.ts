import type { BackgroundTask, BackgroundTimes } from './backgroundLoop.ts';
import type { RequestBudget } from './requestBudget.ts';

/** What a task is due by. */
export interface BudgetedTaskParts extends Pick<BackgroundTask, 'isApart' | 'isTold' | 'read' | 'failed'> {
	readonly budget: RequestBudget;
	/** Of what an hour allows, from 0 to 1; the rest is left to what is worth more. */
	readonly share: number;
	/** When it should be read; milliseconds since 1970. */
	readonly wishedMs: number;
}

/**
 * A task that is due when it is wished for, once nothing rests any more and there is room in the budget. People are not told
 * that it waits for that: it stands behind the index of tickets, and the view says of that when it rests.
 */
export function budgetedTask(
	times: BackgroundTimes,
	{ budget, share, wishedMs, isApart, isTold, read, failed }: BudgetedTaskParts,
): BackgroundTask {
	return {
		atMs: budgetedTimes(times, { wishedMs, readyMs: budget.readyAtMs(share) }).atMs,
		wishedMs,
		waitsForBudget: false,
		isApart,
		...(isTold === undefined ? {} : { isTold }),
		read,
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
