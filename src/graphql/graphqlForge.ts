import type { ListApi, TrackerApi, UserApi } from '../forge/forge.ts';
import { graphqlCaller, type GraphqlCallerOptions } from './door/graphqlCaller.ts';
import { graphqlUsers } from './graphqlUsers.ts';
import { graphqlLists } from './lists/graphqlLists.ts';
import { graphqlTrackers } from './todo/graphqlTrackers.ts';

/** What of a forge is spoken to over GraphQL. */
interface GraphqlForge {
	readonly users: Required<UserApi>;
	readonly trackers: TrackerApi;
	readonly lists: ListApi;
}

/** A forge spoken to over GraphQL. Holds nothing but the numbers by which writes name things. */
export function graphqlForge(options: GraphqlCallerOptions): GraphqlForge {
	const caller = graphqlCaller(options);
	return { users: graphqlUsers(caller), trackers: graphqlTrackers(caller), lists: graphqlLists(caller) };
}
