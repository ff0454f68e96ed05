// Makes the scripts of the pages: what two pages or more need is in `shared.js`, once, and the rest in a script for each
// page (docs/decisions/0021-pages-share-a-script.md).
import { build, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A script of pages. */
export interface PageScript {
	/** `shared`, or the name of the page's folder in `src/webview`. */
	readonly name: string;
	/** The script, and beside it its source map where one was asked for. */
	readonly files: readonly { readonly path: string; readonly text: string }[];
	/** The source files in it, as paths from the top of the repository. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** The source file that it begins with; `undefined` for the shared script, which begins with none. */
	readonly entryPoint: string | undefined;
}

/** What two pages or more need, as a module. */
interface Chunk {
	readonly text: string;
	readonly exports: readonly string[];
}

const sharedName = 'shared';
/** The variable under which the script of a page finds what the shared one exports. */
const globalName = 'forgeDesk';

const common = {
	bundle: true,
	legalComments: 'none',
	loader: { '.svg': 'text' },
	logLevel: 'warning',
	platform: 'browser',
	target: 'es2024',
	write: false,
} as const satisfies BuildOptions;

/** Makes all of them from the sources in the folder `root`, for its folder `dist`. Writes nothing. */
export async function pageScripts(
	root: string,
	options: { readonly minify: boolean; readonly sourcemap: boolean },
): Promise<readonly PageScript[]> {
	const outdir = join(root, 'dist');
	const { outputFiles, metafile, warnings } = await build({
		...common,
		absWorkingDir: root,
		entryPoints: Object.fromEntries(
			globSync('src/webview/*/main.ts', { cwd: root }).map((source) => [basename(dirname(source)), `./${source}`]),
		),
		format: 'esm',
		metafile: true,
		outdir,
		sourcemap: options.sourcemap && 'inline',
		splitting: true,
	});
	refuseWarnings(warnings);
	const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
	const modules = Object.entries(metafile.outputs).map(([path, output]) => {
		const file = basename(path);
		return { ...output, file, text: texts.get(file) ?? '' };
	});
	const shared = modules.filter(({ entryPoint }) => entryPoint === undefined);
	const chunks = new Map<string, Chunk>(shared.map((chunk) => [chunk.file, chunk]));

	async function script(name: string, contents: string, chunkText: ChunkText): Promise<PageScript['files']> {
		const made = await build({
			...common,
			...options,
			format: 'iife',
			...(name === sharedName && { globalName }),
			stdin: { contents, resolveDir: outdir, sourcefile: join(outdir, `${name}.js`) },
			plugins: [chunksAs(chunks, chunkText)],
			outfile: join(outdir, `${name}.js`),
		});
		refuseWarnings(made.warnings);
		return made.outputFiles.map(({ path, text }) => ({ path, text }));
	}

	const allChunks = Array.from(chunks.keys(), (file, at) => `export * as ${idOf(at)} from './${file}';`).join('\n');
	return Promise.all([
		script(sharedName, allChunks, ({ text }) => text).then((files) => ({
			name: sharedName,
			files,
			inputs: Object.fromEntries(shared.flatMap(({ inputs }) => Object.entries(inputs))),
			entryPoint: undefined,
		})),
		...modules
			.filter(({ entryPoint }) => entryPoint !== undefined)
			.map(async ({ file, text, inputs, entryPoint }) => {
				const name = basename(file, '.js');
				return { name, files: await script(name, text, takenFromShared), inputs, entryPoint };
			}),
	]);
}

type ChunkText = (chunk: Chunk, at: number) => string;

/** What a chunk is for the script of a page: the variables that it exports, taken from the shared script. */
function takenFromShared({ exports }: Chunk, at: number): string {
	return `export const { ${exports.join(', ')} } = ${globalName}.${idOf(at)};`;
}

function idOf(at: number): string {
	return `chunk${at}`;
}

/** Answers imports of chunks, which are in no file. */
function chunksAs(chunks: ReadonlyMap<string, Chunk>, textOf: ChunkText): Plugin {
	const texts = new Map(Array.from(chunks, ([file, chunk], at) => [file, textOf(chunk, at)]));
	return {
		name: 'chunks',
		setup(bundler) {
			bundler.onResolve({ filter: /^\.\/chunk-\w+\.js$/ }, ({ path }) => ({
				path: basename(path),
				namespace: 'chunks',
			}));
			bundler.onLoad({ filter: /^/, namespace: 'chunks' }, ({ path }) => ({ contents: texts.get(path) ?? '' }));
		},
	};
}

function refuseWarnings(warnings: BuildResult['warnings']): void {
	if (warnings.length > 0) {
		throw new Error('Scripts of pages: a warning of the bundler is an error');
	}
}
