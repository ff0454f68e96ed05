import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { importedSource } from '../harness/packageFolders.ts';

/** An import, or an export from another module. */
export interface SourceImport {
	/** `./ticket.ts`, `node:fs` */
	readonly specifier: string;
	/** Has no effect at run time. */
	readonly isType: boolean;
	/** Lines of the statement. */
	readonly lines: number;
}

export interface Source {
	/** Relative to the project's folder, with slashes: `packages/sourcehut/src/net.ts`. */
	readonly path: string;
	readonly text: string;
	readonly imports: readonly SourceImport[];
}

/** Files that one file imports, by path. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** All TypeScript files of the extension and of the packages. */
export function readSources(root: string): readonly Source[] {
	return ['src', ...globSync('packages/*/src', { cwd: root })]
		.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => {
			const file = join(entry.parentPath, entry.name);
			const text = readFileSync(file, 'utf8');
			return { path: relative(root, file).replaceAll(sep, '/'), text, imports: importsIn(text) };
		})
		.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Static imports and exports, including types, and dynamic imports. */
export function importsIn(text: string): readonly SourceImport[] {
	const found = text.matchAll(
		/^(?:import|export)\b(?<type>\s+type\b)?[^'";(]*\bfrom\s+'(?<from>[^']+)'|^import\s+'(?<bare>[^']+)'|(?<query>\btypeof\s+)?\bimport\(\s*'(?<dynamic>[^']+)'/gm,
	);
	return Array.from(found, ([statement, ...rest]) => {
		const [type, from, bare, query, dynamic] = rest;
		return {
			specifier: from ?? bare ?? dynamic ?? '',
			isType: type !== undefined || query !== undefined,
			lines: statement.split('\n').length,
		};
	});
}

/** Imports among these files, types included. */
export function importGraph(sources: readonly Source[]): ImportGraph {
	const paths = new Set(sources.map(({ path }) => path));
	return new Map(
		sources.map(({ path, imports }) => {
			const targets = imports.map(({ specifier }) => importedSource(path, specifier) ?? '');
			return [path, new Set(targets.filter((target) => paths.has(target)))];
		}),
	);
}
