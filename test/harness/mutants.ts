// Counts the mutants of Stryker that unit tests kill (docs/decisions/0031-stryker.md).
//   mutants.ts [FILE or FOLDER…] [--smallest]
// Without names: all rooms below, each with the share that it must reach.
import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { limitMs } from '../support/pace.ts';
import { importsOf } from './importGraph.ts';
import { folderVariable, mutantLog, type MutantPlan, planFile, strykerPlugins } from './mutantRunner.ts';
import { testOf } from './packageFolders.ts';
import { resultsFolder, root } from './places.ts';

/** In percent, just below the measured share, and only go up. 0: not measured yet. */
const leastShares: Readonly<Record<string, number>> = {
	'packages/patchmail/src/git': 0,
	'packages/patchmail/src/mail': 93,
	'packages/patchmail/src/patch': 89,
	'packages/patchmail/src/review': 77,
	'src/engine/search': 0,
	'packages/patchmail/src/series': 95,
	'packages/public-inbox/src/http': 92,
	'packages/public-inbox/src/lines': 91,
	'packages/public-inbox/src/port': 91,
	'packages/public-inbox/src/read': 90,
	'packages/public-inbox/src/series': 88,
	'src/engine/text': 0,
};

/** `TMPDIR` changes for each name below. */
const ownTemporary = tmpdir();

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

function filesIn(folder: string): readonly string[] {
	return globSync(`${folder}/**/*.ts`, { exclude: ['**/node_modules/**'] }).map((file) => file.replaceAll('\\', '/'));
}

/** For each file, the files that import it. */
function importersIn(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const all = new Set(files);
	const pairs = files.flatMap((from) =>
		[...importsOf(from, readFileSync(from, 'utf8'), all)].map((to) => ({ from, to })),
	);
	return new Map([...Map.groupBy(pairs, ({ to }) => to)].map(([to, found]) => [to, found.map(({ from }) => from)]));
}

/** The files that reach one of these, themselves included. */
function reachingOf(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>): readonly string[] {
	const found = new Set(files);
	for (const file of found) {
		importers.get(file)?.forEach((importer) => found.add(importer));
	}
	return [...found];
}

/**
 * The tests of the rooms that reach a file, and tests of other rooms that import a file without a test of its name.
 */
function planOf(files: readonly string[]): MutantPlan {
	const importers = importersIn([
		...filesIn('src'),
		...filesIn('packages'),
		...filesIn('test/unit'),
		...filesIn('test/support'),
	]);
	const rooms = new Set(files.map((file) => posix.dirname(testOf(file))));
	const near = reachingOf(files, importers).filter((file) => [...rooms].some((room) => file.startsWith(`${room}/`)));
	const far = files.filter((file) => !existsSync(testOf(file))).flatMap((file) => importers.get(file) ?? []);
	return {
		tests: [...new Set([...near, ...far])].filter((file) => file.endsWith('.test.ts')).toSorted(),
		reaching: Object.fromEntries(files.map((file) => [file, [...reachingOf([file], importers)]])),
	};
}

async function mutantsOf(files: readonly string[]): Promise<readonly MutantResult[]> {
	const plan = planOf(files);
	if (plan.tests.length === 0) {
		throw new Error(`No unit test reaches ${files.join(', ')}.`);
	}
	// Suites leave their folders behind.
	const temporary = mkdtempSync(join(ownTemporary, 'mutants-'));
	writeFileSync(join(temporary, planFile), JSON.stringify(plan));
	Object.assign(process.env, { [folderVariable]: temporary, FORGE_DESK_COUNTS: 'least', TMPDIR: temporary });
	try {
		const results = await new Stryker({
			testRunner: strykerPlugins[0]!.name,
			plugins: [join(import.meta.dirname, 'mutantRunner.ts')],
			coverageAnalysis: 'perTest',
			mutate: [...files],
			concurrency: 2,
			// The runner reads all other files where they are.
			ignorePatterns: ['/.vscode-test', '/dist', '/docs', '/media', '/test', '/test-results'],
			symlinkNodeModules: false,
			disableTypeChecks: false,
			// Stryker rewrites the paths of a tsconfig by an API that TypeScript 7 lacks.
			tsconfigFile: 'none.json',
			dryRunTimeoutMinutes: 60,
			timeoutMS: limitMs(10_000),
			// Each static mutant leaves modules behind.
			maxTestRunnerReuse: 500,
			reporters: [],
			warnings: false,
			tempDirName: 'test-results/stryker',
		}).runMutationTest();
		return results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

function isKilled({ status }: MutantResult): boolean {
	return status !== 'Survived' && status !== 'NoCoverage';
}

function countOf(mutants: readonly MutantResult[]): string {
	return `${mutants.filter(isKilled).length} of ${mutants.length}`;
}

function printSurvivors(mutants: readonly MutantResult[]): void {
	for (const [file = '', own] of Map.groupBy(mutants, ({ fileName }) => relative(root, fileName))) {
		for (const { location, mutatorName, replacement, status } of own.filter((mutant) => !isKilled(mutant))) {
			const place = `${file}:${location.start.line}:${location.start.column}`;
			const kind = `${mutatorName}${status === 'NoCoverage' ? ', no test reaches it' : ''}`;
			console.log(`  ${place} ${kind}: ${(replacement ?? '').slice(0, 80)}`);
		}
		console.log(`${file}: ${countOf(own)} killed`);
	}
}

process.chdir(root);
process.env['PATH'] = `${join(root, 'node_modules/.bin')}${posix.delimiter}${process.env['PATH'] ?? ''}`;
mkdirSync(resultsFolder, { recursive: true });
writeFileSync(mutantLog, '');
const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--')).map((path) => relative(root, path).replaceAll('\\', '/'));
// More than one, as in a full run.
const smallest = ['src/engine/text/codeBlock.ts', 'packages/public-inbox/src/lines/firstWithHits.ts'];
const asked = args.includes('--smallest') ? smallest : named;
const all: MutantResult[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(leastShares)) {
	const mutants = await mutantsOf(name.endsWith('.ts') ? [name] : filesIn(name));
	printSurvivors(mutants);
	console.log(`${name}: ${countOf(mutants)} killed`);
	const least = leastShares[name] ?? 0;
	if (mutants.filter(isKilled).length * 100 < mutants.length * least) {
		console.log(`That is less than ${least}%.`);
		process.exitCode = 1;
	}
	all.push(...mutants);
}
console.log(`${countOf(all)} mutants killed`);
