import type { Connection } from '../../src/store/connection.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { KeptNames } from '../../src/store/shared/keptNames.ts';
import { keptNames, type ForgeConnection } from './fakeConnection.ts';
import { fakeStore, repositoryConnection, repositoryConnections, type FakeRepositories } from './fakeRepositories.ts';
import { standFor } from './standFor.ts';

/** An account over a fake repository area with replaceable calls. */
export interface RepositoryDesk {
	readonly connection: Connection;
	readonly connections: ReturnType<typeof repositoryConnections>;
	/** Followed repositories of others. */
	readonly followed: KeptNames;
}

/** `changes` replace the fake's answers. */
export function repositoryDesk(
	fake: FakeRepositories,
	changes: Partial<RepositoryApi> = {},
	...followedNames: readonly string[]
): RepositoryDesk {
	const api: RepositoryApi = { ...fake.api, ...changes };
	const followed = keptNames(...followedNames);
	const connection: ForgeConnection = {
		...repositoryConnection(fakeStore({ ...fake, api }, { followed })),
		forge: standFor<ForgeConnection['forge']>({ me: '~alice', repositories: api }),
	};
	return { connection, connections: repositoryConnections(connection), followed };
}
