import type { Tally } from './report.ts';
import type { Outcome } from './stages.ts';

/** A stage of tests is fine when tests ran to their end, none failed, and its processes agree. */
export function judge(tally: Tally, isWellEnded: boolean): Outcome {
	const problem = problemOf(tally) ?? (isWellEnded ? undefined : 'all tests passed, but the run did not end well');
	return problem === undefined ? { tally } : { tally, problem };
}

function problemOf({ passed, failed, notRun, ended }: Tally): string | undefined {
	if (failed.length > 0 || notRun.length > 0) {
		const parts = [
			failed.length === 0 ? [] : `${failed.length} failed`,
			notRun.length === 0 ? [] : `${notRun.length} not run`,
		];
		return parts.flat().join(', ');
	}
	if (!ended) {
		return 'it ended before its tests did';
	}
	return passed.length === 0 ? 'there was no test to run' : undefined;
}

/** The failed tests with what was seen of each. */
export function shownFailures({ failed }: Tally): readonly string[] {
	return failed.map(({ title, error }) => `${title}\n${error.replaceAll(/^/gm, '    ')}`);
}
