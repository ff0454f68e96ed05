import { existsSync, readFileSync } from 'node:fs';
import type { Children } from './children.ts';
import { type CpuSampler, openCpuSampler } from './cpuClock.ts';
import { awaitLeftovers } from './leftovers.ts';
import { windowsFile } from './places.ts';
import { shownProblem } from './plainProblem.ts';
import type { Tally } from './report.ts';
import type { Slots } from './slots.ts';

export interface FileOutcome {
	readonly file: string;
	readonly passed: number;
	readonly skipped: number;
	/** All tests passed or were skipped. */
	readonly isGood: boolean;
}

/** `problem`: undefined for success. `tally`: of stages that run tests. */
export interface Outcome {
	readonly problem?: string;
	readonly output?: string;
	readonly tally?: Tally;
	/** One more line for the results. */
	readonly note?: string;
	readonly files?: readonly FileOutcome[];
}

export interface StageContext {
	/** Of this stage alone, so that its processes can be found. */
	readonly children: Children;
	/** Processes at the same time, in all stages together. */
	readonly slots: number;
	/** Waits for a slot, then does work that keeps one core busy. */
	readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Stage {
	readonly name: string;
	/** Earlier stages that have to pass first. */
	readonly needs: readonly string[];
	run(context: StageContext): Promise<Outcome>;
}

export interface StageResult extends Outcome {
	readonly name: string;
	/** From its first slot to the end. */
	readonly ms: number;
	readonly cpuMs: number;
	/** Windows of the editor, reloads included. */
	readonly windows?: number;
}

export interface StagesRun {
	readonly children: Children;
	readonly slots: Slots;
	/** Grace period for the processes of a stage that has ended. */
	readonly leftoversMs?: number;
	readonly onEnd?: (result: StageResult) => void;
}

interface SampledRun extends StagesRun {
	readonly sampler: CpuSampler;
}

const sampleMs = 1_000;

/** The problem of a stage after one of its prerequisites failed. */
export const notRunProblem = 'not run';

/** Seconds with one decimal, as in `2.4 s`. */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

async function outcomeOf(stage: Stage, context: StageContext): Promise<Outcome> {
	try {
		return await stage.run(context);
	} catch (error) {
		return { problem: shownProblem(error) };
	}
}

function withLeftovers(outcome: Outcome, left: readonly { readonly pid: number; readonly command: string }[]): Outcome {
	if (left.length === 0) {
		return outcome;
	}
	const { files: _, ...others } = outcome;
	const lines = left.map(({ pid, command }) => `left behind: ${pid} ${command}`);
	return {
		...others,
		problem: [outcome.problem, `processes were left behind: ${left.length}`].filter(Boolean).join(', '),
		output: [outcome.output, ...lines].filter(Boolean).join('\n'),
	};
}

async function runStage(stage: Stage, rank: number, run: SampledRun): Promise<StageResult> {
	const children = run.children.part(stage.name);
	let start: number | undefined;
	const inSlot: StageContext['inSlot'] = async (work) => {
		const giveBack = await run.slots.take(rank);
		if (start === undefined) {
			start = performance.now();
			console.log(`▶ ${stage.name}`);
		}
		try {
			return await work();
		} finally {
			giveBack();
		}
	};
	const outcome = await outcomeOf(stage, { children, slots: run.slots.count, inSlot });
	const { problem, output, tally, note, files } = withLeftovers(
		outcome,
		await awaitLeftovers(children.mark, run.leftoversMs),
	);
	const ms = start === undefined ? 0 : performance.now() - start;
	const windows = windowsOf(children.mark);
	const tests = tally === undefined ? '' : `, ${tally.passed.length} passed${shownSkipped(tally)}`;
	if (problem === undefined) {
		console.log(`✔ ${stage.name}${tests} (${seconds(ms)})`);
	} else {
		console.log(`${output ?? ''}\n✘ ${stage.name}${tests} (${seconds(ms)}): ${problem}`);
	}
	return {
		name: stage.name,
		ms,
		// The first misses killed processes, the second short ones.
		cpuMs: Math.max(children.cpuMs(), run.sampler.cpuMs(children.mark)),
		...(windows === 0 ? {} : { windows }),
		...(problem === undefined ? {} : { problem }),
		...(output === undefined ? {} : { output }),
		...(tally === undefined ? {} : { tally }),
		...(note === undefined ? {} : { note }),
		...(files === undefined ? {} : { files }),
	};
}

/** Tests note each window that they open or reload, with the mark of their run. */
function windowsOf(mark: string): number {
	const run = `"run":${JSON.stringify(mark)}`;
	return existsSync(windowsFile)
		? readFileSync(windowsFile, 'utf8')
				.split('\n')
				.filter((line) => line.includes(run)).length
		: 0;
}

/** Skipped tests, counted by their `lack`. */
export function shownSkipped({ skipped }: Tally): string {
	const counts = new Map<string, number>();
	for (const { lack } of skipped) {
		counts.set(lack, (counts.get(lack) ?? 0) + 1);
	}
	const told = [...counts].map(([lack, count]) => `${lack} ${count}`).toSorted();
	return told.length === 0 ? '' : `, ${skipped.length} skipped without ${told.join(', ')}`;
}

function notRun({ name, needs }: Stage): StageResult {
	console.log(`✘ ${name}: not run, it needs ${needs.join(' and ')}`);
	return { name, ms: 0, cpuMs: 0, problem: notRunProblem };
}

/**
 * Runs all stages, each after its prerequisites have passed and with a free slot; earlier ones first. After a failure,
 * independent stages continue.
 */
export async function runStages(stages: readonly Stage[], run: StagesRun): Promise<readonly StageResult[]> {
	const sampler = openCpuSampler(run.children.mark);
	const sampling = setInterval(() => sampler.sample(), sampleMs);
	const ends = new Map<string, Promise<StageResult>>();
	const runAfterNeeds = async (stage: Stage, rank: number): Promise<StageResult> => {
		const needed = await Promise.all(stage.needs.flatMap((name) => ends.get(name) ?? []));
		const isPossible = needed.every(({ problem }) => problem === undefined);
		const result = isPossible ? await runStage(stage, rank, { ...run, sampler }) : notRun(stage);
		run.onEnd?.(result);
		return result;
	};
	for (const [rank, stage] of stages.entries()) {
		ends.set(stage.name, runAfterNeeds(stage, rank));
	}
	try {
		return await Promise.all(ends.values());
	} finally {
		clearInterval(sampling);
	}
}
