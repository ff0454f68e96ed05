import { join } from 'node:path';
import { folderOf } from '../../../src/repositories/repositoryRoom.ts';
import { createObjectSource } from '../../../src/git/objectSource.ts';
import type { RepositoryRoom } from '../../../src/repositories/repositoryRoom.ts';
import { createdMs, tellGitWorld, worldRepositories, type OddNames } from './gitWorld.ts';
import { placeWorld, worldHash } from './worldCache.ts';

/** Fills the repository area with real repositories in a folder of this life of the forge. */
export async function tellRepositories(
	room: RepositoryRoom,
	cacheDir: string,
	oddNames: OddNames | undefined,
): Promise<void> {
	const { context, git, root } = room;
	const tell = (): ReturnType<typeof tellGitWorld> => tellGitWorld(context.users, oddNames);
	const hash = oddNames?.worldHash ?? worldHash;
	settle(room, await placeWorld({ git, cacheDir, tell, hash }, root));
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
