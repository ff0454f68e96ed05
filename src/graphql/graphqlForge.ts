import type { StreamOptions } from '../answers/streamedFile.ts';
import type { ListApi, RepositoryApi, TrackerApi, UserApi, WebhookApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import { factsInMemory } from '../forge/learntFacts.ts';
import type { GitReads } from '../forge/gitReads.ts';
import type { ProjectApi } from '../forge/project.ts';
import { graphqlCaller, type GraphqlCallerOptions } from './door/graphqlCaller.ts';
import { fileProblem } from './door/problems.ts';
import { graphqlRepositories } from './git/graphqlRepositories.ts';
import { graphqlProjects } from './hub/graphqlProjects.ts';
import { graphqlUsers } from './graphqlUsers.ts';
import { graphqlLists } from './lists/graphqlLists.ts';
import { listIds } from './lists/listIds.ts';
import { graphqlTrackers } from './todo/graphqlTrackers.ts';
import { graphqlWebhooks } from './webhooks/graphqlWebhooks.ts';

/** What of a forge is spoken to over GraphQL. */
interface GraphqlForge {
	readonly users: Required<UserApi>;
	readonly trackers: TrackerApi;
	readonly lists: ListApi;
	readonly repositories: RepositoryApi;
	readonly webhooks: WebhookApi;
	readonly projects?: ProjectApi;
}

export interface GraphqlForgeOptions extends GraphqlCallerOptions {
	/** For what the API loses of repositories. */
	readonly git?: GitReads | undefined;
}

/**
 * A forge spoken to over GraphQL. Holds nothing but the numbers by which writes name things, and new names of what was
 * renamed.
 */
export function graphqlForge(options: GraphqlForgeOptions): GraphqlForge {
	const caller = graphqlCaller(options);
	const { hub } = options.instance;
	const ids = listIds(caller);
	const nowMs = (): number => options.clock.nowMs();
	const streaming: StreamOptions = {
		...options,
		problemOf: (head, { token = '', ...from }) =>
			new ForgeError(fileProblem(head, { ...from, nowMs: nowMs(), token }) ?? { kind: 'notFound' }),
	};
	return {
		users: graphqlUsers(caller),
		trackers: graphqlTrackers(caller),
		lists: graphqlLists(caller, { clock: options.clock, streaming, ids }),
		repositories: graphqlRepositories(caller, {
			git: options.git,
			learnt: options.learnt,
			streaming,
		}),
		webhooks: graphqlWebhooks(caller),
		...(hub === undefined ? {} : { projects: graphqlProjects(graphqlCaller(askingHub(options, hub)), ids) }),
	};
}

/**
 * The service of projects is asked as that of repositories is, with the same token. What it refuses says nothing of the token,
 * and what it lacks nothing of the other.
 */
function askingHub(options: GraphqlForgeOptions, hub: string): GraphqlCallerOptions {
	const { instance } = options;
	return {
		...options,
		tokenRejected: undefined,
		besides: 'projects',
		instance: { ...instance, areas: { ...instance.areas, git: hub } },
		learnt: factsInMemory(),
	};
}
