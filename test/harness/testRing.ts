import { appendFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { judge, shownFailures } from './judge.ts';
import { keepDurations, longestFirst, readDurations, sizesOf } from './durations.ts';
import { resultsFolder, root } from './places.ts';
import { readReport, type ReportLine } from './report.ts';
import { type FileOutcome, type Outcome, seconds, type Stage, type StageContext } from './stages.ts';
import { type FileEnd, startWorker, type WorkerOptions, type WorkerProcess } from './workerProcess.ts';

/** A ring of tests that run under Node: the files of a folder, handed out to processes one by one. */
export interface Ring {
	readonly name: string;
	/** The stages that make what its tests run against. */
	readonly needs: readonly string[];
	/** For one test that says nothing else. */
	readonly timeoutMs: number;
	/** Whether each file is told as it ends, because the whole takes minutes. */
	readonly isTold?: boolean;
}

/** What the commands choose for all rings. */
export interface RingOptions {
	/** Reaches every test: see test/support/counts.ts. */
	readonly env: Readonly<Record<string, string>>;
	/** After so long without a word a process is taken to hang. */
	readonly silenceMs: number;
	/** Only tests whose file or title has all of these words. */
	readonly words: readonly string[];
	/** Only these files, by ring; all where it is left out. */
	readonly files?: Readonly<Record<string, readonly string[]>>;
	/** Is told of each file of a ring when it has ended. */
	readonly onFile?: (ring: string, outcome: FileOutcome) => void;
	/** How many processes may run the tests of a ring; as many as there are slots where it is left out. */
	readonly lanes?: number;
}

/** The test files of a ring, as paths from the root. */
export function filesOf(ring: string): readonly string[] {
	return globSync(`test/${ring}/**/*.test.ts`, { cwd: root }).toSorted();
}

/** What begins the names of the reports of a command that a stage of another run starts, so that it leaves those of that run. */
export const reportPrefix = 'FORGE_DESK_REPORT_PREFIX';

/** An empty report for the tests of a stage. */
export function freshReport(name: string): string {
	mkdirSync(resultsFolder, { recursive: true });
	const report = join(resultsFolder, `${process.env[reportPrefix] ?? ''}${name}.jsonl`);
	rmSync(report, { force: true });
	return report;
}

function append(report: string, line: ReportLine): void {
	appendFileSync(report, `${JSON.stringify(line)}\n`);
}

/** A stage that runs the tests of the folder of its name. */
export function ringStage(ring: Ring, options: RingOptions): Stage {
	return { name: ring.name, needs: ring.needs, run: (context) => runRing(ring, options, context) };
}

function shownEnd(end: FileEnd): string {
	if (end.kind === 'lost') {
		return 'its process was lost';
	}
	const { passed, failed, skipped, notRun, ms } = end;
	const left = skipped === 0 ? '' : `, ${skipped} skipped`;
	return `${passed} passed${left}${failed + notRun === 0 ? '' : `, ${failed} failed, ${notRun} not run`} (${seconds(ms)})`;
}

async function runRing(ring: Ring, options: RingOptions, context: StageContext): Promise<Outcome> {
	const report = freshReport(ring.name);
	const key = `${ring.name}-${options.env['FORGE_DESK_COUNTS'] ?? 'small'}`;
	const files = options.files?.[ring.name] ?? filesOf(ring.name);
	const waiting = [...longestFirst(files, readDurations(key), sizesOf(files))];
	const durations: Record<string, number> = {};
	const problems: string[] = [];
	const outcomes: FileOutcome[] = [];
	const worker: WorkerOptions = { report, timeoutMs: ring.timeoutMs, ...options };
	const start = (): WorkerProcess => startWorker(context.children, worker);

	const runLane = async (): Promise<void> => {
		let current: WorkerProcess | undefined;
		for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
			current ??= start();
			const end = await current.run(join(root, file));
			if (end.kind === 'ended') {
				durations[file] = end.ms;
				const { passed, failed, skipped, notRun } = end;
				const outcome = { file, passed, skipped, isGood: passed + skipped > 0 && failed + notRun === 0 };
				outcomes.push(outcome);
				options.onFile?.(ring.name, outcome);
			} else {
				current = undefined;
				append(report, { state: 'failed', path: [file, end.at], ms: 0, error: end.seen });
			}
			if (ring.isTold) {
				console.log(`  ${ring.name} ${basename(file, '.test.ts')}: ${shownEnd(end)}`);
			}
		}
		const problem = await current?.end();
		if (problem !== undefined) {
			problems.push(problem);
		}
	};
	const lanes = Math.min(options.lanes ?? context.slots, waiting.length);
	await Promise.all(
		Array.from({ length: lanes }, () =>
			context.inSlot(async () => {
				// By the time that there is room, the others may have done it all.
				if (waiting.length > 0) {
					await runLane();
				}
			}),
		),
	);
	append(report, { state: 'done' });
	if (options.words.length === 0) {
		keepDurations(key, durations);
	}
	const tally = readReport(report);
	const outcome = judge(tally, problems.length === 0);
	// What a process left open may come from any of its files.
	const known = problems.length === 0 ? { files: outcomes } : {};
	return { ...outcome, ...known, output: [...shownFailures(tally), ...problems].join('\n') };
}
