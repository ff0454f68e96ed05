import type { Log } from '../base/log.ts';
import type { Refusal } from './delivery.ts';

/** How many requests were refused, by reason. */
export type RefusalCounts = ReadonlyMap<Refusal, number>;

/** Counts refusals, and tells the log of the first, the tenth, the hundredth …: a flood writes no log full. */
export function countRefusals(log: Log): { readonly counts: RefusalCounts; add(refusal: Refusal): void } {
	const counts = new Map<Refusal, number>();
	return {
		counts,
		add(refusal) {
			const count = (counts.get(refusal) ?? 0) + 1;
			counts.set(refusal, count);
			if (/^10*$/.test(String(count))) {
				log.warn(`Refused by the webhook listener (${refusal}): ${count}`);
			}
		},
	};
}
