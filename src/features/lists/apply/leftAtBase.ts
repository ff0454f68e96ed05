import { resting, runResting } from '../../../base/timeSlice.ts';
import type { ConflictSides } from '../../../localGit/conflictSides.ts';
import { isAtBase } from '../../../patch/conflictAtBase.ts';
import type { ApplyParts } from './applyParts.ts';

/**
 * The files in conflict that are, at a conflict, as they were before both sides changed them: the editor's merge editor
 * writes that, and saves it where the editor saves by itself, before anybody has chosen anything.
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
