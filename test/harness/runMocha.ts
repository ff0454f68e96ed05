import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { factsNow } from '../support/failureFacts.ts';
import { lackOf } from '../support/leftOut.ts';
import { limitMs } from '../support/pace.ts';
import { leftToProve } from '../support/testInProve.ts';
import { keepMatching } from './matching.ts';
import type { ReportLine } from './report.ts';

/** One run of mocha in this process. */
export interface MochaRun {
	readonly files: readonly string[];
	/** The file that gets one line of JSON per test, see report.ts. */
	readonly report: string;
	/** For each test that says nothing else; longer on a slow machine. */
	readonly timeoutMs: number;
	/** Only tests whose file or title has all of these words; all tests when there are none. */
	readonly words: readonly string[];
	/** Is told of each test or hook that begins. */
	readonly onTest?: (title: string) => void;
}

/** How many tests came to which end. */
export interface MochaCount {
	readonly passed: number;
	readonly failed: number;
	/** Those of what is absent where they would run. */
	readonly skipped: number;
	readonly notRun: number;
}

/**
 * Runs tests and reports each one as it ends. Used by the stages that run under Node and inside the extension host, so
 * that all of them are counted in the same way.
 */
export async function runMocha({ files, report, timeoutMs, words, onTest }: MochaRun): Promise<MochaCount> {
	const tell = (line: ReportLine): void => appendFileSync(report, `${JSON.stringify(line)}\n`);
	// The reports are all that is shown: the base of mocha's reporters prints nothing.
	const mocha = new Mocha({ ui: 'tdd', timeout: timeoutMs, reporter: Mocha.reporters.Base, forbidOnly: true });
	for (const file of files) {
		mocha.addFile(file);
	}
	const count = { passed: 0, failed: 0, skipped: 0, notRun: 0 };
	const tellFailed = (path: readonly string[], ms: number, error: string): void => {
		count.failed++;
		tell({ state: 'failed', path: [...path], ms, error });
	};
	const leftBefore = leftToProve();
	try {
		await mocha.loadFilesAsync();
	} catch (error) {
		tellFailed([...files.slice(0, 1), 'loading the tests'], 0, describe(error));
		return count;
	}
	const areChosen = words.length > 0 || (process.env['FORGE_DESK_DIALECTS'] ?? '') !== '';
	if (!areChosen && mocha.suite.total() === 0 && leftToProve() === leftBefore) {
		tellFailed([...files.slice(0, 1), 'finding its tests'], 0, 'it has no test');
		return count;
	}
	if (words.length > 0) {
		keepMatching(mocha.suite, words);
	}
	let current: readonly string[] = [];
	/** A runner hands each on to the others who listen, so they come twice. */
	const unhandled = new WeakSet<object>();
	const tellUnhandled = (reason: unknown, promise: object): void => {
		if (!unhandled.has(promise)) {
			unhandled.add(promise);
			tellFailed([...current, 'a rejection that nobody handled'], 0, describe(reason));
		}
	};
	process.on('unhandledRejection', tellUnhandled);
	const ended = Promise.withResolvers<number>();
	const runner = mocha.run(ended.resolve);
	/** Suites in which something failed, other than the one that holds all files. */
	const broken = new Set<Mocha.Suite>();
	/** Failures whose facts are being gathered. */
	const failures: Promise<void>[] = [];
	const begin = (runnable: Mocha.Runnable): void => {
		scaleLimit(runnable);
		current = runnable.titlePath();
		onTest?.(runnable.titlePath().join(' › '));
	};
	runner.on('test', begin);
	runner.on('hook', begin);
	runner.on('pass', (test) => {
		count.passed++;
		tell({ state: 'passed', path: test.titlePath(), ms: test.duration ?? 0 });
	});
	runner.on('fail', (test, error: unknown) => {
		for (let suite = test.parent; suite?.parent !== undefined; suite = suite.parent) {
			broken.add(suite);
		}
		const [path, ms] = [test.titlePath(), test.duration ?? 0];
		// Asked for at once, before the next hook tidies up.
		failures.push(factsNow().then((facts) => tellFailed(path, ms, [describe(error), ...facts].join('\n'))));
	});
	await ended.promise;
	await Promise.all(failures);
	process.off('unhandledRejection', tellUnhandled);
	mocha.suite.eachTest((test) => {
		if (test.state === 'passed' || test.state === 'failed') {
			return;
		}
		const lack = lackOf(test);
		if (test.state === 'pending' && lack !== undefined) {
			count.skipped++;
			tell({ state: 'skipped', path: test.titlePath(), lack });
		} else if (test.state === 'pending' && !isIn(broken, test)) {
			tellFailed(test.titlePath(), 0, 'it is left out, although nothing before it failed');
		} else {
			count.notRun++;
			tell({ state: 'notRun', path: test.titlePath() });
		}
	});
	// A runner listens to its process for good, and each of several hands what it hears on to all others.
	mocha.dispose();
	return count;
}

/** What runnables are limited to on a machine that does nothing else. */
const baseLimits = new WeakMap<Mocha.Runnable, number>();

/** Makes the limit of a test or a hook grow with the load, also one that it gives itself while it runs. */
function scaleLimit(runnable: Mocha.Runnable): void {
	const known = baseLimits.get(runnable);
	const baseMs = known ?? runnable.timeout();
	if (known === undefined) {
		baseLimits.set(runnable, baseMs);
		const timeout = runnable.timeout.bind(runnable);
		Object.assign(runnable, {
			timeout: (ms?: string | number) => (ms === undefined ? timeout() : timeout(limitMs(Number(ms)))),
		});
	}
	runnable.timeout(baseMs);
}

function isIn(suites: ReadonlySet<Mocha.Suite>, test: Mocha.Test): boolean {
	for (let suite = test.parent; suite !== undefined; suite = suite.parent) {
		if (suites.has(suite)) {
			return true;
		}
	}
	return false;
}

function describe(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}
	const cause = error.cause === undefined ? '' : `\nbecause of ${describe(error.cause)}`;
	return `${error.stack ?? error.message}${cause}`;
}
