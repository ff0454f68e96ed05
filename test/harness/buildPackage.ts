import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Children, Ran } from './children.ts';
import { packagedReadme } from './packagedReadme.ts';
import { packageArguments, root } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { markPackageCurrent, packageIsCurrent } from './sourceStamp.ts';

const limitMs = 120_000;
/** The package is made of a copy, because its README is another one than that of the sources. */
const stagingFolder = join(root, 'dist/package');
/** What is copied; `.vscodeignore` says what of it is shipped. */
const copied = ['.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'docs/*.md', 'media', 'dist/{,pages/}*.js'] as const;

/** Builds and packages the extension for shipping. */
export async function buildPackage(children: Children, live: boolean): Promise<Ran> {
	rmSync(stagingFolder, { recursive: true, force: true });
	const built = await children.run('node', ['esbuild.mjs'], { live, limitMs });
	if (built.code !== 0) {
		return built;
	}
	stage();
	const ran = await children.run('vsce', packageArguments, { live, limitMs, cwd: stagingFolder });
	if (ran.code === 0) {
		markPackageCurrent();
	}
	return ran;
}

function stage(): void {
	mkdirSync(stagingFolder, { recursive: true });
	for (const name of globSync([...copied], { cwd: root })) {
		cpSync(join(root, name), join(stagingFolder, name), { recursive: true });
	}
	writeFileSync(join(stagingFolder, 'README.md'), packagedReadme(readFileSync(join(root, 'README.md'), 'utf8')));
	// Its scripts are those of the sources.
	const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const withoutScripts = (name: string, value: unknown): unknown => (name === 'scripts' ? undefined : value);
	writeFileSync(join(stagingFolder, 'package.json'), JSON.stringify(manifest, withoutScripts));
}

/** The same, unless the package that is there was made from just these sources. */
export async function buildPackageWhenNeeded(children: Children): Promise<void> {
	if (packageIsCurrent()) {
		console.log('The extension is built already');
		return;
	}
	console.log('Building the extension');
	const { code, output } = await buildPackage(children, false);
	if (code !== 0) {
		throw new PlainProblem(`The build failed.\n${output}`);
	}
}
