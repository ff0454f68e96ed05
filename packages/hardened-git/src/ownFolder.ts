import { namedPrograms } from './applyState.ts';
import { type HardenedGit, lineOf } from './hardenedGit.ts';
import { mkdtemp, rm, writeFile, copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { gitCommands } from './gitCommands.ts';

/** Git folder of a clone and the programs in its settings; `undefined` if we cannot override one of them. */
export async function surroundings(git: HardenedGit, folder: string, signal: AbortSignal) {
	const shared = await sharedFolder(git, folder, signal);
	return { shared, programs: await namedPrograms(git, folder, signal) };
}

/**
 * Runs `work` in a temporary repository with the clone's objects as alternates. So the clone's configuration cannot run
 * programs or redirect a push or fetch (docs/security.md#pushes). `id`: any object id of the clone.
 */
export async function inOwnFolder<T>(
	tempFolder: string,
	shared: string,
	id: string | undefined,
	work: (own: string) => Promise<T>,
): Promise<T> {
	return inPrivateFolder(tempFolder, async (own) => {
		// SHA-256 ids have 64 digits.
		await borrow(own, shared, id?.length === 64 ? 'sha256' : 'sha1');
		return work(own);
	});
}

/**
 * Runs `work` in a new private folder and removes it afterwards. A failed removal is ignored, because it must not make
 * a sent mail look unsent.
 */
export async function inPrivateFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(parent, 'forge-desk-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
	}
}

/** Writes a new file that only the user can read, and returns its path. */
export async function putFile(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
	return path;
}

/** Git folder of a clone, shared by its worktrees. */
export async function sharedFolder(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string> {
	const path = resolve(folder, await lineOf(git, folder, gitCommands.gitFolder(), signal));
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
