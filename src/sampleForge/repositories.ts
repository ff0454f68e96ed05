import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiCall, Area, Context } from './area.ts';
import { notFound } from './answers.ts';
import { createGitProgram } from './git/gitProgram.ts';
import { createdMs, tellGitWorld, worldRepositories } from './git/gitWorld.ts';
import { tellManyFiles } from './git/manyFiles.ts';
import { createObjectSource } from './git/objectSource.ts';
import { createQuickSource } from './git/quickSource.ts';
import { createEmpty, folderOf, placeWorld, writeRepository } from './git/worldCache.ts';
import type { Tokens } from './identity/tokens.ts';
import { findRepository } from './repositoryAccess.ts';
import { repositoryControl } from './repositoryControl.ts';
import { repositoryDataRoutes } from './repositoryDataRoutes.ts';
import { gitDoors } from './repositoryDoors.ts';
import { createRepositoryHooks, repositoryTarget, userTarget } from './repositoryHooks.ts';
import { repositoryPages } from './repositoryPages.ts';
import { plumbingRoutes } from './repositoryPlumbing.ts';
import { repositoryRoutes } from './repositoryRoutes.ts';
import { createRepositoryShapes } from './repositoryShapes.ts';
import { createRepositoryStore } from './repositoryStore.ts';
import { ownerOf, userRoutes } from './users.ts';
import { worldEndMs, worldStartMs } from './worldTime.ts';
import type { RepositoryRoom } from './repositoryRoom.ts';

/** The repository area with its sample world: real repositories in a folder of this life of the forge. */
export async function createRepositoryArea(context: Context, tokens: Tokens): Promise<Area> {
	const life = new AbortController();
	const home = await mkdtemp(join(context.tempDir, 'git-'));
	const root = join(home, 'repositories');
	await mkdir(root);
	const git = createGitProgram({ home, environment: process.env, signal: life.signal });
	const tell = (): ReturnType<typeof tellGitWorld> => tellGitWorld(context.users);
	const times = await placeWorld({ git, cacheDir: context.cacheDir, tell }, root);
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
			// Known before it is written, so that nobody takes the name meanwhile.
			const repository = store.add(id, made, { folder, source: createObjectSource(git, join(root, folder)) });
			await createEmpty(git, join(root, folder));
			return repository;
		},
	};
	settle(room, times);
	await addManyFiles(room);
	return {
		routes: [
			...userRoutes(context),
			...repositoryRoutes(room),
			...repositoryDataRoutes(room),
			...plumbingRoutes(room),
			...hookRoutes(room),
			...repositoryPages(room),
			...gitDoors(room),
		],
		control: repositoryControl(room),
		async dispose() {
			await Promise.all(store.all.map(async ({ source }) => await source.dispose()));
			life.abort();
			await rm(home, { recursive: true, force: true });
		},
	};
}

/** Registers the repositories of the world. */
function settle({ context, git, root, store }: RepositoryRoom, times: readonly number[]): void {
	for (const [index, plan] of worldRepositories.entries()) {
		const [ownerName = '', name = ''] = plan.name.split('/');
		const owner = context.users.byName(ownerName);
		if (owner === undefined) {
			throw new Error(`The sample world has no ~${ownerName}`);
		}
		const { description, visibility = 'public', readers = [] } = plan;
		const madeMs = createdMs(plan);
		const made = { owner, name, description, visibility, createdMs: madeMs, updatedMs: times[index] ?? madeMs };
		const access = new Map(readers.map((reader) => [reader, 'ro' as const]));
		const id = store.nextId();
		const folder = folderOf(id);
		const artifacts = plan.artifacts ?? [];
		store.add(id, { ...made, access, artifacts }, { folder, source: createObjectSource(git, join(root, folder)) });
	}
}

/** The big one for benchmarks. */
async function addManyFiles({ context, git, root, store }: RepositoryRoom): Promise<void> {
	const { files } = context.sizes;
	const owner = context.users.byName('alice');
	if (files === 0 || owner === undefined) {
		return;
	}
	const draft = tellManyFiles(files, worldStartMs / 1000);
	const id = store.nextId();
	const folder = folderOf(id);
	await writeRepository(git, draft, join(root, folder));
	const source = createQuickSource(draft, createObjectSource(git, join(root, folder)));
	const description = 'Files for benchmarks';
	store.add(id, { owner, name: 'many', description, visibility: 'public', createdMs: worldEndMs }, { folder, source });
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
