type Fact = () => Promise<string>;

const facts = new Set<Fact>();

/** Long enough for a page of a busy editor, and short after a failed test. */
const mostMs = 10_000;

/** Until disposed, adds the result of `fact` to the error of each failed test and hook. */
export function tellAtFailure(fact: Fact): Disposable {
	facts.add(fact);
	return { [Symbol.dispose]: () => void facts.delete(fact) };
}

/** Current facts; omits those that fail. */
export async function factsNow(): Promise<readonly string[]> {
	const timer = Promise.withResolvers<string>();
	const timeout = setTimeout(() => timer.resolve(''), mostMs);
	const told = await Promise.all(Array.from(facts, (fact) => Promise.race([fact().catch(() => ''), timer.promise])));
	clearTimeout(timeout);
	return told.filter((text) => text !== '');
}
