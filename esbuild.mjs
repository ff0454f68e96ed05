// Bundles the extension into dist/. --production minifies and packs it (docs/decisions/0009-small-package.md); --tests
// bundles the in-editor tests beside it instead.
import { build } from 'esbuild';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { pageScripts } from './pageScripts.ts';

const production = process.argv.includes('--production');
const tests = process.argv.includes('--tests');
const require = createRequire(import.meta.url);

/** Every host bundle with its entry. What `src/extension.ts` needs at once is in `extension`, all else is on demand. */
const hostEntries = {
	extension: 'src/extension.ts',
	desk: 'src/desk.ts',
	net: 'src/net.ts',
	render: 'src/render.ts',
	mailParser: 'src/mailParser.ts',
	listener: 'src/listener/main.ts',
	sampleForge: 'src/sampleForge/main.ts',
};

const [minify, sourcemap] = [production, !production];

const common = {
	bundle: true,
	logLevel: 'warning',
	metafile: true,
	minify,
	sourcemap,
	legalComments: 'none',
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

/** Markdown and mails need the same long table of character references, so it is a bundle that theirs require. */
const references = {
	contents: "export { decodeHTML, decodeHTMLStrict } from 'entities'",
	resolveDir: dirname(require.resolve('markdown-it')),
	sourcefile: 'entities.js',
};

/**
 * The mail parser brings a second table and looks references up by their whole text, ampersand included. Without a
 * semicolon only old names count, each of which stands for one character, so that more means that something was left.
 */
const lookUpReference = `
	export const htmlEntities = new Proxy({}, {
		get(_, text) {
			if (text[1] === '#') {
				return undefined;
			}
			const { decodeHTML, decodeHTMLStrict } = require('entities');
			const isClosed = text.endsWith(';');
			const decoded = isClosed ? decodeHTMLStrict(text) : decodeHTML(text);
			return decoded !== text && (isClosed || decoded.length === 1) ? decoded : undefined;
		},
	});
`;

const oneTableOfReferences = {
	name: 'one table of references',
	setup({ onLoad, onResolve, initialOptions }) {
		onLoad({ filter: /postal-mime[\\/].*[\\/]html-entities\.js$/ }, () => ({ contents: lookUpReference }));
		if (initialOptions.stdin !== references) {
			onResolve({ filter: /^entities$/ }, () => ({ path: './entities.cjs', external: true }));
		}
	},
};

/**
 * undici brings four copies of its parser as WebAssembly. The two of milo, which only its own developers switch on, go
 * with the name `esbuildDetection` above. Of the other two one is for processors that VS Code does not exist for. The
 * last is a file of its own, because in Base64 it would be half as large again.
 */
const theOneParser = `
	const { readFileSync } = require('node:fs');
	const { join } = require('node:path');
	const { brotliDecompressSync } = require('node:zlib');
	module.exports = brotliDecompressSync(readFileSync(join(__dirname, 'llhttp.wasm.br')));
`;

/** What is left of the modules of undici whose full form nothing here uses; by what their paths end with. */
const restOfUndici = {
	'llhttp/llhttp-wasm.js': "module.exports = require('./llhttp_simd-wasm.js')",
	'llhttp/llhttp_simd-wasm.js': theOneParser,
	// The parser's whole grammar, of which the client wants two lists of numbers.
	'llhttp/constants.js': () => {
		const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js');
		return `module.exports = ${JSON.stringify({ ERROR, TYPE })}`;
	},
	// The browser's fetch and its forms: bodies are strings here, and never a FormData.
	'web/fetch/body.js': "exports.extractBody = () => { throw new TypeError('Forms are not sent') }",
	'web/fetch/formdata.js': '',
	'web/webidl/index.js': 'exports.webidl = { is: { FormData: () => false } }',
};

const smallUndici = {
	name: 'small undici',
	setup({ onLoad }) {
		onLoad({ filter: /undici[\\/]lib[\\/](llhttp|web)[\\/]/ }, ({ path }) => {
			const name = Object.keys(restOfUndici).find((end) => path.replaceAll('\\', '/').endsWith(`/lib/${end}`));
			if (name === undefined) {
				return { errors: [{ text: `${path} was not part of the bundle so far` }] };
			}
			const rest = restOfUndici[name];
			return { contents: typeof rest === 'string' ? rest : rest() };
		});
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

/** @param {Uint8Array | string} content */
function brotli(content) {
	const bytes = Buffer.from(content);
	return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

/**
 * Stands in a packed bundle's place. What it runs has this file's own name, so that stack traces and `require` are as
 * they would be if the code stood here.
 */
const unpacking = `'use strict';
const { readFileSync } = require('node:fs');
const { compileFunction } = require('node:vm');
const { brotliDecompressSync } = require('node:zlib');
const code = brotliDecompressSync(readFileSync(__filename + '.br')).toString();
const names = ['exports', 'require', 'module', '__filename', '__dirname'];
compileFunction(code, names, { filename: __filename })(exports, require, module, __filename, __dirname);
`;

/** @param {string} path @param {string} text */
function write(path, text) {
	mkdirSync(dirname(path), { recursive: true });
	const isPacked = production && extname(path) === '.cjs' && basename(path) !== 'extension.cjs';
	if (isPacked) {
		writeFileSync(`${path}.br`, brotli(text));
	}
	writeFileSync(path, isPacked ? unpacking : text);
}

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
				write(path, text.replaceAll(/\b[\w$]+\(require\("vscode"\),\s*1\)/g, 'require("vscode")'));
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
	keepInputs(name, metafile);
}

/** Says what a bundle holds, for tests. @param {string} name @param {{ inputs: object, outputs: object }} metafile */
function keepInputs(name, metafile) {
	mkdirSync('dist/meta', { recursive: true });
	writeFileSync(join('dist/meta', `${name}.json`), JSON.stringify(metafile));
}

async function bundlePages() {
	for (const { name, files, inputs, entryPoint } of await pageScripts(import.meta.dirname, { minify, sourcemap })) {
		files.forEach(({ path, text }) => write(path, text));
		keepInputs(`page-${name}`, { inputs, outputs: { [`dist/${name}.js`]: { entryPoint } } });
	}
}

async function bundleExtension() {
	rmSync('dist', { recursive: true, force: true });
	const plugins = [bundlesOnDemand, oneTableOfReferences, smallUndici, editorAsItIs];
	await Promise.all([
		...Object.entries(existing(hostEntries)).map(([name, source]) =>
			bundle(name, { ...host, plugins, entryPoints: [source], outfile: `dist/${name}.cjs` }),
		),
		bundle('entities', { ...host, plugins, stdin: references, outfile: 'dist/entities.cjs' }),
		bundlePages(),
	]);
	writeFileSync('dist/llhttp.wasm.br', brotli(require('undici/lib/llhttp/llhttp_simd-wasm.js')));
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
