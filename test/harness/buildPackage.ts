import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { billOfMaterials } from './billOfMaterials.ts';
import type { Children, Ran } from './children.ts';
import { languages } from './languages.ts';
import { localizedManifest } from './localizedManifest.ts';
import { packagedReadme } from './packagedReadme.ts';
import { packagedManifest } from './packagedManifest.ts';
import { root, vsixFile } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { repositoryPages } from './repositoryPages.ts';
import { markPackageCurrent, packageIsCurrent } from './sourceStamp.ts';
import { bundledFolders, packageIn, thirdPartyNotices } from './thirdPartyNotices.ts';

const limitMs = 120_000;
/** The package has its own README and manifest, so a copy is the base. */
const stagingFolder = join(root, 'dist/package');
/** Copied files; `.vscodeignore` selects the shipped ones. */
const copied = [
	'.vscodeignore',
	'CHANGELOG.md',
	'LICENSE',
	'docs/*.md',
	'docs/images',
	'media',
	'dist/{,pages/}*.js',
	'dist/sampleData',
] as const;

/** `npm sbom` reads only the lock file, needs no registry and names none. */
const billArguments = 'sbom --sbom-format cyclonedx --package-lock-only --loglevel=error --no-update-notifier'.split(
	' ',
);

const manifestShape = v.looseObject({ dependencies: v.record(v.string(), v.string()) });

interface PackageOptions {
	/** Prints the output as it comes. */
	readonly live: boolean;
	/** Its web page, once the owner has named it. */
	readonly repository?: URL | undefined;
}

/** `vsce` makes links of the README absolute. It can do that only with a repository. */
function vsceArguments(repository: URL | undefined): readonly string[] {
	if (repository === undefined) {
		return ['--no-rewrite-relative-links', '--allow-missing-repository'];
	}
	const { content, raw } = repositoryPages(repository);
	return ['--baseContentUrl', content, '--baseImagesUrl', raw];
}

/** Builds and packages the extension for shipping: the same bytes from every clone of a commit. */
export async function buildPackage(children: Children, { live, repository }: PackageOptions): Promise<Ran> {
	rmSync(stagingFolder, { recursive: true, force: true });
	const built = await children.run('node', ['esbuild.mjs'], { live, limitMs });
	if (built.code !== 0) {
		return built;
	}
	const epochS = sourceDateEpoch();
	const bill = await children.run('npm', billArguments, { limitMs });
	if (bill.code !== 0) {
		return bill;
	}
	stage(repository);
	const folders = bundledFolders();
	add('sbom.cdx.json', billOfMaterials({ printed: bill.output, shipped: folders.map(packageIn), epochS }));
	add('ThirdPartyNotices.txt', thirdPartyNotices(folders));
	// The dates in a zip file are local times. vsce also scans what it packs for secrets, and fails on a finding.
	const env = { SOURCE_DATE_EPOCH: String(epochS), TZ: 'UTC' };
	const args = ['package', '--no-dependencies', '--out', vsixFile, ...vsceArguments(repository)];
	const ran = await children.run('vsce', args, { live, limitMs, env, cwd: stagingFolder });
	// Tests want the package without a repository.
	if (ran.code === 0 && repository === undefined) {
		markPackageCurrent();
	}
	return ran;
}

/** Fills the staging folder, and returns the manifest. */
function stage(repository: URL | undefined): void {
	mkdirSync(stagingFolder, { recursive: true });
	for (const name of globSync([...copied], { cwd: root })) {
		cpSync(join(root, name), join(stagingFolder, name), { recursive: true });
	}
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	add('README.md', packagedReadme(readme, repository !== undefined));
	const source: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const { manifest: localized, texts } = localizedManifest(source);
	const manifest = v.parse(manifestShape, localized);
	add('package.json', packagedManifest(manifest, repository));
	add('package.nls.json', JSON.stringify(texts));
	for (const { language, texts: translations } of languages()) {
		const translated = Object.entries(texts).map(([key, text]) => [key, translations[text] ?? text]);
		add(`package.nls.${language}.json`, JSON.stringify(Object.fromEntries(translated)));
	}
	for (const entry of globSync('**', { cwd: stagingFolder, withFileTypes: true })) {
		// A umask would reach the zip file.
		chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
	}
}

function add(name: string, text: string): void {
	writeFileSync(join(stagingFolder, name), text);
	chmodSync(join(stagingFolder, name), 0o644);
}

/** SOURCE_DATE_EPOCH or the time of the commit, in seconds. Zip files have no time before 1980. */
export function sourceDateEpoch(): number {
	const given = process.env['SOURCE_DATE_EPOCH'];
	if (given !== undefined) {
		return Number(given);
	}
	try {
		return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
	} catch {
		return Date.UTC(1980, 0, 2) / 1000;
	}
}

/** Builds, unless the package is current. */
export async function buildPackageWhenNeeded(children: Children): Promise<void> {
	if (packageIsCurrent()) {
		console.log('The extension is built already');
		return;
	}
	console.log('Building the extension');
	const { code, output } = await buildPackage(children, { live: false });
	if (code !== 0) {
		throw new PlainProblem(`The build failed.\n${output}`);
	}
}
