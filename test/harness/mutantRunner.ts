// Runs tests for Stryker (docs/decisions/0031-stryker.md). Mutants share a process, each runs only tests that reach it,
// and the test that is likely to fail runs first.
import { configureGlobal } from 'fast-check';
import Mocha from 'mocha';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import * as v from 'valibot';
import { limitMs } from '../support/pace.ts';
import { waitedForCpuMs } from './cpuClock.ts';
import { openMutantModules, type Version } from './mutantModules.ts';
import { testOf } from './packageFolders.ts';
import { resultsFolder, root } from './places.ts';

/** What instrumented code reads and writes. */
interface Stryker {
	activeMutant?: string | undefined;
	currentTestId?: string | undefined;
	hitCount?: number | undefined;
	hitLimit?: number | undefined;
	mutantCoverage?: Coverage;
}

interface Coverage {
	readonly static: Record<string, number>;
	readonly perTest: Record<string, Record<string, number>>;
}

interface MutantRun {
	readonly activeMutant: {
		readonly id: string;
		readonly fileName: string;
		readonly mutatorName: string;
		readonly location: { readonly start: { readonly line: number; readonly column: number } };
	};
	/** Missing if the mutant acts while a module loads. */
	readonly testFilter?: readonly string[];
}

/** The work of a run. Paths are relative to the repository. */
const mutantPlan = v.object({
	tests: v.array(v.string()),
	/** For each mutated file, the files that reach it, itself included. */
	reaching: v.record(v.string(), v.array(v.string())),
});
export type MutantPlan = v.InferOutput<typeof mutantPlan>;

/** The tests that do not count, and each mutant as it ends. */
export const mutantLog = join(resultsFolder, 'mutants.txt');
/** In the environment of Stryker's processes: the folder with the plan. */
export const folderVariable = 'FORGE_DESK_MUTANTS';
export const planFile = 'plan.json';
const firstRunFile = 'first.json';

/** Of the first run, which the other processes of Stryker did not see. */
const firstRun = v.object({
	/** CPU time by test. */
	costs: v.record(v.string(), v.number()),
	/** By test and mutant, how often the test reaches it. */
	perTest: v.record(v.string(), v.record(v.string(), v.number())),
});
type FirstRun = v.InferOutput<typeof firstRun>;

declare global {
	// The types of Mocha lack these.
	namespace Mocha {
		interface Runnable {
			reset(): void;
		}
		interface Suite {
			getHooks(kind: string): readonly Hook[];
		}
	}
}

const stryker: Stryker = {};
Object.assign(globalThis, { __stryker__: stryker });

/** Tests that take more CPU time do not run: a mutant that survives runs many. */
const slowMs = 300;
/** CPU time of the tests of one mutant. */
const enoughMs = 300;
/** A test that failed for one of the last mutants is likely to fail for the next. */
const recent = 8;

class MochaRunner {
	readonly #folder = process.env[folderVariable]!;
	readonly #plan = v.parse(mutantPlan, JSON.parse(readFileSync(join(this.#folder, planFile), 'utf8')));
	readonly #modules = openMutantModules(process.cwd());
	#first: FirstRun | undefined;
	/** The file whose mutants the loaded modules have. */
	#file: string | undefined;
	#cases = new Map<string, ReadonlyMap<string, Mocha.Test>>();
	/** Suites whose first hooks have run. */
	readonly #begun = new WeakSet<Mocha.Suite>();
	#killers: readonly string[] = [];
	#fail: (error: unknown) => void = () => undefined;

	constructor() {
		process.chdir(root);
		configureGlobal({ endOnFailure: true });
		const fail = (error: unknown): void => this.#fail(error);
		process.on('uncaughtException', fail);
		process.on('unhandledRejection', fail);
	}

	capabilities(): { readonly reloadEnvironment: boolean } {
		return { reloadEnvironment: true };
	}

