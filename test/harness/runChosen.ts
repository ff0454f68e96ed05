import { choiceOf, filesWith, withNeeds } from './choice.ts';
import type { CommandContext } from './commandContext.ts';
import { exitStatus, runAndClose } from './runAndClose.ts';
import { allStages, ringNames, type StageOptions } from './stageList.ts';

/**
 * Runs the stages in `always` and those named by arguments; all stages where there are none. Other arguments are words, and
 * only tests that match all words run.
 */
export async function runChosen(
	context: CommandContext,
	options: StageOptions,
	always: readonly string[] = [],
): Promise<number> {
	const stages = allStages(options);
	const names = stages.map(({ name }) => name);
	const choice = choiceOf(context.args, names);
	const asked = [...always, ...choice.stages];
	if (choice.words.length === 0) {
		return exitStatus(await runAndClose(withNeeds(stages, asked.length === 0 ? names : asked), context));
	}
	const rings = ringNames.filter((name) => asked.length === 0 || asked.includes(name));
	const files = await filesWith(choice.words, rings, context.children);
	const chosen = allStages({ ...options, words: choice.words, files });
	return exitStatus(await runAndClose(withNeeds(chosen, Object.keys(files)), context));
}
