import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, posix } from 'node:path';
import { importsOf } from './importGraph.ts';
import { looksAtAll } from './proofStages.ts';

/** Without this, a test that may look at all sources does not. */
const readsFiles = /'node:fs'|\/harness\//;

const harness = 'test/harness/';
const runner = `${harness}worker.ts`;
/** Modules of the harness that find the repository's folder, but read no source, document or history. */
const readsNoSource: ReadonlySet<string> = new Set(
	'b4 browser codeServer debian languages packageFolders places webServer'
		.split(' ')
		.map((name) => `${harness}${name}.ts`),
);

/** Written by tests, or installed as `package-lock.json` says. */
const outputs = /^(?:test-results|node_modules)(?:\/|$)/;

/** Places that a source names in full: from its own, from the repository's folder, or for a read from there. */
const namedPlaces =
	/\bjoin\(\s*(import\.meta\.dirname|root)((?:,\s*'[^']*')+)|\bnew URL\('([^']*)', import\.meta\.url\)|\bimport\.meta\.resolve\('([^']*)'\)|\b(read\w+|globSync|existsSync|statSync)\('((?:docs|packages|src|test)\/[^']*)'/g;
const otherPlaces = /\bimport\.meta\.(?:dirname|filename|url|resolve)\b|\bprocess\.cwd\(\)/;
/** The editor and its pages come from the bundles; this file makes those of the pages. */
const bundler = "esbuild.mjs'";

/** Programs that tests compare with or run, apart from Node and the editor. */
const programs: readonly string[] = 'git gpg gpgsm gpgconf ssh ssh-keygen sh perl python3 openssl'.split(' ');

const isPackaged = (path: string): boolean => /^(?:src|packages\/[^/]+\/src)\//.test(path);
const isOfTests = (path: string): boolean => /^(?:packages\/[^/]+\/)?(?:test|testing)\//.test(path);
const isDocument = (path: string): boolean =>
	path.startsWith('docs/') || /^(?:packages\/[^/]+\/)?[^/]+\.md$/.test(path);

/**
 * Hashes all inputs of a test file: its imported sources, the harness, every file that is neither a source nor a document,
 * versions of programs and variables. A source that finds the repository in another way than by a literal path
 * may read anything, so its tests have all files and the history as inputs. Tests of the editor have the package, too.
 * `undefined`: unknown, as for tests that scan all sources.
 */
export function hashesOfReads(root: string): (file: string) => string | undefined {
	const paths = workingFiles(root);
	const bytes = new Map(paths.map((path) => [path, readFileSync(join(root, path))]));
	const hashOfFiles = (files: Iterable<string>): string =>
		hashOf(Array.from(files).flatMap((path) => [path, bytes.get(path) ?? '']));
	const sources = new Map(
		paths.filter((path) => path.endsWith('.ts')).map((path) => [path, (bytes.get(path) ?? '').toString()]),
	);
	const names = new Set(sources.keys());
	const imports = new Map(Array.from(sources, ([path, source]) => [path, importsOf(path, source, names)]));
	const hashes = new Map(Array.from(names, (path) => [path, hashOfFiles([path])]));
	const kindsIn = new Map(
		Array.from(sources, ([path, source]) => [path, placesOf(path, source).map((place) => kindOf(place, paths))]),
	);
	const others = hashOf([
		...surroundings(),
		hashOfFiles(paths.filter((path) => !names.has(path) && !isDocument(path))),
		hashOfFiles(paths.filter((path) => path.startsWith(harness))),
	]);
	const documents = hashOfFiles(paths.filter(isDocument));
	const everything = hashOf([
		headOf(root),
		...paths.flatMap((path) => [path, hashes.get(path) ?? bytes.get(path) ?? '']),
	]);
	const packaged = paths.filter((path) => names.has(path) && isPackaged(path));
	const pages = packaged.filter((path) => path.startsWith('src/pages/'));

	const ofEditor = Array.from(names).filter((path) => path.startsWith('test/editor/'));

	/** A source with all that it imports or bundles. */
	const reachedFrom = (begin: readonly string[]): ReadonlySet<string> => {
		const reached = new Set(begin);
		for (const path of reached) {
			const makesPages = sources.get(path)?.includes(bundler) === true;
			[...(imports.get(path) ?? []), ...(makesPages ? pages : [])].forEach((each) => reached.add(each));
		}
		return reached;
	};

	const ofRunner = reachedFrom([runner]);

	return (file) => {
		const ring = /^test\/(ui|editor|bundle)\//.exec(file)?.[1];
		const scans = looksAtAll.test(file) && readsFiles.test(sources.get(file) ?? '');
		const isKnown = sources.has(file) && !scans && ring !== 'bundle' && (ring !== 'editor' || isEditorKnown());
		if (!isKnown) {
			return undefined;
		}
		const hasPackage = ring !== undefined;
		const reached = [...reachedFrom([file, ...(ring === 'editor' ? ofEditor : []), ...(hasPackage ? packaged : [])])];
		// The packaged program runs outside of the repository.
		const readers = reached.filter((path) => !readsNoSource.has(path) && (!hasPackage || isOfTests(path)));
		const kinds = new Set(readers.flatMap((path) => kindsIn.get(path) ?? []));
		return hashOf([
			others,
			kinds.has('any') ? everything : '',
			kinds.has('document') || hasPackage ? documents : '',
			...[...reached, ...ofRunner].flatMap((path) => [path, hashes.get(path) ?? '']),
		]);
	};
}

/** Paths from the root that a source may read from; `.` if it may read anything. */
function placesOf(file: string, source: string): readonly string[] {
	const importsRoot = /\broot\b[^;]*\} from '[^']*\/places\.ts'/.test(source);
	const found = Array.from(source.matchAll(namedPlaces)).filter(
		([text]) => importsRoot || !/^join\(\s*root/.test(text),
	);
	const named = found.map(([, start, parts, url, module, read, path]) => {
		const literals = Array.from((parts ?? '').matchAll(/'([^']*)'/g), (each) => each[1] ?? '');
		const isFromRoot = start === 'root' || read !== undefined;
		return posix.join(isFromRoot ? '.' : posix.dirname(file), ...literals, url ?? module ?? path ?? '');
	});
	const left = source.replaceAll(namedPlaces, '').replaceAll(/^import .*;$/gm, '');
	const isAny = otherPlaces.test(left) || (importsRoot && /(?<![.\w])root\b/.test(left));
	return isAny ? [...named, '.'] : named;
}

/** `source` is in the graph of imports already, and `data` in the hash of all tests. */
function kindOf(place: string, paths: readonly string[]): 'source' | 'data' | 'document' | 'any' {
	const path = place.replace(/\/?[^/]*[*?{[].*$/, '').replace(/\/$/, '');
	if (outputs.test(path)) {
		return 'data';
	}
	if (paths.includes(path)) {
		return path.endsWith('.ts') ? 'source' : isDocument(path) ? 'document' : 'data';
	}
	const inside = paths.filter((each) => path !== '.' && each.startsWith(`${path}/`));
	if (inside.length === 0 || inside.some((each) => each.endsWith('.ts'))) {
		return 'any';
	}
	return inside.some(isDocument) ? 'document' : 'data';
}

/** Versions of programs, and the variables that choose tests, editors, languages and times. */
function surroundings(): readonly string[] {
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const found = programs.map((name) => {
		const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
		const { size, mtimeMs } = path === undefined ? { size: 0, mtimeMs: 0 } : statSync(path);
		return `${name} ${path ?? ''} ${size} ${mtimeMs}`;
	});
	const variables = Object.entries(process.env)
		.filter(([name]) =>
			/^(?:FORGE_DESK_(?!RUN$|SLOTS$)|EDITOR_KIND$|VSCODE_|TZ$|LANG|LC_|GIT_|NODE_OPTIONS$)/.test(name),
		)
		.map(([name, value]) => `${name}=${value ?? ''}`);
	return [process.version, process.platform, process.arch, ...found, ...variables.toSorted()];
}

/** On a desktop, tests take the newest editor. */
function isEditorKnown(): boolean {
	const { EDITOR_KIND: kind, DISPLAY: display, WAYLAND_DISPLAY: wayland } = process.env;
	return kind === 'web' || (process.platform === 'linux' && display === undefined && wayland === undefined);
}

function headOf(root: string): string {
	try {
		return execFileSync('git', ['rev-parse', 'HEAD'], {
			cwd: root,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
	} catch {
		// No commit yet.
		return '';
	}
}

/** Files of the working tree that are or would be committed. */
function workingFiles(root: string): readonly string[] {
	const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const all = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
	return [...new Set(all)].filter((path) => {
		const full = join(root, path);
		return path !== '' && existsSync(full) && statSync(full).isFile();
	});
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
	const hash = createHash('sha256');
	parts.forEach((part) => hash.update(part).update('\0'));
	return hash.digest('hex');
}
