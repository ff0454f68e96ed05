import type { LearntFacts } from 'sourcehut/port/learntFacts.ts';

/** A stored set of names, such as followed trackers. */
export interface KeptNames {
	all(): readonly string[];
	keep(names: readonly string[]): Promise<void>;
}

/** Stores learned server capabilities across restarts. If a write fails, they last until the window closes. */
export function keptFacts(names: KeptNames): LearntFacts {
	const facts = new Set(names.all());
	return {
		has: (fact) => facts.has(fact),
		all: () => [...facts],
		learn(fact, isSo) {
			if (facts.has(fact) === isSo) {
				return;
			}
			if (isSo) {
				facts.add(fact);
			} else {
				facts.delete(fact);
			}
			names.keep([...facts]).catch(() => undefined);
		},
	};
}
