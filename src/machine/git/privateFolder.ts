import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
