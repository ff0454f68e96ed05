// Bundles the extension into dist/ as it ships: readable, not minified (docs/decisions/0030-plain-build.md).
// --tests bundles the in-editor tests beside it instead.
import { build } from 'esbuild';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** @satisfies {import('esbuild').BuildOptions} */
const common = { bundle: true, logLevel: 'warning', metafile: true, sourcemap: 'linked', legalComments: 'eof' };

/** @satisfies {import('esbuild').BuildOptions} */
const host = { ...common, platform: 'node', target: 'node22', external: ['vscode', 'mocha'] };

/**
 * `extension.js` is all that the editor loads at start. The other entries load on the first `import()` of them, or in a
 * thread or process of their own. Chunks hold the modules that several entries share.
 * @satisfies {import('esbuild').BuildOptions}
 */
const extension = {
	...host,
	format: 'esm',
	splitting: true,
	entryPoints: {
		extension: 'src/extension.ts',
		desk: 'src/desk.ts',
		net: 'packages/sourcehut/src/net.ts',
		archives: 'packages/public-inbox/src/port/archiveForge.ts',
		render: 'src/render.ts',
		mailParser: 'src/mailParser.ts',
		listener: 'src/machine/listener/openListener.ts',
		sampleForge: 'packages/sample-forge/src/program/main.ts',
	},
	outdir: 'dist',
	// CommonJS packages such as undici call `require` for modules of Node. No module may use the banner's other name.
	banner: {
		js: "import { createRequire as requireAt } from 'node:module';\nconst require = requireAt(import.meta.url);",
	},
};

/**
 * One script per page. Page tests build them with these options as well.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const pages = {
	...common,
	platform: 'browser',
	target: 'es2024',
	format: 'iife',
	// A document that shows another page of its kind runs the script again, with fresh modules (`src/pages/host.ts`).
	banner: { js: '(function startPage(nextPage) {' },
	footer: { js: '})();' },
	loader: { '.svg': 'text' },
	entryPoints: Object.fromEntries(
		globSync('src/pages/*/main.ts', { cwd: import.meta.dirname }).map((file) => [basename(dirname(file)), file]),
	),
	absWorkingDir: import.meta.dirname,
	outdir: 'dist/pages',
};

/** @returns {import('esbuild').BuildOptions} */
function editorTests() {
	return {
		...host,
		format: 'cjs',
		entryPoints: ['test/editor/run.ts', ...globSync('test/editor/**/*.test.ts')],
		// dist/test is as deep in the repository as the folders in test/ that ask for their own place.
		define: { 'import.meta.dirname': '__dirname' },
		outbase: 'test/editor',
		outdir: 'dist/test',
		outExtension: { '.js': '.cjs' },
	};
}

/** Builds, and writes what esbuild says of the result for the tests. @param {string} name */
async function bundle(name, /** @type {import('esbuild').BuildOptions} */ options) {
	const { metafile, warnings } = await build(options);
	if (warnings.length > 0) {
		throw new Error(`${name}: a warning of the bundler is an error`);
	}
	mkdirSync('dist/meta', { recursive: true });
	writeFileSync(`dist/meta/${name}.json`, JSON.stringify(metafile));
}

if (import.meta.main) {
	if (process.argv.includes('--tests')) {
		rmSync('dist/test', { recursive: true, force: true });
		await bundle('tests', editorTests());
	} else {
		rmSync('dist', { recursive: true, force: true });
		await Promise.all([bundle('extension', extension), bundle('pages', pages)]);
		// What the sample forge reads at its start. The bundle holds the JSON files.
		const filter = (/** @type {string} */ path) => !path.endsWith('.json');
		cpSync('packages/sample-forge/src/sampleData', 'dist/sampleData', { recursive: true, filter });
	}
}
