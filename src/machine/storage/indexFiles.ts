import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexFiles } from '../../store/tickets/index/indexKeeper.ts';

interface Account {
	isForgotten: boolean;
	/** Resolves after the current write. */
	writing: Promise<unknown>;
}

/** Private trackers: only the user may read. */
const fileMode = 0o600;
const folderMode = 0o700;
/** Limit per account. */
const mostBytes = 64 * 1024 * 1024;
const unfinished = '.new';
/** Age at which a temporary file is an orphan; younger ones may belong to another window. */
const longestWriteMs = 3_600_000;

/** Index folders of accounts, one per account below `folder`. */
export function indexFolders(folder: string, most: number = mostBytes) {
	const live = new Map<string, Account>();
	return {
		/**
		 * An account's files. Creates nothing before the first write. `home`: the ticket server, so that another forge with
		 * the same name finds nothing.
		 */
		of(connectionKey: string, home: string) {
			const before = live.get(connectionKey);
			// Continue the queue of an earlier opening, whose writes may still be in progress.
			const account: Account = { isForgotten: false, writing: before?.writing ?? Promise.resolve() };
			live.set(connectionKey, account);
			return indexFiles(folderOf(folder, connectionKey), home, most, account);
		},
		/** Deletes an account's files and drops its pending writes. */
		async forget(connectionKey: string) {
			const account = live.get(connectionKey);
			if (account !== undefined) {
				account.isForgotten = true;
				await account.writing;
			}
			await remove(folderOf(folder, connectionKey));
		},
		/** Deletes the files of signed-out accounts. */
		async keepOnly(connectionKeys: readonly string[]) {
			const wanted = new Set(connectionKeys.map(shortHash));
			const all = await readdir(folder).catch(() => []);
			for (const name of all.filter((each) => !wanted.has(each))) {
				await remove(join(folder, name));
			}
		},
	};
}

function remove(path: string): Promise<void> {
	return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function folderOf(folder: string, connectionKey: string): string {
	return join(folder, shortHash(connectionKey));
}

function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

function indexFiles(folder: string, home: string, most: number, account: Account): IndexFiles {
	const sizes = new Map<string, number>();
	const path = (name: string): string => join(folder, name);

	async function replace(name: string, bytes: Uint8Array): Promise<void> {
		await mkdir(folder, { recursive: true, mode: folderMode });
		// A unique temporary name, because two windows may write at once.
		const draft = path(`${name}.${randomBytes(6).toString('hex')}${unfinished}`);
		try {
			const file = await open(draft, 'w', fileMode);
			try {
				await file.writeFile(bytes);
			} finally {
				await file.close();
			}
			await rename(draft, path(name));
		} catch (error) {
			// Free the space of a partial file on a full disk.
			await rm(draft, { force: true }).catch(() => undefined);
			throw error;
		}
	}

	return {
		async names() {
			const names = await readdir(folder);
			const whole: string[] = [];
			for (const name of names) {
				const found = await stat(path(name)).catch(() => undefined);
				if (found === undefined) {
					continue; // Another window renamed or deleted it.
				}
				const { size, mtimeMs } = found;
				if (!name.endsWith(unfinished)) {
					whole.push(name);
					sizes.set(name, size);
				} else if (Date.now() - mtimeMs > longestWriteMs) {
					await rm(path(name), { force: true });
				}
			}
			return whole;
		},
		read: (name) => readFile(path(name), 'utf8'),
		async write(name, text) {
			if (account.isForgotten) {
				return true;
			}
			const bytes = Buffer.from(text);
			const all = Array.from(sizes.values()).reduce((sum, size) => sum + size, 0);
			if (all - (sizes.get(name) ?? 0) + bytes.byteLength > most) {
				return false;
			}
			const replacing = replace(name, bytes);
			account.writing = Promise.allSettled([account.writing, replacing]);
			await replacing;
			sizes.set(name, bytes.byteLength);
			return true;
		},
		async remove(name) {
			sizes.delete(name);
			await rm(path(name), { force: true });
		},
		nameOf: (tracker) => shortHash(`${home} ${tracker}`),
	};
}
