// Runs tests for Stryker (docs/decisions/0031-stryker.md). All mutants of a file share one process: each runs only the
// tests that reach it.
import Mocha from 'mocha';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

/** What instrumented code reads and writes. */
interface Stryker {
	activeMutant?: string | undefined;
	currentTestId?: string | undefined;
	hitCount?: number | undefined;
	hitLimit?: number | undefined;
	mutantCoverage?: { perTest: Record<string, Record<string, number>> };
}

interface MutantRun {
	readonly activeMutant: { readonly id: string };
	readonly testFilter?: readonly string[];
	readonly hitLimit?: number;
	readonly mutantActivation: 'runtime' | 'static';
}

interface Ended {
	readonly id: string;
	readonly ms: number;
	readonly failure: string | undefined;
}

const stryker: Stryker = {};
Object.assign(globalThis, { __stryker__: stryker });

/** The test files, divided by blanks. */
export const testsVariable = 'FORGE_DESK_MUTANT_TESTS';
/** Slower tests do not run: a mutant that survives runs all tests that reach it. */
const slowMs = 1000;

class MochaRunner {
	readonly #mocha = new Mocha({ ui: 'tdd', bail: true, timeout: 60_000, reporter: 'min' }).cleanReferencesAfterRun(
		false,
	);
	#isLoaded = false;

	capabilities(): { readonly reloadEnvironment: boolean } {
		return { reloadEnvironment: false };
	}

	async dryRun(): Promise<unknown> {
		await this.#load();
		const first = await this.#run(undefined, false);
		const mutantCoverage = stryker.mutantCoverage;
		// Some tests cannot run twice in a process.
		const again = await this.#run(undefined, false);
		const bad = new Set(
			[...first, ...again].filter(({ ms, failure }) => failure !== undefined || ms > slowMs).map(({ id }) => id),
		);
		bad.forEach((id) => delete mutantCoverage?.perTest[id]);
		const tests = first
			.filter(({ id }) => !bad.has(id))
			.map(({ id, ms }) => ({ id, name: id, timeSpentMs: ms, status: 0 }));
		return { status: 'complete', tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun): Promise<unknown> {
		if (mutantActivation === 'static') {
			stryker.activeMutant = activeMutant.id;
		}
		await this.#load();
		Object.assign(stryker, {
			activeMutant: activeMutant.id,
			hitLimit,
			hitCount: hitLimit === undefined ? undefined : 0,
		});
		const ended = await this.#run(testFilter && new Set(testFilter), true);
		stryker.activeMutant = undefined;
		const killer = ended.find(({ failure }) => failure !== undefined);
		if (hitLimit !== undefined && (stryker.hitCount ?? 0) > hitLimit) {
			return { status: 'timeout' };
		}
		return killer
			? { status: 'killed', killedBy: [killer.id], failureMessage: killer.failure, nrOfTests: ended.length }
			: { status: 'survived', nrOfTests: ended.length };
	}

	async #load(): Promise<void> {
		if (this.#isLoaded) {
			return;
		}
		this.#isLoaded = true;
		// A suite would lose its folder after its first run.
		fs.rmSync = () => undefined;
		syncBuiltinESMExports();
		(process.env[testsVariable] ?? '').split(' ').forEach((file) => this.#mocha.addFile(resolve(file)));
		await this.#mocha.loadFilesAsync();
	}

	#run(wanted: ReadonlySet<string> | undefined, isBail: boolean): Promise<readonly Ended[]> {
		const ended: Ended[] = [];
		this.#mocha.bail(isBail);
		this.#mocha.suite.eachTest((test) => {
			test.pending = wanted !== undefined && !wanted.has(test.fullTitle());
		});
		return new Promise((done) => {
			const runner = this.#mocha.run(() => done(ended));
			runner.on('test', (test) => {
				stryker.currentTestId = test.fullTitle();
			});
			runner.on('test end', () => {
				stryker.currentTestId = undefined;
			});
			runner.on('pass', (test) => {
				ended.push({ id: test.fullTitle(), ms: test.duration ?? 0, failure: undefined });
			});
			runner.on('fail', (test, error: unknown) => {
				ended.push({ id: test.fullTitle(), ms: 0, failure: String(error) });
			});
		});
	}
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'inOneProcess', injectableClass: MochaRunner }];
