import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiCall, Area, Context } from '../shared/area.ts';
import { notFound } from '../shared/answers.ts';
import { createEmpty, folderOf } from '../git/bareRepository.ts';
import { createGitProgram } from '../git/gitProgram.ts';
import { createObjectSource } from '../git/objectSource.ts';
import type { Tokens } from '../identity/tokens.ts';
import { findRepository } from './repositoryAccess.ts';
import { repositoryDataRoutes } from './repositoryDataRoutes.ts';
import { gitDoors } from './repositoryDoors.ts';
import { createRepositoryHooks, repositoryTarget, userTarget } from './repositoryHooks.ts';
import { repositoryPages } from './repositoryPages.ts';
import { plumbingRoutes } from './repositoryPlumbing.ts';
import type { RepositoryRoom } from './repositoryRoom.ts';
import { repositoryRoutes } from './repositoryRoutes.ts';
import { createRepositoryShapes } from './repositoryShapes.ts';
import { createRepositoryStore } from './repositoryStore.ts';
import { ownerOf, userRoutes } from '../identity/users.ts';

/** The repository area. */
export interface RepositoryArea extends Area {
	readonly room: RepositoryRoom;
}

/** The repository area, without repositories. */
export async function createRepositoryArea(context: Context, tokens: Tokens): Promise<RepositoryArea> {
	const life = new AbortController();
	const home = await mkdtemp(join(context.tempDir, 'git-'));
	const root = join(home, 'repositories');
	await mkdir(root);
	const git = createGitProgram({ home, environment: process.env, signal: life.signal });
	const store = createRepositoryStore();
	const shapes = createRepositoryShapes(context);
	const room: RepositoryRoom = {
		context,
		tokens,
		git,
		root,
		store,
		shapes,
		hooks: createRepositoryHooks(context, shapes),
		async create(made) {
			const id = store.nextId();
			const folder = folderOf(id);
			// Register before writing, so that nobody takes the name meanwhile.
			const repository = store.add(id, made, { folder, source: createObjectSource(git, join(root, folder)) });
			await createEmpty(git, join(root, folder));
			return repository;
		},
	};
	return {
		room,
		routes: [
			...userRoutes(context),
			...repositoryRoutes(room),
			...repositoryDataRoutes(room),
			...plumbingRoutes(room),
			...hookRoutes(room),
			...repositoryPages(room),
			...gitDoors(room),
		],
		async dispose() {
			await Promise.all(store.all.map(async ({ source }) => await source.dispose()));
			life.abort();
			await rm(home, { recursive: true, force: true });
		},
	};
}

function hookRoutes({ context, store }: RepositoryRoom): Area['routes'] {
	const own = (call: ApiCall): string => {
		if (ownerOf(context, call) !== call.user) {
			throw notFound();
		}
		return userTarget(call.user);
	};
	return [
		...context.webhooks.routes('gitUser', '/api/user', own),
		...context.webhooks.routes('gitRepository', '/api/~:username/repos/:name', (call) =>
			repositoryTarget(findRepository(context, store, call)),
		),
	];
}
