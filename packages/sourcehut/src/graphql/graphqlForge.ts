import type { Forge, UserApi } from '../port/forge.ts';
import { ForgeError } from '../port/forgeError.ts';
import type { ContentArea } from '../port/instance.ts';
import { factsInMemory } from '../port/learntFacts.ts';
import type { Scope } from '../port/scope.ts';
import { graphqlCaller, type GraphqlCaller } from './transport/graphqlCaller.ts';
import { fileProblem } from './transport/problems.ts';
import { graphqlRepositories } from './git/graphqlRepositories.ts';
import { graphqlProjects } from './hub/graphqlProjects.ts';
import { graphqlLists } from './lists/graphqlLists.ts';
import { listIds } from './lists/listIds.ts';
import { graphqlTrackers } from './todo/graphqlTrackers.ts';
import { me, someone, version } from './userDocuments.ts';
import { graphqlWebhooks } from './webhooks/graphqlWebhooks.ts';
import type { ForgeLink } from '../answers/forgeLink.ts';
import type { FileLink } from '../answers/streamedFile.ts';

/** Every scope of an area allows these queries. */
const anyScope: Readonly<Record<ContentArea, Scope>> = {
	todo: 'trackers:read',
	lists: 'lists:read',
	git: 'info:read',
};

/** A forge over GraphQL. Caches only list ids, renames and prefetched responses of an ongoing visit. */
export function graphqlForge(link: ForgeLink): Omit<Forge, 'me'> & { readonly users: Required<UserApi> } {
	const caller = graphqlCaller(link);
	const { instance } = link;
	/*
	 * The project service in place of the repository service, with the same token. A rejection there must not invalidate
	 * the token, and missing fields there say nothing about the other services.
	 */
	const hubLink: ForgeLink | undefined =
		instance.hub === undefined
			? undefined
			: {
					...link,
					tokenRejected: undefined,
					instance: { ...instance, areas: { ...instance.areas, git: instance.hub } },
					learnt: factsInMemory(),
				};
	const ids = listIds(caller);
	const files: FileLink = {
		...link,
		problemOf: (head, { token = '', ...from }) =>
			new ForgeError(fileProblem(head, { ...from, nowMs: link.clock.nowMs(), token }) ?? { kind: 'notFound' }),
	};
	return {
		users: graphqlUsers(caller),
		trackers: graphqlTrackers(caller),
		lists: graphqlLists(caller, files, ids),
		repositories: graphqlRepositories(caller, files),
		webhooks: graphqlWebhooks(caller),
		...(hubLink ? { projects: graphqlProjects(graphqlCaller(hubLink, 'projects'), ids) } : {}),
	};
}

function graphqlUsers({ ask }: GraphqlCaller): Required<UserApi> {
	return {
		async user(area, name, signal) {
			const asked = { area, scope: anyScope[area] };
			const found =
				name === undefined
					? await ask({ ...asked, ...me }, {}, signal)
					: await ask({ ...asked, ...someone }, { name: name.replace(/^~/, '') }, signal);
			if (found === undefined) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return found;
		},
		version: async (area, signal) => (await ask({ area, scope: anyScope[area], ...version }, {}, signal)) ?? 'unknown',
	};
}
