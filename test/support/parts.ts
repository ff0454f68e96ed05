import { runsAll } from './counts.ts';

/**
 * `npm test` runs the first part of the tests, `npm test -- --rest` the others. Without FORGE_DESK_PART, as for named
 * stages and tests and in `npm run prove`, all run.
 */
export type Part = 'first' | 'rest';

/** The part of this run; `undefined` for all tests. */
export function chosenPart(): Part | undefined {
	const named = process.env['FORGE_DESK_PART'];
	return runsAll() || (named !== 'first' && named !== 'rest') ? undefined : named;
}

const rest = new WeakSet<object>();

/** Puts a test or a suite into the second part. The first part has a test that fails for most of the same faults. */
export function inRest<T extends Mocha.Test | Mocha.Suite>(each: T): T {
	rest.add(each);
	return each;
}

type Body = (this: Mocha.Context) => void | Promise<void>;

/** A test of the second part. */
export function testInRest(title: string, body: Body): Mocha.Test {
	return inRest(test(title, body));
}

/** A test in both parts, with fewer rounds in the first: see `counts`. Named stages and tests run it once. */
export function testInBoth(title: string, body: Body): Mocha.Test {
	const made = test(title, body);
	return chosenPart() === 'first' ? made : inRest(made);
}

function isInRest(each: Mocha.Test | Mocha.Suite | undefined): boolean {
	return each !== undefined && (rest.has(each) || isInRest(each.parent));
}

/** Removes the tests of the other part. */
export function keepPart(suite: Mocha.Suite, part: Part): void {
	const kept = suite.tests.filter((each) => isInRest(each) === (part === 'rest'));
	suite.tests.splice(0, suite.tests.length, ...kept);
	suite.suites.forEach((each) => keepPart(each, part));
}

/** True for sources that may have tests of the second part. */
export function mayBeInRest(source: string): boolean {
	return /\b(?:inRest|testInRest|testInBoth|contractSuite|protocolSuite|agedProtocolSuite)\b/.test(source);
}
