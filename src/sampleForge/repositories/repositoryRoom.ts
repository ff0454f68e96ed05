import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitProgram, type GitProgram } from '../git/gitProgram.ts';
import { createObjectSource } from '../git/objectSource.ts';
import type { Tokens } from '../identity/tokens.ts';
import type { Context } from '../shared/area.ts';
import { createRepositoryHooks } from './repositoryHooks.ts';
import { createRepositoryShapes } from './repositoryShapes.ts';
import { createRepositoryStore, type NewRepository, type Repository } from './repositoryStore.ts';

/** Shared state of the repository area's routes. */
export type RepositoryRoom = Awaited<ReturnType<typeof openRepositoryRoom>>;

export async function openRepositoryRoom(context: Context, tokens: Tokens) {
	const life = new AbortController();
	const home = await mkdtemp(join(context.tempDir, 'git-'));
	/** Folder of the repositories. */
	const root = join(home, 'repositories');
	await mkdir(root);
	const git = createGitProgram(home, life.signal);
	const store = createRepositoryStore();
	const shapes = createRepositoryShapes(context);
	return {
		context,
		tokens,
		git,
		root,
		store,
		shapes,
		hooks: createRepositoryHooks(context, shapes),
		/** Makes an empty repository on disk. */
		create: async (made: NewRepository): Promise<Repository> => {
			const id = store.nextId();
			const folder = folderOf(id);
			// Register before writing, so that nobody takes the name meanwhile.
			const repository = store.add(id, made, { folder, source: createObjectSource(git, join(root, folder)) });
			await createEmpty(git, join(root, folder));
			return repository;
		},
		dispose: async () => {
			await Promise.all(store.all.map(async ({ source }) => await source.dispose()));
			life.abort();
			await rm(home, { recursive: true, force: true });
		},
	};
}

/** Folder of a repository inside a folder of repositories; survives a renaming. */
export function folderOf(id: number): string {
	return `${id}.git`;
}

/** The settings that every repository of the forge has. */
export const repositorySettings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	autogc = false
	denyDeleteCurrent = refuse
`;

/** Makes an empty repository. */
export async function createEmpty(git: GitProgram, path: string): Promise<void> {
	await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=master', path]);
	await writeFile(join(path, 'config'), repositorySettings);
}
