import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isTouched, pathsBetween } from './proofStages.ts';
import { notRunProblem, type StageResult } from './stages.ts';
import type { TreeState } from './treeState.ts';

const record = v.object({
	stage: v.string(),
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
	failed: v.array(v.string()),
	notRun: v.array(v.string()),
	ms: v.number(),
	cpuMs: v.number(),
});

/** What is known of one stage of a proof. */
export type StageRecord = Readonly<v.InferOutput<typeof record>>;

/** Keeps what came of a stage, in place of what was known of it. One that could not run leaves nothing to keep. */
export function keepRecord(
	folder: string,
	result: StageResult,
	{ commit, changes, seed }: TreeState & { readonly seed: number },
): void {
	if (result.problem === notRunProblem) {
		return;
	}
	const { name, problem = null, note = null, tally, ms, cpuMs } = result;
	const kept: StageRecord = {
		stage: name,
		commit,
		changes,
		seed,
		date: new Date().toISOString(),
		problem,
		note,
		passed: tally?.passed.length ?? null,
		failed: tally?.failed.map(({ title }) => title) ?? [],
		notRun: [...(tally?.notRun ?? [])],
		ms,
		cpuMs,
	};
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, undefined, '\t')}\n`);
}

/** Tells what differs between two commits (`pathsBetween`). */
type Between = (before: string, after: string) => readonly string[] | undefined;

/** What is known of the stages at this state of the sources, also from before changes that do not touch them. */
export function recordsOf(
	folder: string,
	{ commit, changes }: TreeState,
	between: Between = pathsBetween,
): readonly StageRecord[] {
	const holds = (known: StageRecord): boolean => {
		const paths = known.commit === commit ? [] : between(known.commit, commit);
		return known.changes === changes && paths !== undefined && !isTouched(known.stage, paths);
	};
	return globSync('*.json', { cwd: folder })
		.map((file) => v.parse(record, JSON.parse(readFileSync(join(folder, file), 'utf8'))))
		.filter(holds);
}
