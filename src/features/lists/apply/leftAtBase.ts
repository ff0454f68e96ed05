import { resting, runResting } from '../../../base/timeSlice.ts';
import { conflictSides } from '../../../localGit/conflictSides.ts';
import { isAtBase } from '../../../patch/conflictAtBase.ts';
import type { ApplyParts } from './applyParts.ts';

/**
 * The files in conflict that are, at a conflict, as they were before both sides changed them: the editor's merge editor
 * writes that, and saves it where the editor saves by itself, before anybody has chosen anything.
 */
export async function leftAtBase(
	{ git, clock }: Pick<ApplyParts, 'git' | 'clock'>,
	folder: string,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const rest = resting(clock);
	const left: string[] = [];
	for (const { path, now, ...texts } of await conflictSides(git, folder, signal)) {
		if (await runResting(isAtBase(texts, now), rest, signal)) {
			left.push(path);
		}
	}
	return left;
}
