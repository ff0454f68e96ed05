import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isFileTouched, isTouched, pathsBetween } from './proofStages.ts';
import { type FileOutcome, notRunProblem, type StageResult } from './stages.ts';
import type { Tally } from './report.ts';
import type { TreeState } from './treeState.ts';

const record = v.object({
	stage: v.string(),
	/** Commit of the last run. Results kept from earlier commits are valid for it too. */
	commit: v.string(),
	changes: v.string(),
	seed: v.number(),
	/** End of the stage. */
	date: v.string(),
	/** Null for success. */
	problem: v.nullable(v.string()),
	note: v.nullable(v.string()),
	/** Null for a stage without tests. */
	passed: v.nullable(v.number()),
	/** Tests of features missing in their environment. */
	skipped: v.optional(v.number(), 0),
	failed: v.array(v.string()),
	notRun: v.array(v.string()),
	/** Total of all included runs. */
	ms: v.number(),
	cpuMs: v.number(),
	/** Count of passed tests by file, for files without failures. */
	files: v.record(v.string(), v.number()),
	/** Count of skipped tests in these files. */
	skippedFiles: v.optional(v.record(v.string(), v.number()), {}),
});

/** Recorded result of one stage. */
export type StageRecord = Readonly<v.InferOutput<typeof record>>;

/** Inputs of a stage run. */
export interface ProofRun extends TreeState {
	readonly seed: number;
	/** Earlier results for files omitted in this run. */
	readonly kept?: Pick<StageRecord, 'files' | 'skippedFiles' | 'ms' | 'cpuMs'>;
}

const nothingKept = { files: {}, skippedFiles: {}, ms: 0, cpuMs: 0 };

function write(folder: string, kept: StageRecord): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${kept.stage}.json`), `${JSON.stringify(kept, undefined, '\t')}\n`);
}

function goodFiles(outcomes: readonly FileOutcome[], count: 'passed' | 'skipped'): StageRecord['files'] {
	return Object.fromEntries(outcomes.filter(({ isGood }) => isGood).map((each) => [each.file, each[count]]));
}

function sumOf(counts: StageRecord['files']): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Test counts of a stage, including omitted files. */
function countsOf(
	tally: Tally | undefined,
	kept: Pick<StageRecord, 'files' | 'skippedFiles'>,
): Pick<StageRecord, 'passed' | 'skipped' | 'failed' | 'notRun'> {
	if (tally === undefined) {
		return { passed: null, skipped: 0, failed: [], notRun: [] };
	}
	return {
		passed: tally.passed.length + sumOf(kept.files),
		skipped: tally.skipped.length + sumOf(kept.skippedFiles),
		failed: tally.failed.map(({ title }) => title),
		notRun: [...tally.notRun],
	};
}

/** Replaces the record of a stage with its new result, including omitted files. Ignores a stage that could not run. */
export function keepRecord(folder: string, result: StageResult, run: ProofRun): void {
	if (result.problem === notRunProblem) {
		return;
	}
	const { name, problem = null, note = null, tally, ms, cpuMs, files = [] } = result;
	const { commit, changes, seed, kept = nothingKept } = run;
	write(folder, {
		stage: name,
		commit,
		changes,
		seed,
		date: new Date().toISOString(),
		problem,
		note,
		...countsOf(tally, kept),
		ms: ms + kept.ms,
		cpuMs: cpuMs + kept.cpuMs,
		files: { ...kept.files, ...goodFiles(files, 'passed') },
		skippedFiles: { ...kept.skippedFiles, ...goodFiles(files, 'skipped') },
	});
}

/** Saves the partial result of a running stage, in case it never ends. */
export function keepFiles(folder: string, stage: string, ended: readonly FileOutcome[], run: ProofRun): void {
	const none = { field: 0, document: 0, graphql: 0 };
	const tally = { passed: [], failed: [], skipped: [], notRun: [], passedIn: none, skippedIn: none, ended: false };
	keepRecord(folder, { name: stage, problem: 'it did not end', tally, ms: 0, cpuMs: 0, files: ended }, run);
}

/** Paths changed between two commits (`pathsBetween`). */
type Between = (before: string, after: string) => readonly string[] | undefined;

/** Earlier records with the paths changed since. Excludes runs with other uncommitted changes. */
function earlierRecords(
	folder: string,
	{ commit, changes }: TreeState,
	between: Between,
): readonly (readonly [StageRecord, readonly string[]])[] {
	return globSync('*.json', { cwd: folder })
		.map((file) => v.parse(record, JSON.parse(readFileSync(join(folder, file), 'utf8'))))
		.filter((known) => known.changes === changes)
		.flatMap((known) => {
			const paths = known.commit === commit ? [] : between(known.commit, commit);
			return paths === undefined ? [] : [[known, paths] as const];
		});
}

/** Records valid for the current sources, including records from before irrelevant changes. */
export function recordsOf(folder: string, state: TreeState, between: Between = pathsBetween): readonly StageRecord[] {
	return earlierRecords(folder, state, between)
		.filter(([{ stage }, paths]) => !isTouched(stage, paths))
		.map(([known]) => known);
}

/** Partial records of stages that need a rerun: files without failures, and without relevant changes since. */
export function unfinishedOf(
	folder: string,
	state: TreeState,
	between: Between = pathsBetween,
): readonly StageRecord[] {
	return earlierRecords(folder, state, between)
		.filter(([{ stage, problem }, paths]) => problem !== null || isTouched(stage, paths))
		.map(([known, paths]) => {
			const untouched = (counts: StageRecord['files']): StageRecord['files'] =>
				Object.fromEntries(Object.entries(counts).filter(([file]) => !isFileTouched(known.stage, file, paths)));
			return { ...known, files: untouched(known.files), skippedFiles: untouched(known.skippedFiles) };
		})
		.filter(({ files }) => Object.keys(files).length > 0);
}
