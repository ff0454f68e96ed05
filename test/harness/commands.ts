import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPackage, buildPackageWhenNeeded } from './buildPackage.ts';
import { choiceOf, filesWith, runsAnew, withNeeds } from './choice.ts';
import type { Command, CommandContext } from './commandContext.ts';
import { type Keeps, openKnownGood, outcomesToKeep } from './knownGood.ts';
import { lacksOnProductPage } from './packagedReadme.ts';
import { resultsFolder, root, tracesFolder } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { repositoryIn } from './repositoryPages.ts';
import { exitStatus, runAndClose } from './runAndClose.ts';
import { allStages, pureFiles, quickStageNames, ringNames, type StageOptions } from './stageList.ts';
import { filesOf, foldersOf, isInPart } from './testRing.ts';
import { hashesOfReads } from './testReads.ts';
import { installPrograms } from './toolStages.ts';
import { howToWatch } from './watching.ts';

const minuteMs = 60_000;

const smallOptions: StageOptions = {
	env: { FORGE_DESK_COUNTS: 'small' },
	silenceMs: 5 * minuteMs,
	words: [],
	editorDialects: ['field'],
};

/** For quick feedback: in one dialect. */
const leastOptions: StageOptions = {
	...smallOptions,
	env: { ...smallOptions.env, FORGE_DESK_COUNTS: 'least', FORGE_DESK_DIALECTS: 'field' },
};

/** Stages with browsers, servers and git often wait. A third process on two cores saves a tenth of the time. */
const oftenWaiting = { moreSlots: 1 } as const;

/** Stages with something in the second part. */
function stagesOfPart({ env }: StageOptions): readonly string[] {
	const rings = ringNames.filter((ring) => filesOf(ring).some((file) => isInPart(file, env)));
	return env['FORGE_DESK_PART'] === 'rest' ? [...rings, 'commands'] : [];
}

/**
 * `npm test`: the first part, or with `--rest` the second. With names of stages or words, both. Without any, it skips tests
 * that passed with unchanged inputs, but never on a machine of continuous integration.
 */
const test: Command = (context) => {
	const isNamed = context.args.some((arg) => !arg.startsWith('--'));
	const part = context.args.includes('--rest') ? 'rest' : 'first';
	if (isNamed) {
		return runChosen(context, smallOptions);
	}
	const options = { ...smallOptions, env: { ...smallOptions.env, FORGE_DESK_PART: part } };
	if (part === 'rest') {
		return runChosen(context, options);
	}
	return runChanged(context, {
		options,
		moreSlots: oftenWaiting.moreSlots,
		stages: allStages(options).map(({ name }) => name),
		files: Object.fromEntries(ringNames.map((ring) => [ring, filesOf(ring)])),
		isAnew: runsAnew(context.args, process.env),
		knownAt: join(resultsFolder, 'known-good-first.jsonl'),
		keeps: 'green runs',
	});
};

/** Runs stages: `always` and the named ones, or all without any. Other words filter the tests. */
async function runChosen(
	context: CommandContext,
	options: StageOptions,
	always: readonly string[] = [],
): Promise<number> {
	const stages = allStages(options);
	const names = stages.map(({ name }) => name);
	const choice = choiceOf(context.args, names);
	const asked = [...always, ...choice.stages, ...(choice.stages.length === 0 ? stagesOfPart(options) : [])];
	if (choice.words.length === 0) {
		return exitStatus(await runAndClose(withNeeds(stages, asked.length === 0 ? names : asked), context, oftenWaiting));
	}
	const rings = ringNames.filter((name) => asked.length === 0 || asked.includes(name));
	const files = await filesWith(choice.words, rings, context.children);
	const chosen = allStages({ ...options, words: choice.words, files });
	return exitStatus(await runAndClose(withNeeds(chosen, Object.keys(files)), context, oftenWaiting));
}

const knownFiles = join(resultsFolder, 'known-good.jsonl');

interface ChangedRun {
	readonly options: StageOptions;
	readonly moreSlots?: number;
	readonly stages: readonly string[];
	/** Test files by ring. Those known to be good are skipped. */
	readonly files: Readonly<Record<string, readonly string[]>>;
	/** File of those. */
	readonly knownAt: string;
	/** Skips none. */
	readonly isAnew: boolean;
	readonly keeps: Keeps;
}

/** Runs stages, but skips and counts test files that passed with unchanged inputs (testReads.ts). `--all` runs them too. */
async function runChanged(context: CommandContext, run: ChangedRun): Promise<number> {
	const known = openKnownGood(run.knownAt, hashesOfReads(root));
	const rings = Object.entries(run.files).map(([ring, all]) => ({ ring, ...known.restOf(all, run.isAnew) }));
	const stages = allStages({
		...run.options,
		files: Object.fromEntries(rings.map(({ ring, rest }) => [ring, rest])),
		onFile: (_, outcome) => {
			if (run.keeps === 'green files') {
				known.keep(outcome);
			}
		},
	});
	const wanted = run.stages.filter((name) => rings.every(({ ring, rest }) => ring !== name || rest.length > 0));
	const results = await runAndClose(withNeeds(stages, wanted), context, { moreSlots: run.moreSlots ?? 0 });
	const restOf = (name: string): readonly string[] => rings.find(({ ring }) => ring === name)?.rest ?? [];
	outcomesToKeep(results, restOf, run.keeps).forEach((outcome) => known.keep(outcome));
	for (const { ring, skipped, passed } of rings.filter((each) => each.skipped > 0)) {
		console.log(`Skipped ${passed} ${ring} tests in ${skipped} files.`);
	}
	if (rings.some(({ skipped }) => skipped > 0)) {
		console.log(
			'They passed in this folder with the same inputs: imported sources, read files, harness, packages, programs (--all runs them).',
		);
	}
	return exitStatus(results);
}

