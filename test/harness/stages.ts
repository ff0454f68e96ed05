import { awaitLeftovers } from './leftovers.ts';
import { shownProblem } from './plainProblem.ts';
import type { Tally } from './report.ts';

/** What came of a stage. `problem` is undefined when all was well; `tally` is there for stages that run tests. */
export interface Outcome {
	readonly problem?: string;
	readonly output?: string;
	readonly tally?: Tally;
}

export interface Stage {
	readonly name: string;
	/** Stages of one group run two at a time; a group starts when the one before it has ended. */
	readonly group: number;
	/** Names of stages without which this one makes no sense. */
	readonly needs: readonly string[];
	run(): Promise<Outcome>;
}

export interface StageResult extends Outcome {
	readonly name: string;
	readonly ms: number;
}

/** Seconds with one decimal, as in `2.4 s`. */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

async function runStage(stage: Stage): Promise<StageResult> {
	console.log(`▶ ${stage.name}`);
	const start = performance.now();
	let outcome: Outcome;
	try {
		outcome = await stage.run();
	} catch (error) {
		outcome = { problem: shownProblem(error) };
	}
	const ms = performance.now() - start;
	const tests = outcome.tally === undefined ? '' : `, ${outcome.tally.passed.length} passed`;
	if (outcome.problem === undefined) {
		console.log(`✔ ${stage.name}${tests} (${seconds(ms)})`);
	} else {
		console.log(`${outcome.output ?? ''}\n✘ ${stage.name}${tests} (${seconds(ms)}): ${outcome.problem}`);
	}
	return { ...outcome, name: stage.name, ms };
}

/** Runs the stages of one group, two at a time. */
async function runGroup(stages: readonly Stage[]): Promise<readonly StageResult[]> {
	const waiting = [...stages];
	const results: StageResult[] = [];
	const work = async (): Promise<void> => {
		for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
			results.push(await runStage(stage));
		}
	};
	await Promise.all([work(), work()]);
	return results;
}

/** Runs all stages, also after one that failed, unless they need that one. */
export async function runStages(stages: readonly Stage[], mark: string): Promise<readonly StageResult[]> {
	const results: StageResult[] = [];
	for (const group of new Set(stages.map((stage) => stage.group))) {
		const failed = results.filter((result) => result.problem !== undefined).map((result) => result.name);
		const members = stages.filter((stage) => stage.group === group);
		const possible = members.filter((stage) => !stage.needs.some((need) => failed.includes(need)));
		for (const { name, needs } of members.filter((stage) => !possible.includes(stage))) {
			console.log(`✘ ${name}: not run, it needs ${needs.join(' and ')}`);
			results.push({ name, ms: 0, problem: 'not run' });
		}
		results.push(...(await runGroup(possible)));
		const left = await awaitLeftovers(mark);
		if (left.length > 0) {
			const problem = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
			console.log(`✘ processes that were left behind by ${possible.map((it) => it.name).join(', ')}:\n${problem}`);
			results.push({ name: 'left behind', ms: 0, problem });
		}
	}
	return results;
}
