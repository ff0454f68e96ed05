/** What was learnt of a server by its answers, never guessed: names of facts that are so. */
export interface LearntFacts {
	has(fact: string): boolean;
	learn(fact: string, isSo: boolean): void;
	/** All that are so, in the order in which they were learnt. */
	all(): readonly string[];
}

/** Facts that are known until the process ends. */
export function factsInMemory(): LearntFacts {
	const facts = new Set<string>();
	return {
		has: (fact) => facts.has(fact),
		learn: (fact, isSo) => void (isSo ? facts.add(fact) : facts.delete(fact)),
		all: () => [...facts],
	};
}
