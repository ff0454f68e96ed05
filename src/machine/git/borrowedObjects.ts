import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { putFile } from './privateFolder.ts';

const limits = { timeMs: 60_000, outputBytes: 1_000_000 } as const;

/** Git folder of a clone, shared by its worktrees. */
export async function sharedFolder(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string> {
	const { code, output, complaint } = await git.run({ kind: 'gitFolder' }, { folder, ...limits }, signal);
	const path = resolve(folder, output.toString('utf8').replace(/\r?\n$/, ''));
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	if (/\p{Cc}/u.test(path)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return path;
}

/** Settings of a bare repository. */
const bare = '[core]\n\tbare = true\n';

/**
 * Creates a repository with its own configuration. `shared`: git folder of a clone, whose objects become alternates.
 */
export async function borrow(
	own: string,
	shared: string | undefined,
	objectFormat: 'sha1' | 'sha256',
	config = bare,
): Promise<void> {
	await mkdir(join(own, 'objects', 'info'), { recursive: true });
	await mkdir(join(own, 'refs', 'heads'), { recursive: true });
	await putFile(own, 'HEAD', 'ref: refs/heads/none\n');
	const format = objectFormat === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256\n' : '0\n';
	await putFile(own, 'config', `[core]\n\trepositoryFormatVersion = ${format}${config}`);
	if (shared !== undefined) {
		const objects = join(shared, 'objects').replaceAll('\\', process.platform === 'win32' ? '/' : '\\');
		await putFile(join(own, 'objects', 'info'), 'alternates', `${objects}\n`);
		// Git must know where the history of a shallow clone ends.
		await copyFile(join(shared, 'shallow'), join(own, 'shallow')).catch(unlessMissing);
	}
}

/** Ignores a missing file. */
export function unlessMissing(error: unknown): undefined {
	if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
		throw error;
	}
}
