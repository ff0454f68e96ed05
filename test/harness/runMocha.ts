import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { ReportLine } from './report.ts';

/** One run of mocha in this process. */
export interface MochaRun {
	readonly files: readonly string[];
	/** The file that gets one line of JSON per test, see report.ts. */
	readonly report: string;
	readonly timeoutMs: number;
	/** Only tests whose full title matches; all of them when empty. */
	readonly grep: string;
	/** `spec` prints the titles; `min` is for places whose console nobody reads. */
	readonly reporter: 'dot' | 'min' | 'spec';
}

/**
 * Runs tests and reports each one as it ends. Used by the stages that run under Node and inside the extension host, so
 * that all of them are counted in the same way. True when at least one test ran and none failed.
 */
export async function runMocha({ files, report, timeoutMs, grep, reporter }: MochaRun): Promise<boolean> {
	const tell = (line: ReportLine): void => appendFileSync(report, `${JSON.stringify(line)}\n`);
	const mocha = new Mocha({ ui: 'tdd', timeout: timeoutMs, reporter, forbidOnly: true });
	if (grep !== '') {
		mocha.grep(new RegExp(grep));
	}
	for (const file of files) {
		mocha.addFile(file);
	}
	try {
		await mocha.loadFilesAsync();
	} catch (error) {
		console.error(error);
		tell({ state: 'failed', path: ['loading the tests'], ms: 0, error: describe(error) });
		tell({ state: 'done' });
		return false;
	}
	const count = { passed: 0, failed: 0, notRun: 0 };
	const runner = mocha.run();
	const ended = new Promise((resolve) => runner.once('end', resolve));
	/** Suites in which something failed, other than the one that holds all files. */
	const broken = new Set<Mocha.Suite>();
	runner.on('pass', (test) => {
		count.passed++;
		tell({ state: 'passed', path: test.titlePath(), ms: test.duration ?? 0 });
	});
	const tellFailed = (test: Mocha.Runnable, error: string): void => {
		count.failed++;
		tell({ state: 'failed', path: test.titlePath(), ms: test.duration ?? 0, error });
	};
	runner.on('fail', (test, error: unknown) => {
		for (let suite = test.parent; suite?.parent !== undefined; suite = suite.parent) {
			broken.add(suite);
		}
		tellFailed(test, describe(error));
	});
	await ended;
	mocha.suite.eachTest((test) => {
		if (test.state === 'passed' || test.state === 'failed' || !isChosen(test, grep)) {
			return;
		}
		if (test.state === 'pending' && !isIn(broken, test)) {
			tellFailed(test, 'it is left out, although nothing before it failed');
		} else {
			count.notRun++;
			tell({ state: 'notRun', path: test.titlePath() });
		}
	});
	tell({ state: 'done' });
	return count.passed > 0 && count.failed + count.notRun === 0;
}

function isChosen(test: Mocha.Test, grep: string): boolean {
	return grep === '' || new RegExp(grep).test(test.fullTitle());
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
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
