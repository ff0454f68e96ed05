import { createHash, randomUUID } from 'node:crypto';
import { constants, cpSync, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitProgram } from './gitProgram.ts';
import type { ToldRepository } from './gitWorld.ts';
import { writePack } from './packWriter.ts';
import type { RepositoryDraft } from './repositoryDraft.ts';

/** Where the repositories of the world are written to and kept. */
export interface WorldCache {
	readonly git: GitProgram;
	/** Outlives the process; may be removed at any time. */
	readonly cacheDir: string;
	/** Tells the histories; asked only when nothing is kept. */
	readonly tell: () => readonly ToldRepository[];
}

/** What `hashOf` gives for the world as it is told now. A test compares them, so that no change of it goes unnoticed. */
export const worldHash = '7acf7eb24f7648c5';

/** Folder of a repository inside a folder of repositories; survives a renaming. */
export function folderOf(id: number): string {
	return `${id}.git`;
}

/** The settings that every repository of the forge has. */
const settings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	autogc = false
	denyDeleteCurrent = refuse
`;

/**
 * Puts a copy of all repositories into `folder` and answers when each was changed last (milliseconds, in order). They
 * are written once and kept by a hash of all that is in them, so that another version of the world never meets the
 * files of this one.
 */
export async function placeWorld({ git, cacheDir, tell }: WorldCache, folder: string): Promise<readonly number[]> {
	const kept = join(cacheDir, `git-${worldHash}`);
	if (existsSync(kept)) {
		return await copy(kept, folder);
	}
	const fresh = `${kept}-${randomUUID()}`;
	const told = tell();
	await writeWorld(git, told, fresh);
	const times = await copy(fresh, folder);
	try {
		if (hashOf(told) === worldHash) {
			await rename(fresh, kept);
		}
	} catch {
		// Another process was faster; what it kept is the same.
	}
	await rm(fresh, { recursive: true, force: true });
	return times;
}

/** Makes an empty repository. */
export async function createEmpty(git: GitProgram, path: string): Promise<void> {
	await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=master', path]);
	await writeFile(join(path, 'config'), settings);
}

async function copy(from: string, to: string): Promise<readonly number[]> {
	// A hundred small files: in one turn this takes an eighth of the time that a turn for each takes.
	cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
	return (await readFile(join(to, timesFile), 'utf8')).split('\n').map(Number);
}

const timesFile = 'times';

/** References lead to every object, so their ids stand for the whole content. */
export function hashOf(world: readonly ToldRepository[]): string {
	const hash = createHash('sha256').update(settings);
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

/** Writes a repository with all that was told of it; an empty one without. */
export async function writeRepository(git: GitProgram, draft: RepositoryDraft | null, path: string): Promise<void> {
	await createEmpty(git, path);
	if (draft === null) {
		return;
	}
	const pack = writePack([...draft.objects.values()]);
	await git.run(['--git-dir', path, 'index-pack', '--stdin', '--strict'], { input: pack });
	const updates = Array.from(draft.refs, ([name, id]) => `create ${name} ${id}\n`);
	await git.run(['--git-dir', path, 'update-ref', '--stdin'], { input: updates.join('') });
	await git.run(['--git-dir', path, 'pack-refs', '--all']);
}
