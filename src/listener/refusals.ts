import type { Log } from '../base/log.ts';
import type { Refusal } from './delivery.ts';

/** Number of refused requests by reason. */
export type RefusalCounts = ReadonlyMap<Refusal, number>;

/** Logs the first, tenth, hundredth … refusal only, so that a flood does not fill the log. */
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
