import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsixFile } from './places.ts';

const stampFile = join(root, 'dist/stamp.txt');
const sources = ['src/**', 'media/**', '*.md', 'package.json', 'package-lock.json', 'esbuild.mjs', '.vscodeignore'];

/**
 * Paths of everything that the package is made from. Of the documents those that are in it: the proof writes its own while it
 * runs, and a package that seemed old by that would be made anew under the stages that use it.
 */
export function packageSources(): readonly string[] {
	const ignoreFile = readFileSync(join(root, '.vscodeignore'), 'utf8');
	const documents = Array.from(ignoreFile.matchAll(/^!(docs\/.*)$/gm), ([, path = '']) => path);
	return globSync([...sources, ...documents], { cwd: root })
		.filter((file) => statSync(join(root, file)).isFile())
		.toSorted();
}

/** A hash of everything that the package is made from. */
function sourceHash(): string {
	const hash = createHash('sha256');
	for (const file of packageSources()) {
		hash.update(`${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/** Whether the package is the one that these sources make. */
export function packageIsCurrent(): boolean {
	return existsSync(vsixFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash();
}

/** To be called after a package was made. */
export function markPackageCurrent(): void {
	writeFileSync(stampFile, sourceHash());
}
