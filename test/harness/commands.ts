import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, buildPackageWhenNeeded } from './buildPackage.ts';
import type { Children } from './children.ts';
import { root } from './places.ts';
import { takePictures } from './pictures.ts';
import { PlainProblem } from './plainProblem.ts';
import { writeProof } from './proof.ts';
import { allStages, quickStages, type StageOptions } from './stageList.ts';
import { runStages, type Stage, type StageResult } from './stages.ts';
import { startEverything } from './start.ts';
import { closingLine, failures } from './summary.ts';

/** What a command gets to work with. */
export interface CommandContext {
	readonly args: readonly string[];
	readonly children: Children;
	/** Marks every process of this run. */
	readonly mark: string;
}

/** A command ends with the exit status of the process. */
export type Command = (context: CommandContext) => Promise<number>;

const minuteMs = 60_000;

/** Runs stages and prints the closing line. With names given (`npm test -- unit ui`), only those and what they need. */
async function runAndClose(stages: readonly Stage[], { args, mark }: CommandContext): Promise<readonly StageResult[]> {
	const start = performance.now();
	const names = args.filter((arg) => !arg.startsWith('--'));
	const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
	if (unknown.length > 0) {
		throw new PlainProblem(
			`No stage is called ${unknown.join(', ')}. There are: ${stages.map(({ name }) => name).join(', ')}.`,
		);
	}
	const wanted = new Set([
		...names,
		...stages.filter(({ name }) => names.includes(name)).flatMap(({ needs }) => needs),
	]);
	const chosen = names.length === 0 ? stages : stages.filter(({ name }) => wanted.has(name));
	const results = await runStages(chosen, mark);
	for (const line of failures(results)) {
		console.log(line);
	}
	console.log(closingLine(results, performance.now() - start));
	return results;
}

function exitStatus(results: readonly StageResult[]): number {
	return results.every((result) => result.problem === undefined) ? 0 : 1;
}

function stageOptions({ args, children }: CommandContext, env: StageOptions['env'], limitMs: number): StageOptions {
	const grep = args.find((arg) => arg.startsWith('--grep='))?.slice('--grep='.length) ?? '';
	return { children, env, grep, limitMs };
}

/** Runs a program in the foreground. */
function foreground(program: string, args: readonly string[]): number {
	return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const smallCounts = { FORGE_DESK_COUNTS: 'small' } as const;

async function prove(context: CommandContext): Promise<number> {
	const seed = Math.floor(Math.random() * 2 ** 31);
	console.log(`Full counts with the seed ${seed}`);
	const env = { FORGE_DESK_COUNTS: 'full', FORGE_DESK_SEED: String(seed) };
	const results = await runAndClose(allStages(stageOptions(context, env, 120 * minuteMs)), context);
	if (context.args.length === 0) {
		writeProof(results, seed);
	} else {
		console.log('docs/proof.md stays as it was: it tells of whole runs alone');
	}
	return exitStatus(results);
}

async function bench({ args, children }: CommandContext): Promise<number> {
	const script = join(root, 'test/bench/main.ts');
	if (!existsSync(script)) {
		console.error('There is no benchmark yet.');
		return 1;
	}
	await buildPackageWhenNeeded(children);
	const { code } = await children.run(process.execPath, [script, ...args], { live: true, limitMs: 60 * minuteMs });
	return code ?? 1;
}

export const commands: Readonly<Record<string, Command>> = {
	test: async (context) =>
		exitStatus(await runAndClose(allStages(stageOptions(context, smallCounts, 50 * minuteMs)), context)),
	check: async (context) =>
		exitStatus(await runAndClose(quickStages(stageOptions(context, smallCounts, 5 * minuteMs)), context)),
	prove,
	bench,
	pictures: takePictures,
	start: startEverything,
	build: async ({ args }) => foreground('node', ['esbuild.mjs', ...args]),
	package: async ({ children }) => (await buildPackage(children, true)).code ?? 1,
	format: async () => foreground('oxfmt', []),
	coverage: async () => foreground('c8', ['mocha']),
};
