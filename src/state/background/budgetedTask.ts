import type { Clock } from '../../base/clock.ts';
import type { BackgroundTask, BackgroundTimes } from './backgroundLoop.ts';
import type { RequestBudget } from './requestBudget.ts';

/** What a task is due by. */
export interface BudgetedTaskParts extends Pick<BackgroundTask, 'read' | 'failed'> {
	readonly budget: RequestBudget;
	/** Of what an hour allows, from 0 to 1; the rest is left to what is worth more. */
	readonly share: number;
	/** When it should be read; milliseconds since 1970. */
	readonly wishedMs: number;
	readonly clock: Pick<Clock, 'nowMs'>;
}

/** A task that is due when it is wished for, once nothing rests any more and there is room in the budget. */
export function budgetedTask(
	{ restUntilMs }: BackgroundTimes,
	{ budget, share, wishedMs, clock, read, failed }: BudgetedTaskParts,
): BackgroundTask {
	const readyMs = budget.readyAtMs(share);
	const dueMs = Math.max(wishedMs, restUntilMs);
	return { atMs: Math.max(dueMs, readyMs), waitsForBudget: readyMs > Math.max(dueMs, clock.nowMs()), read, failed };
}
