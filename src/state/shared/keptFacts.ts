import type { LearntFacts } from '../../forge/learntFacts.ts';
import type { KeptNames } from './keptNames.ts';

/** Keeps what was learnt of a server over restarts. What cannot be kept is still known until the window goes. */
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
