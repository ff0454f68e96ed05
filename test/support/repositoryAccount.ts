import type { Forge } from 'sourcehut/port/forge.ts';
import { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { RepositorySources } from '../../src/store/repositories/repositorySources.ts';
import type { ContractForge } from './contractForge.ts';
import { keptNames } from './fakeConnection.ts';
import { noKeptObjects } from './fakeRepositories.ts';
import { keptInMemory } from './keptInMemory.ts';
import type { SampleUser } from './sampleForge.ts';
import { journalInMemory } from './journalInMemory.ts';

/** A store over a real client. It persists nothing, and its walks run as fast as in the application. */
export function storeOver(
	{ repositories: api }: Pick<Forge, 'repositories'>,
	parts: Pick<RepositorySources, 'me' | 'beginWalk'> & Partial<RepositorySources>,
): RepositoryStore {
	return new RepositoryStore({
		journal: journalInMemory(),
		api,
		followed: keptNames(),
		pinned: keptInMemory(),
		objects: noKeptObjects,
		...parts,
	});
}

/** Repository store of a sample user. */
export function storeOf(
	forge: ContractForge,
	user: SampleUser,
	parts: Partial<RepositorySources> = {},
): RepositoryStore {
	return storeOver(forge.as(user), {
		me: `~${user}`,
		beginWalk: () => Promise.resolve(forge.net.beginWalk(forge.instance, 'git')),
		...parts,
	});
}
