// `npm run bench [--smallest] [name…]`
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { resultsFolder, root } from '../harness/places.ts';
import { shownProblem } from '../harness/plainProblem.ts';
import type { Outcome, Size, Unmeasured } from './measurement.ts';
import { measurements } from './measurements.ts';
import { benchmarksPage, exitStatus, printedResults, type RunFacts } from './results.ts';
import { readArguments, runMeasurements } from './runMeasurements.ts';

const minuteMs = 60_000;
/** Of one measurement. */
const limitMs: Readonly<Record<Size, number>> = { full: 4 * minuteMs, smallest: 5 * minuteMs };
const budgetMs = 12 * minuteMs;
const page = 'docs/benchmarks.md';

function git(...args: readonly string[]): string {
	return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** The commit, and whether there are changes on top. */
function commitOfSources(): string {
	if (!existsSync(join(root, '.git'))) {
		return 'unknown, because these sources are no git repository';
	}
	const isChanged = git('status', '--porcelain', '--', '.', `:!${page}`) !== '';
	return `${git('rev-parse', 'HEAD')}${isChanged ? ' and changes since' : ''}`;
}

function runFacts(startedMs: number, commit: string): RunFacts {
	const manifest = v.parse(
		v.object({ version: v.string() }),
		JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	);
	return {
		date: new Date(),
		commit,
		version: manifest.version,
		node: process.versions.node,
		machine: `${process.platform} ${process.arch}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`,
		tookMs: performance.now() - startedMs,
	};
}

async function bench(args: readonly string[]): Promise<number> {
	const wanted = readArguments(args, measurements);
	const isWhole = wanted.size === 'full' && wanted.measurements.length === measurements.length;
	const commit = isWhole ? commitOfSources() : '';
	mkdirSync(resultsFolder, { recursive: true });
	const startedMs = performance.now();
	const made = await runMeasurements(wanted.measurements, {
		size: wanted.size,
		nowMs: () => performance.now(),
		limitMs: limitMs[wanted.size],
		budgetMs,
		log: console.log,
	});
	const outcomes: readonly Outcome[] = [...made, ...strays];
	if (isWhole) {
		writeFileSync(join(root, page), benchmarksPage(outcomes, runFacts(startedMs, commit)));
		console.log(`Wrote ${page}`);
	} else {
		console.log(`${page} stays as it was: it tells of whole runs alone`);
	}
	for (const line of printedResults(outcomes, wanted.size)) {
		console.log(line);
	}
	return exitStatus(outcomes);
}

/** Errors that no measurement awaits; they must not end the others. */
const strays: Unmeasured[] = [];
process.on('uncaughtException', (error) => {
	strays.push({ kind: 'broken', name: 'beside the measurements', reason: shownProblem(error), tookMs: 0 });
});
try {
	process.exit(await bench(process.argv.slice(2)));
} catch (error) {
	console.error(shownProblem(error));
	process.exit(1);
}
