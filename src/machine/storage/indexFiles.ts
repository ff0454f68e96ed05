import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexFiles } from '../../store/tickets/index/indexKeeper.ts';
import { keepOnlyFolders, longestWriteMs, removeTree, replaceFile, shortHash, unfinished } from './objectFiles.ts';

interface Account {
	isForgotten: boolean;
	/** Resolves after the current write. */
	writing: Promise<unknown>;
}

/** Limit per account. */
const mostBytes = 64 * 1024 * 1024;

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
			await removeTree(folderOf(folder, connectionKey));
		},
		/** Deletes the files of signed-out accounts. */
		keepOnly: (connectionKeys: readonly string[]) => keepOnlyFolders(folder, connectionKeys),
	};
}

function folderOf(folder: string, connectionKey: string): string {
	return join(folder, shortHash(connectionKey));
}

function indexFiles(folder: string, home: string, most: number, account: Account): IndexFiles {
	const sizes = new Map<string, number>();
	const path = (name: string): string => join(folder, name);

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
			const replacing = replaceFile(path(name), bytes);
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
