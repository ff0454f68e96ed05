// Bundles the published face of the package in the current folder, and its types, into dist/. Sources of other packages
// in this repository go into the bundle, packages of the registry do not: `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

const folder = process.cwd();
const types = join(folder, 'dist/types');
const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
rmSync(join(folder, 'dist'), { recursive: true, force: true });
await build({
	absWorkingDir: folder,
	entryPoints: ['src/index.ts'],
	outfile: 'dist/index.js',
	bundle: true,
	format: 'esm',
	platform: 'node',
	target: 'node22',
	external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
	logLevel: 'warning',
});
const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' });

/** Folders below `types` by the name in imports. */
const places = Object.fromEntries(
	globSync('*/package.json', { cwd: import.meta.dirname }).map((file) => [
		JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')).name,
		`${dirname(file)}/src`,
	]),
);
for (const file of globSync('**/*.d.ts', { cwd: types })) {
	const text = readFileSync(join(types, file), 'utf8');
	const linked = text.replaceAll(/(['"])((?:@[\w-]+\/)?[\w-]+)\/([^'"]+\.ts)\1/g, (whole, quote, name, path) =>
		Object.hasOwn(places, name)
			? `${quote}./${relative(dirname(file), join(places[name], path)).replaceAll(sep, '/')}${quote}`
			: whole,
	);
	writeFileSync(join(types, file), linked.replaceAll(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
}
