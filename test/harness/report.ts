import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const reportLine = v.variant('state', [
	v.object({ state: v.literal('passed'), path: v.array(v.string()), ms: v.number() }),
	v.object({ state: v.literal('failed'), path: v.array(v.string()), ms: v.number(), error: v.string() }),
	/** A test that another one stopped: a step before it failed, or a hook. */
	v.object({ state: v.literal('notRun'), path: v.array(v.string()) }),
	/** The run came to its end. Without it nothing that was reported counts as a success. */
	v.object({ state: v.literal('done') }),
]);

/** A line of a test report: the end of a test (`path` is its title after those of its suites), or of the whole run. */
export type ReportLine = v.InferOutput<typeof reportLine>;

/** What mocha really ran, counted from its events and not from anything that was printed. */
export interface Tally {
	readonly passed: readonly string[];
	readonly failed: readonly { readonly title: string; readonly error: string }[];
	/** Tests that did not start because something before them failed. */
	readonly notRun: readonly string[];
	/** Passed tests with a suite or test title that begins with this word and a colon. */
	readonly passedIn: Readonly<Record<'field' | 'document' | 'graphql', number>>;
	readonly ended: boolean;
}

/** Reads the report that a run has written so far. */
export function readReport(file: string): Tally {
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const lines = text
		.split('\n')
		.slice(0, -1)
		.map((line) => v.parse(reportLine, JSON.parse(line)));
	const passed = lines.filter((line) => line.state === 'passed');
	const passedIn = (word: string): number =>
		passed.filter(({ path }) => path.some((title) => title.startsWith(`${word}:`))).length;
	return {
		passed: passed.map(({ path }) => path.join(' › ')),
		failed: lines
			.filter((line) => line.state === 'failed')
			.map(({ path, error }) => ({ title: path.join(' › '), error })),
		notRun: lines.filter((line) => line.state === 'notRun').map(({ path }) => path.join(' › ')),
		passedIn: { field: passedIn('field'), document: passedIn('document'), graphql: passedIn('graphql') },
		ended: lines.some((line) => line.state === 'done'),
	};
}