	async dryRun(): Promise<unknown> {
		const start = performance.now();
		const costs: Record<string, number> = {};
		const bad = new Set<string>();
		const reached = new Set(Object.values(this.#plan.reaching).flat());
		this.#renew({ mutated: new Set(), fresh: reached, isCounting: false });
		for (const file of this.#plan.tests) {
			for (const id of (await this.#casesOf(file)).keys()) {
				const before = cpuMs();
				const failure = await this.#failureOf(id, 60_000);
				costs[id] = cpuMs() - before;
				if (failure !== undefined || (costs[id] ?? 0) > slowMs) {
					bad.add(id);
					note(`${id}: ${failure ?? `takes ${costs[id]} ms`}`);
				}
			}
		}
		this.#renew({ mutated: new Set(Object.keys(this.#plan.reaching)), fresh: reached, isCounting: true });
		// Backwards, because a test may need its predecessors.
		for (const id of Object.keys(costs).toReversed()) {
			const failure = bad.has(id) ? undefined : await this.#failureOf(id, 60_000);
			if (failure !== undefined) {
				bad.add(id);
				note(`${id} fails in a second run: ${failure}`);
			}
		}
		const mutantCoverage = stryker.mutantCoverage ?? { static: {}, perTest: {} };
		bad.forEach((id) => delete mutantCoverage.perTest[id]);
		const good = Object.entries(costs).filter(([id]) => !bad.has(id));
		const first: FirstRun = { costs: Object.fromEntries(good), perTest: mutantCoverage.perTest };
		writeFileSync(join(this.#folder, firstRunFile), JSON.stringify(first));
		note(`${good.length} tests run`);
		const spentMs = performance.now() - start - good.reduce((sum, [, ms]) => sum + ms, 0);
		// Else Stryker would wait as long for each mutant.
		const tests = [...good, ['the rest of this run', Math.max(0, spentMs)] as const].map(([id, ms]) => ({
			id,
			name: id,
			timeSpentMs: ms,
			status: 0,
		}));
		return { status: 'complete', tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, testFilter }: MutantRun): Promise<unknown> {
		const start = performance.now();
		const { id, fileName, mutatorName, location } = activeMutant;
		const file = relative(root, fileName).replaceAll('\\', '/');
		if (this.#file !== file) {
			this.#renewFor(file);
		}
		const killer =
			(await this.#runtimeKiller(id, file)) ?? (testFilter ? undefined : await this.#staticKiller(id, file));
		const place = `${file}:${location.start.line + 1}:${location.start.column + 1}`;
		const kind = `${testFilter ? '' : 'static '}${mutatorName}`;
		const end = killer === undefined ? 'survived' : `killed by ${killer}`;
		note(`${Math.round(performance.now() - start)} ms, ${place} ${kind} ${end}`);
		if (killer === undefined) {
			return { status: 'survived', nrOfTests: 0 };
		}
		this.#killers = [killer, ...this.#killers.filter((each) => each !== killer)].slice(0, recent);
		return { status: 'killed', killedBy: [killer], failureMessage: '', nrOfTests: 1 };
	}

	/** The first test that reaches a mutant and fails. */
	async #runtimeKiller(id: string, file: string): Promise<string | undefined> {
		const { costs, perTest } = this.#firstRun();
		const covering = Object.keys(costs).filter((test) => perTest[test]?.[id] !== undefined);
		for (const test of this.#ordered(covering, file)) {
			stryker.activeMutant = id;
			const failure = await this.#failureOf(test, this.#limitOf(test), id);
			stryker.activeMutant = undefined;
			if (failure === undefined) {
				continue;
			}
			const ownFailure = await this.#failureOf(test, this.#limitOf(test));
			if (ownFailure === undefined) {
				return test;
			}
			// A mutant has changed a value that modules keep.
			note(`${test} fails without a mutant: ${ownFailure}`);
			this.#renewFor(file);
		}
		return undefined;
	}

	/** The first test that fails if the mutant is active while modules load. */
	async #staticKiller(id: string, file: string): Promise<string | undefined> {
		const reaching = new Set(this.#plan.reaching[file]);
		const tests = Object.keys(this.#firstRun().costs).filter((test) => reaching.has(fileOf(test)));
		this.#renewFor(file);
		stryker.activeMutant = id;
		try {
			for (const test of this.#ordered(tests, file)) {
				if ((await this.#failureOf(test, this.#limitOf(test), id)) !== undefined) {
					return test;
				}
			}
			return undefined;
		} finally {
			stryker.activeMutant = undefined;
			this.#file = undefined;
		}
	}

	#firstRun(): FirstRun {
		this.#first ??= v.parse(firstRun, JSON.parse(readFileSync(join(this.#folder, firstRunFile), 'utf8')));
		return this.#first;
	}

	#limitOf(test: string): number {
		return Math.ceil(limitMs(3000 + 30 * (this.#firstRun().costs[test] ?? 0)));
	}

	/** Recent killers, then the file's own tests, then the fastest, as many as there is time for. */
	#ordered(tests: readonly string[], file: string): readonly string[] {
		const own = testOf(file);
		const rank = (test: string): number => {
			const cost = this.#firstRun().costs[test] ?? 0;
			return this.#killers.includes(test) ? cost / 1000 : fileOf(test) === own ? cost / 10 : cost;
		};
		let left = enoughMs;
		return tests
			.map((test) => ({ test, rank: rank(test) }))
			.toSorted((one, other) => one.rank - other.rank)
			.map(({ test }) => test)
			.filter((test) => {
				left -= this.#firstRun().costs[test] ?? 0;
				return left > 0;
			});
	}

	#renewFor(file: string): void {
		this.#renew({
			mutated: new Set([file]),
			fresh: new Set(this.#plan.reaching[file]),
			isCounting: false,
		});
		this.#file = file;
	}

	#renew(version: Version): void {
		this.#modules.renew(version);
		this.#cases = new Map([...this.#cases].filter(([file]) => !version.fresh.has(file)));
	}

	async #casesOf(file: string): Promise<ReadonlyMap<string, Mocha.Test>> {
		const known = this.#cases.get(file);
		if (known !== undefined) {
			return known;
		}
		const mocha = new Mocha({ ui: 'tdd' });
		mocha.suite.emit('pre-require', globalThis, file, mocha);
		await import(pathToFileURL(join(root, file)).href);
		const cases = new Map<string, Mocha.Test>();
		mocha.suite.eachTest((test) => {
			if (!test.isPending()) {
				const title = `${file} ${test.fullTitle()}`;
				cases.set(cases.has(title) ? `${title} ${cases.size}` : title, test);
			}
		});
		this.#cases.set(file, cases);
		return cases;
	}

	/** Runs a test with its hooks, but without those after the last test: another mutant may need it again. */
	async #failureOf(id: string, mostMs: number, mutant?: string): Promise<string | undefined> {
		if (mutant !== undefined) {
			stryker.hitCount = 0;
			stryker.hitLimit = 100_000 + 10 * (this.#firstRun().perTest[id]?.[mutant] ?? 0);
		}
		try {
			const test = (await this.#casesOf(fileOf(id))).get(id)!;
			const suites = suitesOf(test);
			for (const suite of suites) {
				if (!this.#begun.has(suite)) {
					await this.#runAll(suite.getHooks('beforeAll'), 60_000);
					this.#begun.add(suite);
				}
			}
			stryker.currentTestId = id;
			await this.#runAll(
				suites.flatMap((suite) => suite.getHooks('beforeEach')),
				mostMs,
			);
			await this.#runAll([test], mostMs);
			await this.#runAll(
				suites.toReversed().flatMap((suite) => suite.getHooks('afterEach')),
				mostMs,
			);
			return undefined;
		} catch (error) {
			return String(error);
		} finally {
			stryker.currentTestId = undefined;
			stryker.hitCount = undefined;
			stryker.hitLimit = undefined;
		}
	}

	async #runAll(runnables: readonly Mocha.Runnable[], mostMs: number): Promise<void> {
		for (const runnable of runnables) {
			runnable.reset();
			runnable.timeout(mostMs);
			await new Promise<void>((resolve, reject) => {
				this.#fail = reject;
				interruptible(
					() => runnable.run((error: unknown) => (error === undefined || error === null ? resolve() : reject(error))),
					mostMs,
				);
			});
		}
	}
}

/** An endless loop would otherwise cost a process. */
function interruptible(work: () => void, mostMs: number): void {
	Object.assign(globalThis, { __interruptible__: work });
	interruptibleScript.runInThisContext({ timeout: mostMs });
}

const interruptibleScript = new Script('__interruptible__()');

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 + waitedForCpuMs();
}

function fileOf(test: string): string {
	return test.slice(0, test.indexOf(' '));
}

function suitesOf({ parent }: Mocha.Test): readonly Mocha.Suite[] {
	const suites: Mocha.Suite[] = [];
	for (let suite = parent; suite !== undefined; suite = suite.parent) {
		suites.unshift(suite);
	}
	return suites;
}

function note(text: string): void {
	appendFileSync(mutantLog, `${text}\n`);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'inOneProcess', injectableClass: MochaRunner }];
