import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from '../mutants/importGraph.ts';
import { root } from './places.ts';

/** What one stage of tests alone reads. Beside their own folder, unit tests read what tells people how to work here. */
const readByOne: Readonly<Record<string, readonly string[]>> = {
	unit: ['test/unit/', 'test/harness/proof', 'CONTRIBUTING.md'],
	contract: ['test/contract/'],
	page: ['test/page/'],
	ui: ['test/ui/'],
	editor: ['test/editor/'],
	sampleForge: ['test/sampleForge/'],
	bundle: ['test/bundle/'],
};

/** What no test reads but unit tests that look at all files; the stages that run no tests read it all the same. */
const readByNone = ['docs/benchmarks.md', 'docs/decisions/', 'docs/proof.md', 'test/mutants/pool/'];

/** Unit tests that look through the whole repository: its words, its rooms, its documents and its other tests. */
const looksAtAll = /^test\/unit\/(?:harness\/.*|[^/]+)$/;

/**
 * Whether a stage could show something else once these paths changed. Not so if they are all what other stages of tests alone
 * read; stages that run no tests, or those of others, and unit tests are touched by everything.
 */
export function isTouched(stage: string, paths: readonly string[]): boolean {
	const readsOwn = stage !== 'unit' && readByOne[stage] !== undefined;
	return paths.length > 0 && !(readsOwn && paths.every((path) => isOfOthers(stage, path)));
}

function isOfOthers(stage: string, path: string): boolean {
	const others = Object.entries(readByOne).flatMap(([name, beginnings]) => (name === stage ? [] : beginnings));
	return [...readByNone, ...others].some((beginning) => path.startsWith(beginning));
}

/**
 * Whether a file of tests could show something else once these paths changed: not if they are what other stages read, or
 * sources in the folder of its stage that it does not lead to.
 */
export function isFileTouched(stage: string, file: string, paths: readonly string[]): boolean {
	if (looksAtAll.test(file)) {
		return paths.length > 0;
	}
	const own = `test/${stage}/`;
	const sources = new Set(globSync(`${own}**/*.ts`, { cwd: root }).map((each) => each.replaceAll('\\', '/')));
	const led = new Set([file]);
	for (const reached of led) {
		if (!sources.has(reached)) {
			// It is gone, and nobody knows what it led to.
			return true;
		}
		for (const imported of importsOf(reached, readFileSync(join(root, reached), 'utf8'), sources)) {
			led.add(imported);
		}
	}
	return !paths.every((path) => isOfOthers(stage, path) || (sources.has(path) && !led.has(path)));
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
