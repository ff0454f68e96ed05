import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from './commandContext.ts';
import { resultsFolder, windowsFile } from './places.ts';
import { openSlots } from './slots.ts';
import { runStages, type Stage, type StageResult } from './stages.ts';
import { closingLine, failures, summaryOf, timeTable } from './summary.ts';
import { reportPrefix } from './testRing.ts';

const [fewestSlots, mostSlots] = [2, 8];

/** FORGE_DESK_SLOTS; by default one per core and `more`. */
function slotCount(more: number): number {
	const asked = Number(process.env['FORGE_DESK_SLOTS'] ?? Number.NaN);
	const perCore = Math.min(mostSlots, Math.max(fewestSlots, availableParallelism()));
	return asked >= 1 ? Math.floor(asked) : perCore + more;
}

interface RunOptions {
	readonly onEnd?: (result: StageResult) => void;
	/** Processes beyond one per core, for stages that often wait. */
	readonly moreSlots?: number;
}

/** Runs stages; prints failures, times, and the closing line. */
export async function runAndClose(
	stages: readonly Stage[],
	{ children }: CommandContext,
	{ onEnd = () => undefined, moreSlots = 0 }: RunOptions = {},
): Promise<readonly StageResult[]> {
	if (process.env[reportPrefix] === undefined) {
		rmSync(windowsFile, { force: true });
	}
	const start = performance.now();
	const results = await runStages(stages, { children, slots: openSlots(slotCount(moreSlots)), onEnd });
	const ms = performance.now() - start;
	keepSummary(results, ms);
	const lines = [...failures(results), ...timeTable(results), closingLine(results, ms)];
	for (const line of lines) {
		console.log(line);
	}
	return results;
}

/** A command inside of a stage has a summary of its own. */
function keepSummary(results: readonly StageResult[], ms: number): void {
	mkdirSync(resultsFolder, { recursive: true });
	const file = join(resultsFolder, `${process.env[reportPrefix] ?? ''}summary.json`);
	writeFileSync(file, `${JSON.stringify(summaryOf(results, ms), undefined, '\t')}\n`);
}

export function exitStatus(results: readonly StageResult[]): number {
	return results.every((result) => result.problem === undefined) ? 0 : 1;
}
