import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with a small git repository. */
export interface Workspace {
	readonly folder: string;
	remove(): void;
}

export function makeWorkspace(): Workspace {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-workspace-'));
	writeFileSync(join(folder, 'hello.txt'), 'hello\n');
	const git = (...args: readonly string[]): void => {
		const who = ['-c', 'user.name=Sample', '-c', 'user.email=sample@example.invalid', '-c', 'commit.gpgSign=false'];
		execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
	};
	git('init', '-b', 'main');
	git('add', '.');
	git('commit', '-m', 'first');
	return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
