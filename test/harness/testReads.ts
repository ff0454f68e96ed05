import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './importGraph.ts';
import { looksAtAll } from './proofStages.ts';

const runner = 'test/harness/worker.ts';

/** A test that names these folders reads their files. */
const namesSources = /\.\.\/src'\)|'packages\/[^']*'\)/;
const namesDocuments = /[/']docs[/']/;
/** Without this, a test that may look at all sources does not. */
const readsFiles = /'node:fs'|\/harness\//;

/**
 * Hashes the inputs of a test file: git, itself, its imported sources, all files except sources and documents, and
 * documents if it names their folder. `undefined` for a test that scans other sources.
 */
export function hashesOfReads(root: string): (file: string) => string | undefined {
	const paths = workingFiles(root);
	const sources = new Map(
		paths.filter((path) => path.endsWith('.ts')).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
	);
	const names = new Set(sources.keys());
	const imports = new Map(Array.from(sources, ([path, source]) => [path, importsOf(path, source, names)]));
	const hashes = new Map(Array.from(sources, ([path, source]) => [path, hashOf([source])]));
	const hashOfFiles = (files: readonly string[]): string =>
		hashOf(files.flatMap((path) => [path, readFileSync(join(root, path))]));
	// Many tests compare with git, so another git is another input.
	const git = execFileSync('git', ['--version']);
	const others = hashOf([git, hashOfFiles(paths.filter((path) => !names.has(path) && !isDocument(path)))]);
	const documents = hashOfFiles(paths.filter(isDocument));

	return (file) => {
		const reached = new Set([file, runner]);
		for (const path of reached) {
			imports.get(path)?.forEach((imported) => reached.add(imported));
		}
		const ofTests = Array.from(reached)
			.filter((path) => /^(?:packages\/[^/]+\/)?test\//.test(path))
			.map((path) => sources.get(path) ?? '');
		const looks = looksAtAll.test(file) && readsFiles.test(sources.get(file) ?? '');
		if (looks || ofTests.some((source) => namesSources.test(source))) {
			return undefined;
		}
		const said = ofTests.some((source) => namesDocuments.test(source)) ? documents : '';
		return hashOf([others, said, ...Array.from(reached).flatMap((path) => [path, hashes.get(path) ?? ''])]);
	};
}

/** Files of the working tree that are or would be committed. */
function workingFiles(root: string): readonly string[] {
	const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const all = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
	return [...new Set(all)].filter((path) => {
		const full = join(root, path);
		return path !== '' && existsSync(full) && statSync(full).isFile();
	});
}

function isDocument(path: string): boolean {
	return path.startsWith('docs/') || /^[^/]+\.md$/.test(path);
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
	const hash = createHash('sha256');
	parts.forEach((part) => hash.update(part).update('\0'));
	return hash.digest('hex');
}
