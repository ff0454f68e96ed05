import { resting, runResting } from '../../../base/timeSlice.ts';
import type { ConflictSides } from '../../../localGit/conflictSides.ts';
import { isAtBase } from '../../../patch/conflictAtBase.ts';
import type { ApplyParts } from './applyParts.ts';

/**
 * Conflicted files with the content of their merge base. The merge editor writes that, and auto-save stores it, before
 * the user chose anything.
 */
export async function leftAtBase(
	{ clock }: Pick<ApplyParts, 'clock'>,
	sides: readonly ConflictSides[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const rest = resting(clock);
	const left: string[] = [];
	for (const { path, now, ...texts } of sides) {
		if (await runResting(isAtBase(texts, now), rest, signal)) {
			left.push(path);
		}
	}
	return left;
}
