import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexFiles } from '../state/tickets/index/indexKeeper.ts';

/** The folders in which the accounts' indexes are kept. */
export interface IndexFolders {
	/**
	 * The files of an account. Nothing is made before the first write. `home` is where its tickets live: another forge that
	 * is given the same name later finds nothing that was kept of this one.
	 */
	of(connectionKey: string, home: string): IndexFiles;
	/** Removes all files of an account; what is still being written for it is dropped. */
	forget(connectionKey: string): Promise<void>;
	/** Removes what is kept of accounts that are signed in no more, wherever they signed out. */
	keepOnly(connectionKeys: readonly string[]): Promise<void>;
}

interface Account {
	isForgotten: boolean;
	/** Settles once nothing is being written. */
	writing: Promise<unknown>;
}

/** Only the user may read what a private tracker holds. */
const fileMode = 0o600;
const folderMode = 0o700;
/** The most that is kept of one account. */
const mostBytes = 64 * 1024 * 1024;
const unfinished = '.new';
/** A file that is unfinished after this time is nobody's any more; a younger one may be another window's. */
const longestWriteMs = 3_600_000;

/** Keeps indexes below `folder`, one folder per account. */
export function indexFolders(folder: string, most: number = mostBytes): IndexFolders {
	const live = new Map<string, Account>();
	return {
		of(connectionKey, home) {
			const before = live.get(connectionKey);
			// The account may have been opened before, and what was begun then may still be under way.
			const account: Account = { isForgotten: false, writing: before?.writing ?? Promise.resolve() };
			live.set(connectionKey, account);
			return indexFiles({ folder: folderOf(folder, connectionKey), home, most, account });
		},
		async forget(connectionKey) {
			const account = live.get(connectionKey);
			if (account !== undefined) {
				account.isForgotten = true;
				await account.writing;
			}
			await remove(folderOf(folder, connectionKey));
		},
		async keepOnly(connectionKeys) {
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

interface IndexFilesParts {
	readonly folder: string;
	readonly home: string;
	readonly most: number;
	readonly account: Account;
}

function indexFiles({ folder, home, most, account }: IndexFilesParts): IndexFiles {
	const sizes = new Map<string, number>();
	const path = (name: string): string => join(folder, name);

	async function replace(name: string, bytes: Uint8Array): Promise<void> {
		await mkdir(folder, { recursive: true, mode: folderMode });
		// Two windows may write at once; each has a name of its own until its file is whole.
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
			// Half a file on a full disk takes the room that others need.
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
					continue; // Another window has just renamed or removed it.
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
