import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './importGraph.ts';
import { root } from './places.ts';
import { foldersOf } from './testRing.ts';

/** Only unit tests that scan the repository read these, apart from test files. */
const lookedAt = ['test/harness/proof', 'CONTRIBUTING.md'];

/** Paths read by one test stage only. */
const readByOne: Readonly<Record<string, readonly string[]>> = {
	unit: [...foldersOf('unit').map((folder) => `${folder}/`), ...lookedAt],
	contract: ['test/contract/'],
	page: ['test/page/'],
	ui: ['test/ui/'],
	editor: ['test/editor/'],
	sampleForge: ['packages/sample-forge/test/'],
	bundle: ['test/bundle/'],
};

/** Only unit tests that scan the repository read these, and stages without tests. */
const readByNone = ['docs/benchmarks.md', 'docs/decisions/', 'docs/proof.md'];

/** Unit tests that scan the whole repository: words, folders, documents and other tests. */
export const looksAtAll = /^test\/unit\/(?:harness\/.*|[^/]+)$/;

/**
 * True if changes in these paths may affect a stage. Other test stages' own files have no effect. Any change affects
 * unit tests and stages without tests.
 */
export function isTouched(stage: string, paths: readonly string[]): boolean {
	if (stage === 'unit' || readByOne[stage] === undefined) {
		return paths.length > 0;
	}
	return isRead(stage, foldersOf(stage).flatMap(sourcesIn), paths);
}

/** Drops paths read by other stages only. */
function withoutOthers(stage: string, paths: readonly string[]): readonly string[] {
	const others = Object.entries(readByOne).flatMap(([name, beginnings]) => (name === stage ? [] : beginnings));
	return withoutBeginnings(paths, [...readByNone, ...others]);
}

function withoutBeginnings(paths: readonly string[], beginnings: readonly string[]): readonly string[] {
	return paths.filter((path) => !beginnings.some((beginning) => path.startsWith(beginning)));
}

/**
 * True if changes in these paths may affect a test file. Drops files of other stages, and test sources that the file
 * doesn't import.
 */
export function isFileTouched(stage: string, file: string, paths: readonly string[]): boolean {
	if (looksAtAll.test(file)) {
		return paths.length > 0;
	}
	// The imports of a deleted file are unknown.
	return !existsSync(join(root, file)) || isRead(stage, [file], withoutBeginnings(paths, lookedAt));
}

function sourcesIn(folder: string): readonly string[] {
	return globSync(`${folder}/**/*.ts`, { cwd: root }).map((each) => each.replaceAll('\\', '/'));
}

/** Direct imports of each test source. */
type TestImports = ReadonlyMap<string, ReadonlySet<string>>;

let testImports: TestImports | undefined;

/** Cached: sources don't change during a command. */
function importsOfTests(): TestImports {
	if (!testImports) {
		const sources = new Set(['test', ...globSync('packages/*/test', { cwd: root })].flatMap(sourcesIn));
		testImports = new Map(
			Array.from(sources, (file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'), sources)]),
		);
	}
	return testImports;
}

/** True if the stage's test files or the harness read one of these paths. */
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

/** Paths that differ between two commits; `undefined` for an unknown commit. */
export function pathsBetween(before: string, after: string): readonly string[] | undefined {
	try {
		const args = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', before, after, '--'];
		const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
		return paths.split('\0').filter(Boolean);
	} catch {
		return undefined;
	}
}
