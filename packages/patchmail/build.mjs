// Bundles the published face and its types into dist/, with the private package that it shares with the extension.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const types = join(folder, 'dist/types');
rmSync(join(folder, 'dist'), { recursive: true, force: true });
await build({
	absWorkingDir: folder,
	entryPoints: ['src/index.ts'],
	outfile: 'dist/index.js',
	bundle: true,
	format: 'esm',
	platform: 'node',
	target: 'node22',
	external: ['iconv-lite', 'iconv-lite/*', 'postal-mime', 'valibot'],
	logLevel: 'warning',
});
const tsc = join(folder, '../../node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' });
for (const file of globSync('**/*.d.ts', { cwd: types })) {
	const base = relative(dirname(file), 'base/src').replaceAll('\\', posix.sep);
	const text = readFileSync(join(types, file), 'utf8');
	const linked = text.replaceAll(/(['"])@forge-desk\/base\/([^'"]+)\1/g, `$1${base}/$2$1`);
	writeFileSync(join(types, file), linked.replaceAll(/(from ['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
}
