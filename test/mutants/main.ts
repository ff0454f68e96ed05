// Plants faults into copies of the sources, one at a time, and tells which tests notice.
//   main.ts [--seed N | --all | --smallest | NAME…] [--report FILE] [--workers N]
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurePace } from '../support/pace.ts';
import { openBaselines } from './baselines.ts';
import { copyTree } from './copiedTree.ts';
import { plant } from './fault.ts';
import { readImportGraph } from './importGraph.ts';
import { pool } from './pool.ts';
import { isGood, json, type Result, summaryLine, trialLine } from './report.ts';
import { insideMark } from './runFiles.ts';
import { type Trial, tryFault } from './tryFault.ts';
import { type MutantsWish, readWish } from './wish.ts';

const root = join(import.meta.dirname, '../..');

async function tryAll(
	{ faults, workers, seed, isSmallest }: MutantsWish,
	folder: string,
	signal: AbortSignal,
): Promise<Result> {
	const baselines = openBaselines(signal);
	const waiting = [...faults];
	const trials: Trial[] = [];
	const trees = Array.from({ length: Math.min(workers, waiting.length) }, (_, index) =>
		copyTree(root, join(folder, String(index))),
	);
	// Others may work in the folder that was copied: faults, tests and imports are those of the copy.
	const [{ folder: copy } = { folder: root }] = trees;
	for (const fault of faults) {
		plant(fault, readFileSync(join(copy, fault.file), 'utf8'));
	}
	const graph = readImportGraph(copy);
	await Promise.all(
		trees.map(async (tree) => {
			for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
				const trial = await tryFault(fault, { tree, graph, baselines, signal, isNearestOnly: isSmallest });
				trials.push(trial);
				console.log(trialLine(trial));
			}
		}),
	);
	return { seed, trials, brokenTests: await baselines.broken() };
}

if (process.env[insideMark] !== undefined) {
	console.error('Faults are not planted by a test that runs with a planted fault.');
	process.exit(1);
}
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'forge-desk-mutants-')));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		abort.abort();
		process.exit(signal === 'SIGINT' ? 130 : 143);
	});
}
try {
	measurePace();
	const wish = readWish(process.argv.slice(2), pool, process.env);
	console.log(`${wish.faults.length} of ${pool.length} faults${wish.seed === undefined ? '' : `, seed ${wish.seed}`}`);
	const result = await tryAll(wish, folder, abort.signal);
	if (wish.report !== undefined) {
		writeFileSync(wish.report, json(result));
	}
	for (const test of result.brokenTests) {
		console.log(`fails without any fault: ${test}`);
	}
	console.log(summaryLine(result));
	process.exitCode = isGood(result) ? 0 : 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
