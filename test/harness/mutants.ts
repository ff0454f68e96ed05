// Counts the mutants of Stryker that unit tests kill (docs/decisions/0031-stryker.md).
//   mutants.ts [FILE…] [--seed N] [--smallest]
import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { createRandom } from '../support/sampleForge/worlds/random.ts';
import { strykerPlugins, testsVariable } from './mutantRunner.ts';
import { root } from './places.ts';
import { pureRooms } from './stageList.ts';

/** Files of a run without names, out of the pure rooms' files with a test of the same name. */
const drawn = 4;
/** Files with more lines have hundreds of mutants. */
const mostLines = 120;
/** For a source without a test of its name: tests that import it. */
const mostTests = 4;

interface Score {
	readonly killed: number;
	readonly all: number;
}

async function scoreOf(file: string, tests: readonly string[]): Promise<Score> {
	process.env[testsVariable] = tests.join(' ');
	const results = await new Stryker({
		testRunner: strykerPlugins[0]!.name,
		plugins: [join(import.meta.dirname, 'mutantRunner.ts')],
		coverageAnalysis: 'perTest',
		mutate: [file],
		concurrency: 2,
		// Stryker rewrites the paths of a tsconfig by an API that TypeScript 7 lacks.
		tsconfigFile: 'none.json',
		reporters: [],
		allowEmpty: true,
		ignorePatterns: ['dist', 'docs', 'media', 'test-results', '.vscode-test'],
		tempDirName: 'test-results/stryker',
	}).runMutationTest();
	const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
	const left = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
	for (const { location, mutatorName, replacement } of left) {
		console.log(`  ${file}:${location.start.line + 1} ${mutatorName}: ${(replacement ?? '').slice(0, 80)}`);
	}
	return { killed: counted.length - left.length, all: counted.length };
}

function filesOf(args: readonly string[]): readonly string[] {
	const named = args.filter((arg) => arg.endsWith('.ts')).map((file) => relative(root, file).replaceAll('\\', '/'));
	if (named.length > 0) {
		return named;
	}
	if (isSmallest) {
		return ['src/engine/text/codeBlock.ts'];
	}
	const at = args.indexOf('--seed');
	const seed = at < 0 ? Math.floor(Math.random() * 2 ** 31) : Number(args[at + 1]);
	console.log(`--seed ${seed}`);
	const random = createRandom(seed);
	return globSync(`src/{${pureRooms.join(',')}}/**/*.ts`, { cwd: root })
		.map((file) => file.replaceAll('\\', '/'))
		.filter((file) => existsSync(testOf(file)) && readFileSync(file, 'utf8').split('\n').length <= mostLines)
		.toSorted()
		.map((file) => ({ file, key: random.below(2 ** 31) }))
		.toSorted((one, other) => one.key - other.key)
		.slice(0, drawn)
		.map(({ file }) => file);
}

function testOf(file: string): string {
	return file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
}

function importersOf(file: string): readonly string[] {
	const name = `/${posix.basename(file)}'`;
	return globSync('test/unit/**/*.test.ts').filter((test) => readFileSync(test, 'utf8').includes(name));
}

process.chdir(root);
process.env['PATH'] = `${join(root, 'node_modules/.bin')}${posix.delimiter}${process.env['PATH'] ?? ''}`;
const isSmallest = process.argv.includes('--smallest');
let total: Score = { killed: 0, all: 0 };
for (const file of filesOf(process.argv.slice(2))) {
	const named = testOf(file);
	const tests = existsSync(named) ? [named] : importersOf(file).slice(0, mostTests);
	const { killed, all } = await scoreOf(file, tests);
	console.log(`${file}: ${killed} of ${all} killed`);
	total = { killed: total.killed + killed, all: total.all + all };
}
console.log(`${total.killed} of ${total.all} mutants killed`);
