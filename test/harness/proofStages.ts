import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './importGraph.ts';
import { root } from './places.ts';

/** Beside tests, this is what nobody reads but the unit tests that look at all files. */
const lookedAt = ['test/harness/proof', 'CONTRIBUTING.md'];

/** What one stage of tests alone reads. */
const readByOne: Readonly<Record<string, readonly string[]>> = {
	unit: ['test/unit/', ...lookedAt],
	contract: ['test/contract/'],
	page: ['test/page/'],
	ui: ['test/ui/'],
	editor: ['test/editor/'],
	sampleForge: ['test/sampleForge/'],
	bundle: ['test/bundle/'],
};

/** What no test reads but unit tests that look at all files; the stages that run no tests read it all the same. */
const readByNone = ['docs/benchmarks.md', 'docs/decisions/', 'docs/proof.md'];

/** Unit tests that look through the whole repository: its words, its rooms, its documents and its other tests. */
export const looksAtAll = /^test\/unit\/(?:harness\/.*|[^/]+)$/;

/**
 * Whether a stage could show something else once these paths changed. Not so if they are all what other stages of tests alone
 * read; stages that run no tests, or those of others, and unit tests are touched by everything.
 */
export function isTouched(stage: string, paths: readonly string[]): boolean {
	if (stage === 'unit' || readByOne[stage] === undefined) {
		return paths.length > 0;
	}
	return isRead(stage, sourcesIn(`test/${stage}`), paths);
}

/** Those of the paths that are not of other stages alone. */
function withoutOthers(stage: string, paths: readonly string[]): readonly string[] {
	const others = Object.entries(readByOne).flatMap(([name, beginnings]) => (name === stage ? [] : beginnings));
	return withoutBeginnings(paths, [...readByNone, ...others]);
}

function withoutBeginnings(paths: readonly string[], beginnings: readonly string[]): readonly string[] {
	return paths.filter((path) => !beginnings.some((beginning) => path.startsWith(beginning)));
}

/**
 * Whether a file of tests could show something else once these paths changed: not if they are what other stages read, or
 * sources in the folder of its stage, or of those that tests share, that it does not lead to.
 */
export function isFileTouched(stage: string, file: string, paths: readonly string[]): boolean {
	if (looksAtAll.test(file)) {
		return paths.length > 0;
	}
	// One that is gone led nobody knows where to.
	return !existsSync(join(root, file)) || isRead(stage, [file], withoutBeginnings(paths, lookedAt));
}

function sourcesIn(folder: string): readonly string[] {
	return globSync(`${folder}/**/*.ts`, { cwd: root }).map((each) => each.replaceAll('\\', '/'));
}

/** What each of the tests' sources leads to directly. */
type TestImports = ReadonlyMap<string, ReadonlySet<string>>;

let testImports: TestImports | undefined;

/** Read once: a command runs the sources that it finds. */
function importsOfTests(): TestImports {
	if (!testImports) {
		const sources = new Set(sourcesIn('test'));
		testImports = new Map(
			Array.from(sources, (file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'), sources)]),
		);
	}
	return testImports;
}

/** Whether one of these paths is read by files of tests of a stage, or by what runs all tests. */
function isRead(stage: string, files: readonly string[], paths: readonly string[]): boolean {
	const left = withoutOthers(stage, paths);
	if (left.length === 0) {
		return false;
	}
	const imports = importsOfTests();
	const led = new Set([...files, ...sourcesIn('test/harness')]);
	for (const reached of led) {
		imports.get(reached)?.forEach((imported) => led.add(imported));
	}
	return left.some((path) => !imports.has(path) || led.has(path));
}

/** What differs between two commits; `undefined` where one of them is not known here. */
export function pathsBetween(before: string, after: string): readonly string[] | undefined {
	try {
		const args = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', before, after, '--'];
		const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
		return paths.split('\0').filter(Boolean);
	} catch {
		return undefined;
	}
}
