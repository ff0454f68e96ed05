import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Finds the unit tests that reach a file, nearest first. Paths are relative to `root`, with slashes. */
export function unitTestsIn(root: string): (file: string) => readonly string[] {
	const files = new Set(globSync('{src,test}/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/')));
	const importers = new Map<string, string[]>();
	for (const file of files) {
		for (const imported of importsOf(file, readFileSync(posix.join(root, file), 'utf8'), files)) {
			importers.set(imported, [...(importers.get(imported) ?? []), file]);
		}
	}
	return (file) =>
		Array.from(hopsTo(file, importers))
			.filter(([importer]) => /^test\/unit\/(?!harness\/).*\.test\.ts$/.test(importer))
			.toSorted((a, b) => a[1] - b[1] || likeness(b[0], file) - likeness(a[0], file) || (a[0] < b[0] ? -1 : 1))
			.map(([importer]) => importer);
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

/** Number of imports between a file and each file that leads to it. */
function hopsTo(file: string, importers: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
	const hops = new Map([[file, 0]]);
	for (const [reached, distance] of hops) {
		for (const importer of importers.get(reached) ?? []) {
			if (!hops.has(importer)) {
				hops.set(importer, distance + 1);
			}
		}
	}
	return hops;
}

/** Likeness of two names: a test named after a file covers most of it. */
function likeness(test: string, file: string): number {
	const stem = posix.basename(file, '.ts');
	const own = posix.basename(test, '.test.ts');
	const folders = new Set(posix.dirname(file).split('/'));
	const shared = posix.dirname(test).split('/');
	return (own.startsWith(stem) ? 10 : 0) + shared.filter((folder) => folders.has(folder)).length;
}
