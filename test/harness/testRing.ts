import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mayBeInRest } from '../support/parts.ts';
import { keepDurations, longestFirst, readDurations, sizesOf } from './durations.ts';
import { packageFolders } from './packageFolders.ts';
import { resultsFolder, root } from './places.ts';
import { judge, readReport, type ReportLine, shownFailures } from './report.ts';
import { type FileOutcome, type Outcome, seconds, type Stage, type StageContext } from './stages.ts';
import { type FileEnd, startWorker, type WorkerOptions, type WorkerProcess } from './workerProcess.ts';

/** The test files of a folder, handed out to Node processes one by one. */
export interface Ring {
	readonly name: string;
	readonly needs: readonly string[];
	/** Default of one test. */
	readonly timeoutMs: number;
	/** Prints each file as it ends. */
	readonly isTold?: boolean;
}

export interface RingOptions {
	/** For every test: see test/support/counts.ts. */
	readonly env: Readonly<Record<string, string>>;
	/** Kills a process that sends nothing for this long. */
	readonly silenceMs: number;
	/** Only tests whose file or title has all of these words. */
	readonly words: readonly string[];
	/** Only these files, by ring. */
	readonly files?: Readonly<Record<string, readonly string[]>>;
	readonly onFile?: (ring: string, outcome: FileOutcome) => void;
	/** Processes per ring; by default one per slot. */
	readonly lanes?: number;
}

/** Folders of a ring's tests. Packages keep theirs; the sample forge has a ring of its own. */
export function foldersOf(ring: string): readonly string[] {
	const packaged = Array.from(packageFolders, ([name, folder]) => ({
		ring: name === 'sample-forge' ? 'sampleForge' : 'unit',
		folder: `${folder}/test`,
	}));
	return [`test/${ring}`, ...packaged.filter((each) => each.ring === ring).map(({ folder }) => folder)];
}

/** Test files, as paths from the root. */
export function filesOf(ring: string): readonly string[] {
	return globSync(
		foldersOf(ring).map((folder) => `${folder}/**/*.test.ts`),
		{ cwd: root },
	).toSorted();
}

/** Environment variable with a prefix for the names of reports, for runs inside of a stage of another run. */
export const reportPrefix = 'FORGE_DESK_REPORT_PREFIX';

export function freshReport(name: string): string {
	mkdirSync(resultsFolder, { recursive: true });
	const report = join(resultsFolder, `${process.env[reportPrefix] ?? ''}${name}.jsonl`);
	rmSync(report, { force: true });
	return report;
}

/** Whether a test file may have tests of the run's part. Loading the others takes longer than reading them. */
export function isInPart(file: string, env: RingOptions['env']): boolean {
	return env['FORGE_DESK_PART'] !== 'rest' || mayBeInRest(readFileSync(join(root, file), 'utf8'));
}

function append(report: string, line: ReportLine): void {
	appendFileSync(report, `${JSON.stringify(line)}\n`);
}

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
	const size = options.env['FORGE_DESK_COUNTS'] ?? 'small';
	const key = [ring.name, size, options.env['FORGE_DESK_PART'] ?? []].flat().join('-');
	const files = (options.files?.[ring.name] ?? filesOf(ring.name)).filter((file) => isInPart(file, options.env));
	const isPartial = options.env['FORGE_DESK_PART'] !== undefined;
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
				const outcome = { file, passed, skipped, isGood: (passed + skipped > 0 || isPartial) && failed + notRun === 0 };
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
				// The others may have finished before a slot is free.
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
	// Files left after others that are known to be good may have tests of the other part only.
	const isSome = options.files !== undefined && files.length < filesOf(ring.name).length;
	const mayBeEmpty = isPartial && isSome && outcomes.length === files.length;
	const outcome = judge(tally, problems.length === 0, mayBeEmpty);
	// Any of its files may have left a process's handles open.
	const known = problems.length === 0 ? { files: outcomes } : {};
	return { ...outcome, ...known, output: [...shownFailures(tally), ...problems].join('\n') };
}
