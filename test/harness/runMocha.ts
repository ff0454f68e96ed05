import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { factsNow } from '../support/failureFacts.ts';
import { lackOf } from '../support/leftOut.ts';
import { limitMs } from '../support/pace.ts';
import { chosenPart, keepPart } from '../support/parts.ts';
import { leftToProve } from '../support/testInProve.ts';
import { keepMatching } from './matching.ts';
import type { ReportLine } from './report.ts';

export interface MochaRun {
	readonly files: readonly string[];
	/** File for one line of JSON per test, see report.ts. */
	readonly report: string;
	/** Default of one test; longer on a slow machine. */
	readonly timeoutMs: number;
	/** Only tests with all of these words in file or title. */
	readonly words: readonly string[];
	/** Called at the begin of each test and hook. */
	readonly onTest?: (title: string) => void;
}

export interface MochaCount {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly notRun: number;
}

/** Runs tests in this process, under Node or in the extension host, and reports each as it ends. */
export async function runMocha({ files, report, timeoutMs, words, onTest }: MochaRun): Promise<MochaCount> {
	const tell = (line: ReportLine): void => appendFileSync(report, `${JSON.stringify(line)}\n`);
	// `Base` prints nothing.
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
	const part = chosenPart();
	if (part !== undefined) {
		keepPart(mocha.suite, part);
	}
	let current: readonly string[] = [];
	/** Mocha's runner emits each rejection again. */
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
	/** Suites with a failure, without the root suite. */
	const broken = new Set<Mocha.Suite>();
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
		// Now, before the next hook tidies up.
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
	// Otherwise the runner would continue to listen to its process.
	mocha.dispose();
	return count;
}

/** Time limits on an idle machine. */
const baseLimits = new WeakMap<Mocha.Runnable, number>();

/** Scales the limit of a test or a hook with the load, also one that it sets itself. */
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
