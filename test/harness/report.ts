import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const reportLine = v.variant('state', [
	v.object({ state: v.literal('passed'), path: v.array(v.string()), ms: v.number() }),
	v.object({ state: v.literal('failed'), path: v.array(v.string()), ms: v.number(), error: v.string() }),
	/** `lack` names the missing program or service: test/support/leftOut.ts. */
	v.object({ state: v.literal('skipped'), path: v.array(v.string()), lack: v.string() }),
	/** Stopped by a failure of an earlier step or a hook. */
	v.object({ state: v.literal('notRun'), path: v.array(v.string()) }),
	/** The end of the run. A report without it is no success. */
	v.object({ state: v.literal('done') }),
]);

/** The end of a test (`path`: titles of its suites, then its own), or of the whole run. */
export type ReportLine = v.InferOutput<typeof reportLine>;

type CountByDialect = Readonly<Record<'field' | 'document' | 'graphql', number>>;

/** Counts of mocha's events. */
export interface Tally {
	readonly passed: readonly string[];
	readonly failed: readonly { readonly title: string; readonly error: string }[];
	readonly skipped: readonly { readonly title: string; readonly lack: string }[];
	readonly notRun: readonly string[];
	/** Passed tests with a title (suite or test) that begins with this word and a colon. */
	readonly passedIn: CountByDialect;
	readonly skippedIn: CountByDialect;
	readonly ended: boolean;
}

function byDialect(lines: readonly { readonly path: readonly string[] }[]): CountByDialect {
	const countIn = (word: string): number =>
		lines.filter(({ path }) => path.some((title) => title.startsWith(`${word}:`))).length;
	return { field: countIn('field'), document: countIn('document'), graphql: countIn('graphql') };
}

/** Reads a report, also an unfinished one. */
export function readReport(file: string): Tally {
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const lines = text
		.split('\n')
		.slice(0, -1)
		.map((line) => v.parse(reportLine, JSON.parse(line)));
	const passed = lines.filter((line) => line.state === 'passed');
	const skipped = lines.filter((line) => line.state === 'skipped');
	return {
		passed: passed.map(({ path }) => path.join(' › ')),
		failed: lines
			.filter((line) => line.state === 'failed')
			.map(({ path, error }) => ({ title: path.join(' › '), error })),
		notRun: lines.filter((line) => line.state === 'notRun').map(({ path }) => path.join(' › ')),
		skipped: skipped.map(({ path, lack }) => ({ title: path.join(' › '), lack })),
		passedIn: byDialect(passed),
		skippedIn: byDialect(skipped),
		ended: lines.some((line) => line.state === 'done'),
	};
}

/** Good: some tests ran (or none is allowed), none failed, the report is complete and the processes ended well. */
export function judge(
	tally: Tally,
	isWellEnded: boolean,
	mayBeEmpty = false,
): { readonly tally: Tally; readonly problem?: string } {
	const problem =
		problemOf(tally, mayBeEmpty) ?? (isWellEnded ? undefined : 'all tests passed, but the run did not end well');
	return problem === undefined ? { tally } : { tally, problem };
}

function problemOf({ passed, failed, notRun, ended }: Tally, mayBeEmpty: boolean): string | undefined {
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
	return passed.length === 0 && !mayBeEmpty ? 'there was no test to run' : undefined;
}

export function shownFailures({ failed }: Tally): readonly string[] {
	return failed.map(({ title, error }) => `${title}\n${error.replaceAll(/^/gm, '    ')}`);
}
