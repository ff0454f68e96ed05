import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

export interface TreeState {
	readonly commit: string;
	/** A hash of the uncommitted changes; empty without any. */
	readonly changes: string;
}

/** Written by commands about a commit. */
const written = ['docs/proof.md', 'docs/benchmarks.md'] as const;

function git(...args: readonly string[]): string {
	return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

export function treeState(): TreeState {
	const paths = ['--', '.', ...written.map((path) => `:!${path}`)];
	const changed = git('diff', 'HEAD', '--binary', ...paths);
	const added = git('ls-files', '--others', '--exclude-standard', '-z', ...paths)
		.split('\0')
		.filter(Boolean);
	const hash = createHash('sha256').update(changed);
	for (const path of added.map((each) => join(root, each)).filter((each) => existsSync(each))) {
		hash.update(`\0${path}\0`).update(statSync(path).isFile() ? readFileSync(path) : '');
	}
	return {
		commit: git('rev-parse', 'HEAD').trim(),
		changes: changed === '' && added.length === 0 ? '' : hash.digest('hex'),
	};
}
