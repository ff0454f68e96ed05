import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObjectId } from 'patchmail/git/objectId.ts';

/** Private repositories: only the user may read. */
const fileMode = 0o600;
const folderMode = 0o700;
/** Allocation unit of the disk. */
const blockBytes = 4096;
/** Suffix of temporary files. */
export const unfinished = '.new';
/** Age at which a temporary file is an orphan; younger ones may belong to another window. */
export const longestWriteMs = 3_600_000;

/** Atomic write; creates the folder if missing. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
	// A unique temporary name, because two windows may write at once.
	const draft = `${path}.${randomBytes(6).toString('hex')}${unfinished}`;
	try {
		await writeNew(draft, bytes);
		await rename(draft, path);
	} catch (error) {
		// Free the space of a partial file on a full disk.
		await rm(draft, { force: true }).catch(() => undefined);
		throw error;
	}
}

/** Name of an account's folder. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

export function removeTree(path: string): Promise<void> {
	return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Deletes the folders of all other accounts. */
export async function keepOnlyFolders(folder: string, connectionKeys: readonly string[]): Promise<void> {
	const wanted = new Set(connectionKeys.map(shortHash));
	const all = await readdir(folder).catch(() => []);
	for (const name of all.filter((each) => !wanted.has(each))) {
		await removeTree(join(folder, name));
	}
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
	const options = { mode: fileMode, flag: 'wx' };
	try {
		await writeFile(path, bytes, options);
	} catch (error) {
		if (!isMissing(error)) {
			throw error;
		}
		await mkdir(dirname(path), { recursive: true, mode: folderMode });
		await writeFile(path, bytes, options);
	}
}

/** The ids with a file in the account's folder; one listing per subfolder. */
export async function namesAmong(accountFolder: string, ids: Iterable<string>): Promise<ReadonlySet<string>> {
	const kept = new Set<string>();
	for (const [name, wanted] of Map.groupBy(ids, (id) => id.slice(0, 2))) {
		// An invalid id could be a path out of the folder.
		const isFolder = /^[0-9a-f]{2}$/.test(name);
		const there = new Set(isFolder ? await readdir(join(accountFolder, name)).catch(() => []) : []);
		wanted.filter((id) => there.has(id.slice(2)) && isObjectId(id)).forEach((id) => kept.add(id));
	}
	return kept;
}

interface KeptFile {
	readonly path: string;
	readonly bytes: number;
	readonly usedMs: number;
}

/** Lazily by folder: there may be more than 100,000 files. */
async function* filesIn(folder: string): AsyncGenerator<KeptFile, void, undefined> {
	for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) {
			yield* filesIn(path);
		} else if (entry.isFile()) {
			const found = await stat(path).catch(() => undefined);
			if (found) {
				yield { path, bytes: onDisk(found.size), usedMs: found.mtimeMs };
			}
		}
	}
}

/** Disk usage of a folder, recursively. */
export async function bytesIn(folder: string): Promise<number> {
	let sum = 0;
	for await (const { bytes } of filesIn(folder)) {
		sum += bytes;
	}
	return sum;
}

/** Disk usage of a file. */
export function onDisk(bytes: number): number {
	return Math.ceil(bytes / blockBytes) * blockBytes;
}

/** Deletes the least recently used files down to `most` bytes, and returns the remaining bytes. */
export async function makeFree(folder: string, most: number, nowMs: number): Promise<number> {
	const files: KeptFile[] = [];
	for await (const file of filesIn(folder)) {
		files.push(file);
	}
	let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
	for (const { path, bytes, usedMs } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
		const isWritten = path.endsWith(unfinished) && nowMs - usedMs < longestWriteMs;
		if (left > most && !isWritten) {
			await rm(path, { force: true }).catch(() => undefined);
			left -= bytes;
		}
	}
	return left;
}

/** True when the file or folder doesn't exist. */
export function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** None of a missing folder. Synchronous, for texts that must survive a crash. */
export function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (isMissing(error)) {
			return [];
		}
		throw error;
	}
}
