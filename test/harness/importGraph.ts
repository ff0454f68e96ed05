import { posix } from 'node:path';
import { importedSource } from './packageFolders.ts';

/**
 * The files that a file names in any string: imports, programs of threads and of processes. Imports of types alone do not
 * count, because they are erased. The name of a page's script counts as its source.
 */
export function importsOf(file: string, source: string, files: ReadonlySet<string>): ReadonlySet<string> {
	const values = source.replaceAll(/^(?:import|export) type [^;]*?from '[^']*';/gm, '');
	const named = Array.from(values.matchAll(/'([^'\s]+\.ts)'/g), ([, path = '']) => path);
	const pages = Array.from(values.matchAll(/'(\w+)\.js'/g), ([, page = '']) => `src/pages/${page}/main.ts`);
	const places = [posix.dirname(file), '.', 'src'];
	const sources = named.flatMap((path) => [
		importedSource(file, path) ?? '',
		...places.map((place) => posix.join(place, path)),
	]);
	return new Set([...sources, ...pages].filter((path) => files.has(path)));
}
