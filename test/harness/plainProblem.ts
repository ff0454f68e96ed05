/** A problem in one sentence with its remedy, shown without its stack. */
export class PlainProblem extends Error {
	override readonly name = 'PlainProblem';
}

/** The sentence alone for a PlainProblem, else the stack. The first line has the sentences of all nested errors. */
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
