import { runResting, type Resting, type Steps } from '../../../base/timeSlice.ts';

/** What is worked out of tickets, by a key, once per change and not at every look. */
export interface KeptResults<From, T> {
	/** Works it out, unless what is kept is true still, with rests between, so that nothing else waits. */
	current(key: string, from: From, signal: AbortSignal): Promise<T>;
	/** As last worked out, whether it is true still or not. */
	last(key: string): T | undefined;
	/** Whether nothing has changed since it was last worked out. */
	isCurrent(key: string): boolean;
	/** Those that hold for one of these keys are worked out again at the next look. */
	stale(isStale: (key: string) => boolean): void;
	/** Forgets what has no row any more. */
	clear(): void;
}

/** `steps` works out one result. */
export function keptResults<From, T>(steps: (from: From) => Steps<T>, resting: Resting): KeptResults<From, T> {
	const kept = new Map<string, { readonly result: T; readonly begun: number; isTrue: boolean }>();
	/** Counts what made results untrue: one that was being worked out meanwhile may be untrue already. */
	let changes = 0;
	/** Two may work out the same at once, and who began later knows more. */
	let beginnings = 0;
	return {
		async current(key, from, signal) {
			const known = kept.get(key);
			if (known?.isTrue === true) {
				return known.result;
			}
			const before = changes;
			beginnings += 1;
			const begun = beginnings;
			const result = await runResting(steps(from), resting, signal);
			const newer = kept.get(key);
			if (newer && newer.begun > begun) {
				return newer.result;
			}
			kept.set(key, { result, begun, isTrue: changes === before });
			return result;
		},
		last: (key) => kept.get(key)?.result,
		isCurrent: (key) => kept.get(key)?.isTrue === true,
		stale(isStale) {
			changes += 1;
			for (const [key, entry] of kept) {
				entry.isTrue &&= !isStale(key);
			}
		},
		clear() {
			changes += 1;
			kept.clear();
		},
	};
}
