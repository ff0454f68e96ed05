import { createHash, randomUUID } from 'node:crypto';
import { constants, cpSync, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, repositorySettings, writeRepository } from '../../git/bareRepository.ts';
import type { GitProgram } from '../../git/gitProgram.ts';
import type { ToldRepository } from './gitWorld.ts';

/** Where the repositories of the world are written to and kept. */
export interface WorldCache {
	readonly git: GitProgram;
	/** Outlives the process; may be removed at any time. */
	readonly cacheDir: string;
	/** Tells the histories; asked only when nothing is kept. */
	readonly tell: () => readonly ToldRepository[];
	/** The hash of that. */
	readonly hash: string;
}

/** The hash of the shipped world. A test compares it with `hashOf`. */
export const worldHash = 'd0c45908999dd11a';

/**
 * Puts a copy of all repositories into `folder` and answers when each was changed last (milliseconds, in order). They
 * are written once and kept by a hash of all that is in them, so that another version of the world never meets the
 * files of this one.
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
		// Another process was faster; what it kept is the same.
	}
	await rm(fresh, { recursive: true, force: true });
	return times;
}

async function copy(from: string, to: string): Promise<readonly number[]> {
	// A hundred small files: in one turn this takes an eighth of the time that a turn for each takes.
	cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
	return (await readFile(join(to, timesFile), 'utf8')).split('\n').map(Number);
}

const timesFile = 'times';

/** References lead to every object, so their ids stand for the whole content. */
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
