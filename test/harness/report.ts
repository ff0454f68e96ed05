import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const reportLine = v.variant('state', [
	v.object({ state: v.literal('passed'), path: v.array(v.string()), ms: v.number() }),
	v.object({ state: v.literal('failed'), path: v.array(v.string()), ms: v.number(), error: v.string() }),
	/** A test of what is absent where it would run: `lack` names that, see test/support/leftOut.ts. */
	v.object({ state: v.literal('skipped'), path: v.array(v.string()), lack: v.string() }),
	/** A test that another one stopped: a step before it failed, or a hook. */
	v.object({ state: v.literal('notRun'), path: v.array(v.string()) }),
	/** The run came to its end. Without it nothing that was reported counts as a success. */
	v.object({ state: v.literal('done') }),
]);

/** A line of a test report: the end of a test (`path` is its title after those of its suites), or of the whole run. */
export type ReportLine = v.InferOutput<typeof reportLine>;

type CountByDialect = Readonly<Record<'field' | 'document' | 'graphql', number>>;

/** What mocha really ran, counted from its events and not from anything that was printed. */
export interface Tally {
	readonly passed: readonly string[];
	readonly failed: readonly { readonly title: string; readonly error: string }[];
	/** Tests of what is absent where they would run, with what that is. */
	readonly skipped: readonly { readonly title: string; readonly lack: string }[];
	/** Tests that did not start because something before them failed. */
	readonly notRun: readonly string[];
	/** Passed tests with a suite or test title that begins with this word and a colon. */
	readonly passedIn: CountByDialect;
	/** The same of skipped ones. */
	readonly skippedIn: CountByDialect;
	readonly ended: boolean;
}

function byDialect(lines: readonly { readonly path: readonly string[] }[]): CountByDialect {
	const countIn = (word: string): number =>
		lines.filter(({ path }) => path.some((title) => title.startsWith(`${word}:`))).length;
	return { field: countIn('field'), document: countIn('document'), graphql: countIn('graphql') };
}

/** Reads the report that a run has written so far. */
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
