import { SharedReads } from '../../base/sharedFlights.ts';
import { JoinedBudget, type SearchBudget } from '../repositories/history/historyReads.ts';

/** Like `SharedReads`, charging the budgets of all waiting callers. */
export class BudgetedReads<T> {
	readonly #reads = new SharedReads<T>();
	readonly #budgets = new Map<string, JoinedBudget>();

	/** `start` runs unless a read of `key` is in progress. */
	async read(
		key: string,
		start: (budget: SearchBudget, signal: AbortSignal) => Promise<T>,
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<T> {
		const joined = this.#budgets.get(key) ?? new JoinedBudget();
		this.#budgets.set(key, joined);
		const paying = joined.join(budget);
		try {
			return await this.#reads.read(key, (shared) => start(joined, shared), signal);
		} finally {
			paying.dispose();
			if (!joined.isJoined()) {
				this.#budgets.delete(key);
			}
		}
	}
}
