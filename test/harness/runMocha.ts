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
	const mocha = new Mocha({ ui: 'tdd', timeout: timeoutMs, reporter, forbidOnly: true, forbidPending: true });
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
	let passed = 0;
	const failed = await new Promise<number>((resolve) => {
		const runner = mocha.run(resolve);
		runner.on('pass', (test) => {
			passed++;
			tell({ state: 'passed', path: test.titlePath(), ms: test.duration ?? 0 });
		});
		runner.on('fail', (test, error: unknown) => {
			tell({ state: 'failed', path: test.titlePath(), ms: test.duration ?? 0, error: describe(error) });
		});
	});
	tell({ state: 'done' });
	return failed === 0 && passed > 0;
}

function describe(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
