import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isFileTouched, isTouched, pathsBetween } from './proofStages.ts';
import { type FileOutcome, notRunProblem, type StageResult } from './stages.ts';
import type { Tally } from './report.ts';
import type { TreeState } from './treeState.ts';

const record = v.object({
	stage: v.string(),
	/** The commit that it ran on last. What is kept from before held there as well. */
	commit: v.string(),
	changes: v.string(),
	seed: v.number(),
	/** When the stage ended. */
	date: v.string(),
	/** Null when all was well. */
	problem: v.nullable(v.string()),
	note: v.nullable(v.string()),
	/** Null for a stage that runs no tests. */
	passed: v.nullable(v.number()),
	/** Tests of what is absent where they would run. */
	skipped: v.optional(v.number(), 0),
	failed: v.array(v.string()),
	notRun: v.array(v.string()),
	/** Of all runs that this stands on. */
	ms: v.number(),
	cpuMs: v.number(),
	/** How many tests passed in each file all of whose tests did. */
	files: v.record(v.string(), v.number()),
	/** How many were skipped in each of them. */
	skippedFiles: v.optional(v.record(v.string(), v.number()), {}),
});

/** What is known of one stage of a proof. */
export type StageRecord = Readonly<v.InferOutput<typeof record>>;

/** What a run of a stage begins with. */
export interface ProofRun extends TreeState {
	readonly seed: number;
	/** What an earlier run knows of files that this one leaves out. */
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

/** What the tests of a stage came to, with those of the files that it left out. */
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

/**
 * Keeps what came of a stage, together with what was kept of the files that it left out, in place of what was known of it.
 * One that could not run leaves nothing to keep.
 */
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

/** Keeps what is known of a stage while it runs, for the case that it never ends. */
export function keepFiles(folder: string, stage: string, ended: readonly FileOutcome[], run: ProofRun): void {
	const none = { field: 0, document: 0, graphql: 0 };
	const tally = { passed: [], failed: [], skipped: [], notRun: [], passedIn: none, skippedIn: none, ended: false };
	keepRecord(folder, { name: stage, problem: 'it did not end', tally, ms: 0, cpuMs: 0, files: ended }, run);
}

/** Tells what differs between two commits (`pathsBetween`). */
type Between = (before: string, after: string) => readonly string[] | undefined;

/** What an earlier run left, with what has changed since; none of what ran with other uncommitted changes. */
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

/** What is known of the stages at this state of the sources, also from before changes that do not touch them. */
export function recordsOf(folder: string, state: TreeState, between: Between = pathsBetween): readonly StageRecord[] {
	return earlierRecords(folder, state, between)
		.filter(([{ stage }, paths]) => !isTouched(stage, paths))
		.map(([known]) => known);
}

/**
 * What is known of stages that have to run, as far as it still holds: of their files, those all of whose tests passed, and
 * which nothing that changed since could make fail.
 */
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
