import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { choiceOf, withNeeds } from './choice.ts';
import { codeServerVersion } from './codeServer.ts';
import type { CommandContext } from './commandContext.ts';
import { mutantsStage } from './commandStage.ts';
import { resultsFolder, root } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { type ProofFacts, proofPage } from './proof.ts';
import { keepRecord, recordsOf } from './proofRecords.ts';
import { exitStatus, runAndClose } from './runAndClose.ts';
import { allStages } from './stageList.ts';
import { type TreeState, treeState } from './treeState.ts';

/** Where the records of the stages and the page go. */
interface ProofPlaces {
	readonly records: string;
	readonly page: string;
}

const places: ProofPlaces = { records: join(resultsFolder, 'proof'), page: join(root, 'docs/proof.md') };
/** For `npm test`, which tries the command without proving anything. */
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

/** One proof has one seed: that of the stages that are known already, unless another is asked for. */
function seedOf(args: readonly string[], state: TreeState, { records }: ProofPlaces): number {
	const asked = args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length);
	if (asked !== undefined) {
		return Number(asked);
	}
	return recordsOf(records, state)[0]?.seed ?? Math.floor(Math.random() * 2 ** 31);
}

/** Runs all stages, or those that are named, and writes down what is known of all of them at this commit. */
export async function prove(context: CommandContext): Promise<number> {
	const isSmallest = context.args.includes('--smallest');
	const at = isSmallest ? smallestPlaces : places;
	const state = treeState();
	const seed = seedOf(context.args, state, at);
	console.log(`Full counts with --seed=${seed}`);
	const env = { FORGE_DESK_COUNTS: 'full', FORGE_DESK_SEED: String(seed), FORGE_DESK_UI: 'all' };
	const stages = [
		...allStages({ env, silenceMs: 40 * 60_000, words: [], editorDialects: ['field', 'document'] }),
		mutantsStage(seed),
	];
	const names = stages.map(({ name }) => name);
	const choice = choiceOf(context.args, names);
	if (choice.words.length > 0) {
		throw new PlainProblem(`No stage is called ${choice.words.join(', ')}. There are: ${names.join(', ')}.`);
	}
	const wanted = isSmallest && choice.stages.length === 0 ? ['format'] : choice.stages;
	const write = (): void => {
		const known = { state, stages: names, records: recordsOf(at.records, state), facts: facts() };
		mkdirSync(dirname(at.page), { recursive: true });
		writeFileSync(at.page, proofPage(known));
	};
	const results = await runAndClose(wanted.length === 0 ? stages : withNeeds(stages, wanted), context, (result) => {
		keepRecord(at.records, result, { ...state, seed });
		// Written after each stage, so that it is there whatever ends the run.
		write();
	});
	console.log(`Wrote ${at.page}`);
	return exitStatus(results);
}
