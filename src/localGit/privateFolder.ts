import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Works in a new folder below `parent` that is made for the user alone, and gone afterwards. Where it cannot be removed, what
 * the work came to counts all the same: a mail that went out must not be taken for one that did not.
 */
export async function inPrivateFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(parent, 'forge-desk-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
	}
}

/** Writes a new file that only the user may read, and answers its path. */
export async function putFile(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
	return path;
}
