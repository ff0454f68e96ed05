import type { GitReads } from '../../forge/gitReads.ts';
import type { ForgeInstance } from '../../forge/instance.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { NamedRepositories } from './namedRepositories.ts';
import type { Visits } from './visits.ts';

/** What the members of the repository service share. */
export interface GitParts {
	readonly caller: GraphqlCaller;
	readonly named: NamedRepositories;
	readonly visits: Visits;
	readonly instance: Pick<ForgeInstance, 'areas'>;
	/** For what the API loses; without it what may not be all is said to be so. */
	readonly git: GitReads | undefined;
}
