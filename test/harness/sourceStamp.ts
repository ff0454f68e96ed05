import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsixFile } from './places.ts';

const stampFile = join(root, 'dist/stamp.txt');
const sources = [
	'src/**',
	'media/**',
	'*.md',
	'docs/*.md',
	'package.json',
	'package-lock.json',
	'esbuild.mjs',
	'pageScripts.ts',
	'.vscodeignore',
];

/** A hash of everything that the package is made from. */
function sourceHash(): string {
	const hash = createHash('sha256');
	const files = globSync([...sources], { cwd: root }).filter((file) => statSync(join(root, file)).isFile());
	for (const file of files.toSorted()) {
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
