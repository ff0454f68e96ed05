import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The rings that look for faults, cheapest first. */
export const rings = ['unit', 'contract', 'page'] as const;

export type Ring = (typeof rings)[number];

/** Which test files can see a source file. */
export interface ImportGraph {
	/** Those of a ring that reach the file, nearest first. */
	testsOf(file: string, ring: Ring): readonly string[];
}

/** Reads what imports what from the sources of a folder. Paths are relative to it, with slashes. */
export function readImportGraph(root: string): ImportGraph {
	const files = new Set(globSync('{src,test}/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/')));
	const importers = new Map<string, string[]>();
	for (const file of files) {
		for (const imported of importsOf(file, readFileSync(posix.join(root, file), 'utf8'), files)) {
			importers.set(imported, [...(importers.get(imported) ?? []), file]);
		}
	}
	return {
		testsOf(file, ring) {
			const hops = hopsTo(file, importers, ring);
			return Array.from(hops)
				.filter(([importer]) => isTestOf(ring, importer))
				.toSorted((a, b) => a[1] - b[1] || likeness(b[0], file) - likeness(a[0], file) || (a[0] < b[0] ? -1 : 1))
				.map(([importer]) => importer);
		},
	};
}

/**
 * The files that a file names in any string: imports, programs of threads and of processes. Imports of types alone are
 * erased before anything runs, so they do not count. Pages are named by the script that is made of them.
 */
export function importsOf(file: string, source: string, files: ReadonlySet<string>): ReadonlySet<string> {
	const values = source.replaceAll(/^(?:import|export) type [^;]*?from '[^']*';/gm, '');
	const named = Array.from(values.matchAll(/'([^'\s]+\.ts)'/g), ([, path = '']) => path);
	const pages = Array.from(values.matchAll(/'(\w+)\.js'/g), ([, page = '']) => `src/webview/${page}/main.ts`);
	const places = [posix.dirname(file), '.', 'src'];
	return new Set(
		[...named.flatMap((path) => places.map((place) => posix.join(place, path))), ...pages].filter((path) =>
			files.has(path),
		),
	);
}

/** The tests of the sample forge run under plain Node as well. */
const ringOfFolder: Readonly<Record<string, Ring>> = {
	'test/unit': 'unit',
	'test/sampleForge': 'unit',
	'test/contract': 'contract',
	'test/page': 'page',
};

/** Tests of the commands themselves name sources as examples, and one of them runs the very command that asks. */
function isTestOf(ring: Ring, file: string): boolean {
	const folder = file.split('/').slice(0, 2).join('/');
	return ringOfFolder[folder] === ring && file.endsWith('.test.ts') && !file.startsWith('test/unit/harness/');
}

/** How many imports lie between a file and whatever imports it. */
function hopsTo(
	file: string,
	importers: ReadonlyMap<string, readonly string[]>,
	ring: Ring,
): ReadonlyMap<string, number> {
	const hops = new Map([[file, 0]]);
	for (const [reached, distance] of hops) {
		for (const importer of importers.get(reached) ?? []) {
			// Only a browser runs the script of a page; everywhere else its name is a string.
			const isRun = ring === 'page' || !reached.startsWith('src/webview/') || importer.startsWith('src/webview/');
			if (isRun && !hops.has(importer)) {
				hops.set(importer, distance + 1);
			}
		}
	}
	return hops;
}

/** How much the names of two files have in common: a test that is named after a file knows most of it. */
function likeness(test: string, file: string): number {
	const stem = posix.basename(file, '.ts');
	const own = posix.basename(test, '.test.ts');
	const folders = new Set(posix.dirname(file).split('/'));
	const shared = posix.dirname(test).split('/');
	return (own.startsWith(stem) ? 10 : 0) + shared.filter((folder) => folders.has(folder)).length;
}
