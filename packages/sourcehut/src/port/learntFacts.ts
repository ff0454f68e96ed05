/** Names of server properties learnt from answers, never guessed. */
export interface LearntFacts {
	has(fact: string): boolean;
	learn(fact: string, isSo: boolean): void;
	/** All true facts, oldest first. */
	all(): readonly string[];
}

export function factsInMemory(): LearntFacts {
	const facts = new Set<string>();
	return {
		has: (fact) => facts.has(fact),
		learn: (fact, isSo) => void (isSo ? facts.add(fact) : facts.delete(fact)),
		all: () => [...facts],
	};
}
