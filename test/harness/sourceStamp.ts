import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsixFile } from './places.ts';

const stampFile = join(root, 'dist/stamp.txt');
const sources = [
	'src/**',
	'packages/*/src/**',
	'packages/*/package.json',
	'media/**',
	'*.md',
	'package.json',
	'package-lock.json',
	'esbuild.mjs',
	'.vscodeignore',
];

/**
 * Sources of the package. Only packaged documents count: `npm run prove` writes others, and a new package would disturb its
 * stages.
 */
export function packageSources(): readonly string[] {
	const ignoreFile = readFileSync(join(root, '.vscodeignore'), 'utf8');
	const documents = Array.from(ignoreFile.matchAll(/^!(docs\/.*)$/gm), ([, path = '']) => path);
	return globSync([...sources, ...documents], { cwd: root })
		.filter((file) => statSync(join(root, file)).isFile())
		.toSorted();
}

function sourceHash(): string {
	const hash = createHash('sha256');
	for (const file of packageSources()) {
		hash.update(`${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/** Whether the package was made from these sources. */
export function packageIsCurrent(): boolean {
	return existsSync(vsixFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash();
}

/** Call it after packaging. */
export function markPackageCurrent(): void {
	writeFileSync(stampFile, sourceHash());
}
