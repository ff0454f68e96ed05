/** A problem that is said in one sentence with its remedy; where in the code it was found helps nobody. */
export class PlainProblem extends Error {
	override readonly name = 'PlainProblem';
}

/**
 * How a problem is shown: the sentence alone, or with the stack where the sentence was not made for people. The first line
 * holds the sentences of all errors within it, since the rest may be cut.
 */
export function shownProblem(error: unknown): string {
	if (error instanceof PlainProblem) {
		return error.message;
	}
	if (!(error instanceof Error)) {
		return String(error);
	}
	const within = errorsWithin(error).map(shownProblem);
	const [first = '', ...rest] = (error.stack ?? error.message).split('\n');
	return [[first, ...within.map((each) => each.split('\n')[0])].join(': '), ...rest, ...within].join('\n');
}

function errorsWithin(error: Error): readonly unknown[] {
	const causes = error.cause === undefined ? [] : [error.cause];
	if (error instanceof AggregateError) {
		const errors: readonly unknown[] = error.errors;
		return [...errors, ...causes];
	}
	return error instanceof SuppressedError ? [error.error, error.suppressed, ...causes] : causes;
}
