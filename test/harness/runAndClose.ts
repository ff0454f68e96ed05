import { availableParallelism } from 'node:os';
import type { CommandContext } from './commandContext.ts';
import { openSlots } from './slots.ts';
import { runStages, type Stage, type StageResult } from './stages.ts';
import { closingLine, failures, timeTable } from './summary.ts';

const [fewestSlots, mostSlots] = [2, 8];

/** How many processes work at the same time: one per core, unless FORGE_DESK_SLOTS says otherwise. */
function slotCount(): number {
	const asked = Number(process.env['FORGE_DESK_SLOTS'] ?? Number.NaN);
	return asked >= 1 ? Math.floor(asked) : Math.min(mostSlots, Math.max(fewestSlots, availableParallelism()));
}

/** Runs stages; prints what failed, what each took, and the line that counts all tests. */
export async function runAndClose(
	stages: readonly Stage[],
	{ children }: CommandContext,
	onEnd: (result: StageResult) => void = () => undefined,
): Promise<readonly StageResult[]> {
	const start = performance.now();
	const results = await runStages(stages, { children, slots: openSlots(slotCount()), onEnd });
	const lines = [...failures(results), ...timeTable(results), closingLine(results, performance.now() - start)];
	for (const line of lines) {
		console.log(line);
	}
	return results;
}

export function exitStatus(results: readonly StageResult[]): number {
	return results.every((result) => result.problem === undefined) ? 0 : 1;
}
