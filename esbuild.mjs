// Bundles the extension into dist/. --production minifies it; --tests bundles the in-editor tests beside it instead.
import { build } from 'esbuild';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const production = process.argv.includes('--production');
const tests = process.argv.includes('--tests');

/** Every host bundle with its entry. What `src/extension.ts` needs at once is in `extension`, all else is on demand. */
const hostEntries = {
	extension: 'src/extension.ts',
	desk: 'src/desk.ts',
	net: 'src/net.ts',
	render: 'src/render.ts',
	mailParser: 'src/mailParser.ts',
	sampleForge: 'src/sampleForge/main.ts',
};

const common = {
	bundle: true,
	logLevel: 'warning',
	metafile: true,
	minify: production,
	sourcemap: !production,
	legalComments: 'none',
	loader: { '.svg': 'text' },
};

const host = {
	...common,
	platform: 'node',
	format: 'cjs',
	target: 'node22',
	external: ['vscode', 'mocha'],
	// A dynamic import becomes a `require` at the same place, which is what loads a bundle on first use.
	supported: { 'dynamic-import': false },
	define: { esbuildDetection: 'true' },
};

/** @param {Record<string, string>} entries @returns {Record<string, string>} those whose source is there */
function existing(entries) {
	return Object.fromEntries(Object.entries(entries).filter(([, source]) => existsSync(source)));
}

/** Leaves `import('./net.ts')` to the bundle of that entry, and refuses to swallow such an entry whole. */
const bundlesOnDemand = {
	name: 'bundles on demand',
	setup({ onResolve }) {
		const bundleOf = new Map(Object.entries(hostEntries).map(([name, source]) => [resolve(source), name]));
		onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
			const name = bundleOf.get(resolve(resolveDir, path));
			if (name === undefined || kind === 'entry-point') {
				return undefined;
			}
			return kind === 'dynamic-import'
				? { path: `./${name}.cjs`, external: true }
				: { errors: [{ text: `${path} is loaded on first use: import it with import()` }] };
		});
	},
};

/**
 * undici brings four copies of its parser as WebAssembly. The two of milo, which only its own developers switch on, go
 * with the name `esbuildDetection` below. Of the other two one is for processors that VS Code does not exist for.
 */
const oneParserOnly = {
	name: 'one parser only',
	setup({ onLoad }) {
		onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, () => ({
			contents: "module.exports = require('./llhttp_simd-wasm.js')",
		}));
	},
};

/** In a bundle a test no longer stands where its source does, but it may ask for that place. */
const placesOfTests = {
	name: 'places of tests',
	setup({ onLoad }) {
		onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
			loader: 'ts',
		}));
	},
};

/**
 * The editor's interface is imported as a namespace and used as one. Without this, every module that imports it would
 * copy its hundreds of members once more while the extension is loaded.
 */
const editorAsItIs = {
	name: 'editor as it is',
	setup({ initialOptions, onEnd }) {
		initialOptions.write = false;
		onEnd(({ outputFiles = [] }) => {
			for (const { path, text } of outputFiles) {
				mkdirSync(dirname(path), { recursive: true });
				writeFileSync(path, text.replaceAll(/\b[\w$]+\(require\("vscode"\),\s*1\)/g, 'require("vscode")'));
			}
		});
	},
};

/** @param {string} name @param {import('esbuild').BuildOptions} options */
async function bundle(name, options) {
	const { metafile, warnings } = await build(options);
	if (warnings.length > 0) {
		throw new Error(`${name}: a warning of the bundler is an error`);
	}
	mkdirSync('dist/meta', { recursive: true });
	writeFileSync(join('dist/meta', `${name}.json`), JSON.stringify(metafile));
}

async function bundleExtension() {
	rmSync('dist', { recursive: true, force: true });
	const plugins = [bundlesOnDemand, oneParserOnly, editorAsItIs];
	const pages = globSync('src/webview/*/main.ts').map((source) => [basename(dirname(source)), source]);
	await Promise.all([
		...Object.entries(existing(hostEntries)).map(([name, source]) =>
			bundle(name, { ...host, plugins, entryPoints: [source], outfile: `dist/${name}.cjs` }),
		),
		...pages.map(([name, source]) =>
			bundle(`page-${name}`, {
				...common,
				platform: 'browser',
				format: 'iife',
				target: 'es2024',
				entryPoints: [source],
				outfile: `dist/${name}.js`,
			}),
		),
	]);
}

async function bundleTests() {
	const entryPoints = ['test/editor/run.ts', ...globSync('test/editor/**/*.test.ts')];
	rmSync('dist/test', { recursive: true, force: true });
	await bundle('tests', {
		...host,
		minify: false,
		sourcemap: true,
		plugins: [placesOfTests],
		entryPoints,
		outbase: 'test/editor',
		outdir: 'dist/test',
		outExtension: { '.js': '.cjs' },
	});
}

await (tests ? bundleTests() : bundleExtension());
