import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, plant } from './fault.ts';

/** A copy of the sources in which faults are planted, so that the working tree is never touched. */
export interface CopiedTree {
	readonly folder: string;
	/** Plants the fault while `work` runs, and takes it out again. */
	withFault<T>(fault: Fault, work: () => Promise<T>): Promise<T>;
}

/** What tests read. The packages are shared: nothing writes to them. */
const copied = ['src', 'test', 'media', 'package.json', 'tsconfig.json', 'ARCHITECTURE.md', 'docs'];

export function copyTree(root: string, folder: string): CopiedTree {
	for (const name of copied) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		cpSync(join(root, name), join(folder, name), { recursive: true });
	}
	lendHistory(root, folder);
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	return {
		folder,
		async withFault(fault, work) {
			const path = join(folder, fault.file);
			const content = readFileSync(path, 'utf8');
			writeFileSync(path, plant(fault, content));
			try {
				return await work();
			} finally {
				writeFileSync(path, content);
			}
		},
	};
}

/** Tests compare with what git makes of this project's history. It is read from a repository of the copy's own. */
function lendHistory(root: string, folder: string): void {
	const git = (cwd: string, ...args: readonly string[]): string =>
		execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
	git(folder, 'init', '--quiet');
	const objects = git(root, 'rev-parse', '--path-format=absolute', '--git-path', 'objects');
	writeFileSync(join(folder, '.git/objects/info/alternates'), `${objects}\n`);
	writeFileSync(join(folder, '.git/HEAD'), `${git(root, 'rev-parse', 'HEAD')}\n`);
}
