import type { GitReads } from '../../port/gitReads.ts';
import type { ForgeInstance } from '../../port/instance.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { NamedRepositories } from './namedRepositories.ts';
import type { Visits } from './visits.ts';

/** Dependencies of the repository API's parts. */
export interface GitParts {
	readonly caller: GraphqlCaller;
	readonly named: NamedRepositories;
	readonly visits: Visits;
	readonly instance: Pick<ForgeInstance, 'areas'>;
	/** Reads over Git the data that the API loses. Without it, possibly incomplete results say so. */
	readonly git: GitReads | undefined;
}
