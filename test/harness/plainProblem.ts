/** A problem that is said in one sentence with its remedy; where in the code it was found helps nobody. */
export class PlainProblem extends Error {
	override readonly name = 'PlainProblem';
}

/** How a problem is shown: the sentence alone, or with the stack where the sentence was not made for people. */
export function shownProblem(error: unknown): string {
	if (error instanceof PlainProblem) {
		return error.message;
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
