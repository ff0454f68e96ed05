import type { RawPage } from '../../answers/pagingWay.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { Project, ProjectApi, ProjectResource } from '../../forge/project.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, type Listed } from '../door/listed.ts';
import { bareName } from '../door/variables.ts';
import type { ListIds } from '../lists/listIds.ts';
import { listProjectLists, listProjects, listProjectTrackers, listSources, type ProjectPage } from './hubDocuments.ts';

/** Projects, from the service that the caller asks. */
export function graphqlProjects({ ask }: GraphqlCaller, lists: Pick<ListIds, 'met'>): ProjectApi {
	async function whole(
		{ rid }: ProjectPage,
		first: RawPage<ProjectResource>,
		{ document, signal }: { readonly document: PartsDocument; readonly signal: AbortSignal },
	): Promise<readonly ProjectResource[]> {
		const fetch: Listed<ProjectResource>['fetch'] = async (cursor, pageSignal) =>
			cursor === undefined ? first : ((await ask(document, { rid, cursor }, pageSignal)) ?? none);
		return await all({ fetch, key: ({ rid: each }) => each }, signal);
	}

	async function withAllParts(page: ProjectPage, signal: AbortSignal): Promise<Project> {
		const { name, sources, trackers, mailingLists } = page;
		mailingLists.items.forEach((list) => lists.met(list));
		return {
			name,
			repositories: await whole(page, sources, { document: listSources, signal }),
			trackers: await whole(page, trackers, { document: listProjectTrackers, signal }),
			lists: await whole(page, mailingLists, { document: listProjectLists, signal }),
		};
	}

	return {
		async projectsOf(owner, signal) {
			const fetch: Listed<ProjectPage>['fetch'] = async (cursor, pageSignal) =>
				// Somebody who was never seen there has none.
				(await ask(listProjects, { owner: bareName(owner), cursor }, pageSignal)) ?? none;
			const pages = await all({ fetch, key: ({ rid }) => rid }, signal);
			return await Promise.all(pages.map((page) => withAllParts(page, signal)));
		},
	};
}

type PartsDocument = typeof listSources | typeof listProjectTrackers | typeof listProjectLists;

const none = { items: [], next: undefined, total: undefined, isEnvelope: true };

async function all<T>(list: Listed<T>, signal: AbortSignal): Promise<readonly T[]> {
	const items: T[] = [];
	const fetched: Listed<T>['fetch'] = async (cursor, pageSignal) => {
		const page = await list.fetch(cursor, pageSignal);
		if (page?.isPart) {
			// What a project lacks cannot be marked.
			throw new ForgeError({ kind: 'serverError', status: undefined });
		}
		return page;
	};
	for await (const page of listed({ ...list, fetch: fetched }, signal)) {
		items.push(...page.items);
	}
	return items;
}
