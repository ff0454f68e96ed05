import type { ListApi, RepositoryApi, TrackerApi, UserApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { GitReads } from '../forge/gitReads.ts';
import { graphqlCaller, type GraphqlCallerOptions } from './door/graphqlCaller.ts';
import { fileProblem } from './door/problems.ts';
import { graphqlRepositories } from './git/graphqlRepositories.ts';
import { graphqlUsers } from './graphqlUsers.ts';
import { graphqlLists } from './lists/graphqlLists.ts';
import { graphqlTrackers } from './todo/graphqlTrackers.ts';

/** What of a forge is spoken to over GraphQL. */
interface GraphqlForge {
	readonly users: Required<UserApi>;
	readonly trackers: TrackerApi;
	readonly lists: ListApi;
	readonly repositories: RepositoryApi;
}

export interface GraphqlForgeOptions extends GraphqlCallerOptions {
	/** For what the API loses of repositories. */
	readonly git?: GitReads | undefined;
}

/** A forge spoken to over GraphQL. Holds nothing but the numbers by which writes name things, and new names of what was renamed. */
export function graphqlForge(options: GraphqlForgeOptions): GraphqlForge {
	const caller = graphqlCaller(options);
	const nowMs = (): number => options.clock.nowMs();
	return {
		users: graphqlUsers(caller),
		trackers: graphqlTrackers(caller),
		lists: graphqlLists(caller, options.clock),
		repositories: graphqlRepositories(caller, {
			git: options.git,
			learnt: options.learnt,
			streaming: {
				...options,
				problemOf: (head, { origin, token = '' }) =>
					new ForgeError(fileProblem(head, { area: 'git', origin, nowMs: nowMs(), token }) ?? { kind: 'notFound' }),
			},
		}),
	};
}
