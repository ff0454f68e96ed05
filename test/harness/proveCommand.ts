import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { stampVariable, tablesFolder } from '../support/proofTable.ts';
import { choiceOf, withNeeds } from './choice.ts';
import { codeServerVersion } from './codeServer.ts';
import type { CommandContext } from './commandContext.ts';
import { branchesStage, mutantsStage } from './commandStage.ts';
import { resultsFolder, root } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { type ProofFacts, proofPage, withTables } from './proof.ts';
import { keepFiles, keepRecord, recordsOf, type StageRecord, unfinishedOf } from './proofRecords.ts';
import { exitStatus, runAndClose } from './runAndClose.ts';
import { allStages, type StageOptions } from './stageList.ts';
import type { FileOutcome } from './stages.ts';
import { filesOf } from './testRing.ts';
import { treeState } from './treeState.ts';

/** Output paths of the stage records and of the page. */
interface ProofPlaces {
	readonly records: string;
	readonly page: string;
}

const places: ProofPlaces = { records: join(resultsFolder, 'proof'), page: join(root, 'docs/proof.md') };
/** For `npm test`, which only exercises the command. */
const smallestPlaces: ProofPlaces = {
	records: join(resultsFolder, 'smallest/proof'),
	page: join(resultsFolder, 'smallest/proof.md'),
};

function facts(): ProofFacts {
	const manifest = v.parse(
		v.object({ version: v.string() }),
		JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	);
	return {
		counts: 'full',
		'Forge Desk': manifest.version,
		'editor of the workbench tests': `code-server ${codeServerVersion}`,
		Node: process.versions.node,
		git: execFileSync('git', ['--version'], { encoding: 'utf8' }).trim().replace('git version ', ''),
		machine: `${process.platform} ${process.arch}, ${cpus().length} cores`,
	};
}

const fullEnv = { FORGE_DESK_COUNTS: 'full' } as const;
const fullOptions = { silenceMs: 40 * 60_000, words: [], editorDialects: ['field', 'document'] } as const;

/** One seed per proof: the option, or else the seed of the recorded stages. */
function seedOf(args: readonly string[], known: readonly StageRecord[]): number {
	const asked = args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length);
	return asked === undefined ? (known[0]?.seed ?? Math.floor(Math.random() * 2 ** 31)) : Number(asked);
}

/** Test files by ring for runs with full counts outside the record. */
const kinds: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	faults: {
		contract: ['test/contract/faultMatrix.contract.test.ts'],
		unit: [
			'test/unit/features/tickets/killedWrites.test.ts',
			'test/unit/features/lists/send/writeMail.test.ts',
			'test/unit/features/review/reply/sending.test.ts',
			'test/unit/store/webhooks/killedWebhookWindows.test.ts',
			'test/unit/machine/storage/twoWindows.test.ts',
		],
	},
	soak: { editor: ['test/editor/soak.test.ts'] },
	hostile: {
		unit: [
			'packages/hardened-git/test/sendMail.test.ts',
			'packages/patchmail/test/patch/sameAsGit.test.ts',
			'packages/patchmail/test/series/patchesInBytes.test.ts',
			'test/unit/features/patches/apply/randomMailsToGit.test.ts',
			'test/unit/features/patches/apply/judgedTrees.test.ts',
			'test/unit/features/patches/apply/hostileCommits.test.ts',
			'test/unit/features/patches/apply/ownOperations.test.ts',
			'test/unit/features/tickets/killedWrites.test.ts',
			'test/unit/engine/text/visible.test.ts',
			'test/unit/features/patches/apply/committedBytes.test.ts',
		],
	},
};

/** Compares results for external mail collections, each in a subfolder of the folder after `foreign`. */
async function readForeign({ args, children }: CommandContext, env: Readonly<Record<string, string>>): Promise<number> {
	const folder = args[1];
	if (folder === undefined || !existsSync(folder)) {
		throw new PlainProblem('Name a folder whose subfolders are collections: npm run prove -- foreign FOLDER');
	}
	const script = join(root, 'test/foreign/main.ts');
	const options = { live: true, limitMs: 60 * 60_000, env };
	const { code } = await children.run(process.execPath, [script, folder], options);
	return code ?? 1;
}

/** Folder with archives of mailing lists: mailboxes, or repositories of public-inbox. */
const listsVariable = 'FORGE_DESK_LISTS';
const mailsPerList = 3000;

/** Compares the patchsets of mailing-list archives with the series that b4 finds. */
async function compareWithB4({ children }: CommandContext, env: Readonly<Record<string, string>>): Promise<number> {
	const folder = process.env[listsVariable] ?? '';
	if (!existsSync(folder)) {
		throw new PlainProblem(
			`Set ${listsVariable} to a folder with mailboxes (*.mbox) or clones of public-inbox archives: ${listsVariable}=FOLDER npm run prove -- b4`,
		);
	}
	const script = join(root, 'test/foreign/b4/main.ts');
	const options = { live: true, limitMs: 60 * 60_000, env };
	const { code } = await children.run(process.execPath, [script, folder, String(mailsPerList)], options);
	return code ?? 1;
}

/** Kinds that need files from elsewhere. */
const comparisons = new Map([
	['foreign', readForeign],
	['b4', compareWithB4],
]);

