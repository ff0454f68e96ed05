type Fact = () => Promise<string>;

const facts = new Set<Fact>();

/** Long enough for a page of a busy editor, and short beside the test that has just failed. */
const mostMs = 10_000;

/** Until it is disposed, what `fact` answers stands below the error of each test and hook that fails. */
export function tellAtFailure(fact: Fact): Disposable {
	facts.add(fact);
	return { [Symbol.dispose]: () => void facts.delete(fact) };
}

/** What those who know have to say of this moment; a fact that cannot be told is left out. */
export async function factsNow(): Promise<readonly string[]> {
	const timer = Promise.withResolvers<string>();
	const timeout = setTimeout(() => timer.resolve(''), mostMs);
	const told = await Promise.all(Array.from(facts, (fact) => Promise.race([fact().catch(() => ''), timer.promise])));
	clearTimeout(timeout);
	return told.filter((text) => text !== '');
}