function foreground(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
	return spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

/** Runs a script with all arguments. */
async function script(path: string, { args, children }: CommandContext, limitMs: number): Promise<number> {
	const { code } = await children.run(process.execPath, [join(root, path), ...args], { live: true, limitMs });
	return code ?? 1;
}

const bench: Command = async (context) => {
	await buildPackageWhenNeeded(context.children);
	// Else the first measurement would wait for an install.
	const { code } = await installPrograms(context.children, { live: true });
	return code !== 0 ? 1 : script('test/bench/main.ts', context, 60 * minuteMs);
};

/** Coverage of two rings; `--smallest`: of one folder, to see that there is a report. */
const coverage: Command = async ({ args }) => {
	const isSmallest = args.includes('--smallest');
	const folders = isSmallest ? ['packages/base/test'] : [...foldersOf('unit'), ...foldersOf('contract')];
	const report = isSmallest
		? ['--reports-dir', join(resultsFolder, 'smallest/coverage'), '--reporter', 'json-summary']
		: [];
	// --exit ends things that the test files of a process share.
	const mocha = ['mocha', '--exit', ...folders.map((folder) => `${folder}/**/*.test.ts`)];
	return foreground('c8', [...report, ...mocha], { FORGE_DESK_COUNTS: 'small' });
};

/** Runs tests one at a time, in a visible browser or with a trace. */
const watchTest: Command = async (context) => {
	const how = howToWatch(process.env, process.platform);
	const rings = ['page', 'ui', 'editor'];
	const words = choiceOf(context.args, []).words;
	if (words.length === 0) {
		throw new PlainProblem('Say which test: npm run watch-test -- <words of its title or file>');
	}
	rmSync(tracesFolder, { recursive: true, force: true });
	const files = await filesWith(words, rings, context.children);
	const stages = allStages({
		...smallOptions,
		env: { ...smallOptions.env, FORGE_DESK_WATCH: how },
		silenceMs: 60 * minuteMs,
		words,
		files,
		lanes: 1,
	});
	const results = await runAndClose(withNeeds(stages, Object.keys(files)), context);
	for (const trace of globSync('**/*.zip', { cwd: tracesFolder }).toSorted()) {
		console.log(`npx playwright-core show-trace ${relative(root, join(tracesFolder, trace))}`);
	}
	return exitStatus(results);
};

/** Stages without editor and browser, and the named ones. */
const check: Command = async (context) => {
	const choice = choiceOf(
		context.args,
		allStages(leastOptions).map(({ name }) => name),
	);
	return choice.words.length > 0
		? runChosen(context, leastOptions, quickStageNames)
		: runChanged(context, {
				options: leastOptions,
				stages: [...quickStageNames, ...choice.stages],
				files: { unit: filesOf('unit'), contract: filesOf('contract') },
				isAnew: runsAnew(context.args, {}),
				knownAt: knownFiles,
				keeps: 'green files',
			});
};

/** Unit tests of the pure rooms; `--smallest`: of one room. */
const pure: Command = (context) =>
	runChanged(context, {
		options: leastOptions,
		stages: ['unit'],
		isAnew: runsAnew(context.args, {}),
		keeps: 'green files',
		...(context.args.includes('--smallest')
			? { files: { unit: pureFiles(['base']) }, knownAt: join(resultsFolder, 'smallest/known-good.jsonl') }
			: { files: { unit: pureFiles() }, knownAt: knownFiles }),
	});

/** Loaded by their commands only, to keep the others quick. */
const pictures: Command = async (context) => (await import('./pictures.ts')).takePictures(context);
const start: Command = async (context) => (await import('./start.ts')).startEverything(context);
const prove: Command = async (context) => (await import('./proveCommand.ts')).prove(context);

export const commands: Readonly<Record<string, Command>> = {
	test,
	check,
	pure,
	prove,
	'watch-test': watchTest,
	bench,
	house: (context) => script('test/house/main.ts', context, minuteMs),
	manifest: (context) => script('src/manifest/main.ts', context, minuteMs),
	languages: async () => (await import('./uiTexts.ts')).updateLanguages(),
	walks: (context) => script('test/house/walks/main.ts', context, 10 * minuteMs),
	mutants: (context) => script('test/harness/mutants.ts', context, 180 * minuteMs),
	pictures,
	start,
	build: async ({ args }) => foreground('node', ['esbuild.mjs', ...args]),
	async package({ args, children }) {
		const repository = repositoryIn(args);
		const { code } = await buildPackage(children, { live: true, repository });
		if (code === 0 && repository === undefined) {
			console.log(lacksOnProductPage);
		}
		return code ?? 1;
	},
	format: async ({ args }) => foreground('oxfmt', args),
	coverage,
};