/** Tables that tests wrote with full counts, in file order. */
function tables(): readonly string[] {
	return globSync('*.md', { cwd: tablesFolder })
		.toSorted()
		.map((file) => readFileSync(join(tablesFolder, file), 'utf8'));
}

/** Files of a stage without a recorded pass. */
function restOf({ stage, files }: StageRecord): readonly string[] {
	return filesOf(stage).filter((file) => files[file] === undefined);
}

/** A stage without files to run fails. So if all files have a recorded pass but the stage has none, reruns one. */
function withSomethingToRun(known: StageRecord): StageRecord {
	return restOf(known).length > 0
		? known
		: { ...known, files: Object.fromEntries(Object.entries(known.files).slice(1)) };
}

/** The extension host takes words instead of files. */
function optionsOf(files: NonNullable<(typeof kinds)[string]>, env: StageOptions['env']): StageOptions {
	const words = (files['editor'] ?? []).map((file) => basename(file, '.test.ts'));
	return { ...fullOptions, env, words, files, editorDialects: ['field'] };
}

/** Runs all stages, or one kind of test with full counts. */
export async function prove(context: CommandContext): Promise<number> {
	const [name = ''] = context.args;
	const kind = kinds[name];
	const compare = comparisons.get(name);
	if (kind === undefined && compare === undefined) {
		return proveStages(context);
	}
	const seed = String(seedOf(context.args, []));
	console.log(`Full counts with --seed=${seed}`);
	const stamp = `Commit ${treeState().commit.slice(0, 8)}, ${new Date().toISOString().slice(0, 10)}, seed ${seed}.`;
	const env = { ...fullEnv, FORGE_DESK_STEERED: 'yes', FORGE_DESK_SEED: seed, [stampVariable]: stamp };
	const status =
		kind === undefined
			? ((await compare?.(context, env)) ?? 1)
			: exitStatus(await runAndClose(withNeeds(allStages(optionsOf(kind, env)), Object.keys(kind)), context));
	writeFileSync(places.page, withTables(readFileSync(places.page, 'utf8'), tables()));
	return status;
}

/**
 * Runs the selected stages (default: all) unless recorded as passing for these sources, and writes the records of all
 * stages. `--all` ignores records.
 */
async function proveStages(context: CommandContext): Promise<number> {
	const isSmallest = context.args.includes('--smallest');
	const isAnew = isSmallest || context.args.includes('--all');
	const at = isSmallest ? smallestPlaces : places;
	const state = treeState();
	const known = isAnew ? [] : recordsOf(at.records, state).filter(({ problem }) => problem === null);
	const unfinished = isAnew ? [] : unfinishedOf(at.records, state).map(withSomethingToRun);
	const seed = seedOf(context.args, [...known, ...unfinished]);
	console.log(`Full counts with --seed=${seed}`);

	const keptOf = (stage: string): StageRecord | undefined => unfinished.find((each) => each.stage === stage);
	const runOf = (stage: string): Parameters<typeof keepRecord>[2] => {
		const kept = keptOf(stage);
		return { ...state, seed, ...(kept === undefined ? {} : { kept }) };
	};
	const ended = new Map<string, readonly FileOutcome[]>();
	const stages = [
		...allStages({
			...fullOptions,
			env: { ...fullEnv, FORGE_DESK_SEED: String(seed) },
			files: Object.fromEntries(unfinished.map((each) => [each.stage, restOf(each)])),
			onFile: (ring, outcome) => {
				const files = [...(ended.get(ring) ?? []), outcome];
				ended.set(ring, files);
				keepFiles(at.records, ring, files, runOf(ring));
			},
		}),
		mutantsStage,
		branchesStage,
	];
	const names = stages.map(({ name }) => name);
	const choice = choiceOf(context.args, names);
	if (choice.words.length > 0) {
		throw new PlainProblem(`No stage is called ${choice.words.join(', ')}. There are: ${names.join(', ')}.`);
	}
	const asked = choice.stages.length > 0 ? choice.stages : isSmallest ? ['format'] : names;
	const wanted = asked.filter((name) => known.every(({ stage }) => stage !== name));
	for (const { stage, commit } of known.filter((each) => asked.includes(each.stage))) {
		console.log(`${stage} is known to be good since ${commit.slice(0, 8)}; --all runs it again.`);
	}
	for (const { stage, files } of unfinished.filter((each) => wanted.includes(each.stage))) {
		console.log(`${Object.keys(files).length} files of ${stage} are known to be good; --all runs them again.`);
	}
	const write = (): void => {
		const all = { state, stages: names, records: recordsOf(at.records, state), facts: facts() };
		mkdirSync(dirname(at.page), { recursive: true });
		const before = existsSync(at.page) ? readFileSync(at.page, 'utf8') : '';
		writeFileSync(at.page, withTables(proofPage(all), tables(), before));
	};
	write();
	const results = await runAndClose(withNeeds(stages, wanted), context, {
		// With full counts, some files idle for minutes while waiting for external timers.
		moreSlots: 1,
		onEnd: (result) => {
			keepRecord(at.records, result, runOf(result.name));
			// Written after each stage, so an aborted run keeps its results.
			write();
		},
	});
	console.log(`Wrote ${at.page}`);
	return exitStatus(results);
}
