import { createHash, randomUUID } from 'node:crypto';
import { constants, cpSync, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, repositorySettings } from '../../../src/repositories/repositoryRoom.ts';
import { writeRepository } from './repositoryDraft.ts';
import type { GitProgram } from '../../../src/git/gitProgram.ts';
import type { ToldRepository } from './gitWorld.ts';

/** Source and cache of the sample repositories. */
export interface WorldCache {
	readonly git: GitProgram;
	/** Persists between processes; deletable at any time. */
	readonly cacheDir: string;
	/** Creates the histories. Called on a cache miss only. */
	readonly tell: () => readonly ToldRepository[];
	/** Expected hash of the histories; part of the cache key. */
	readonly hash: string;
}

/** Hash of the shipped world. A test compares it with `hashOf`. */
export const worldHash = 'd0c45908999dd11a';

/**
 * Copies all repositories into `folder` and returns the time of each last change (milliseconds, in order). Writes the
 * repositories once and caches them by content hash, so other versions of the world never share files.
 */
export async function placeWorld(
	{ git, cacheDir, tell, hash }: WorldCache,
	folder: string,
): Promise<readonly number[]> {
	const kept = join(cacheDir, `git-${hash}`);
	if (existsSync(kept)) {
		return await copy(kept, folder);
	}
	const fresh = `${kept}-${randomUUID()}`;
	const told = tell();
	await writeWorld(git, told, fresh);
	const times = await copy(fresh, folder);
	try {
		if (hashOf(told) === hash) {
			await rename(fresh, kept);
		}
	} catch {
		// Another process was faster and cached the same content.
	}
	await rm(fresh, { recursive: true, force: true });
	return times;
}

async function copy(from: string, to: string): Promise<readonly number[]> {
	// Synchronous: for a hundred small files this takes an eighth of the time of async copies.
	cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
	return (await readFile(join(to, timesFile), 'utf8')).split('\n').map(Number);
}

const timesFile = 'times';

/** References reach every object, so their ids cover the whole content. */
export function hashOf(world: readonly ToldRepository[]): string {
	const hash = createHash('sha256').update(repositorySettings);
	for (const { draft, updatedMs } of world) {
		hash.update(`repository ${updatedMs}\n`);
		for (const [name, id] of draft?.refs ?? []) {
			hash.update(`${name} ${id}\n`);
		}
	}
	return hash.digest('hex').slice(0, 16);
}

async function writeWorld(git: GitProgram, world: readonly ToldRepository[], folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, timesFile), world.map(({ updatedMs }) => String(updatedMs)).join('\n'));
	await Promise.all(
		world.map(async ({ draft }, index) => await writeRepository(git, draft, join(folder, folderOf(index + 1)))),
	);
}
