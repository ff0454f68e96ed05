import type { RawPage } from '../../answers/pagingWay.ts';
import type { Page } from '../../port/page.ts';
import type { Project, ProjectApi, ProjectResource } from '../../port/project.ts';
import { wholeOf } from '../../port/wholeOf.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, type Listed } from '../door/listed.ts';
import { bareName } from '../door/variables.ts';
import type { ListIds } from '../lists/listIds.ts';
import { listProjectLists, listProjects, listProjectTrackers, listSources, type ProjectPage } from './hubDocuments.ts';

/** Projects from the caller's project service. */
export function graphqlProjects({ ask }: GraphqlCaller, lists: Pick<ListIds, 'met'>): ProjectApi {
	function whole(
		{ rid }: ProjectPage,
		first: RawPage<ProjectResource>,
		{ document, signal }: { readonly document: PartsDocument; readonly signal: AbortSignal },
	): Promise<Page<ProjectResource>> {
		const fetch: Listed<ProjectResource>['fetch'] = async (cursor, pageSignal) =>
			cursor === undefined ? first : ((await ask(document, { rid, cursor }, pageSignal)) ?? none);
		return wholeOf(listed({ fetch, key: ({ rid: each }) => each }, signal));
	}

	async function withAllParts(page: ProjectPage, signal: AbortSignal): Promise<ReadProject> {
		const { name, sources, trackers, mailingLists } = page;
		mailingLists.items.forEach((list) => lists.met(list));
		const parts = [
			await whole(page, sources, { document: listSources, signal }),
			await whole(page, trackers, { document: listProjectTrackers, signal }),
			await whole(page, mailingLists, { document: listProjectLists, signal }),
		] as const;
		const [{ items: repositories }, { items: trackersOf }, { items: listsOf }] = parts;
		return { project: { name, repositories, trackers: trackersOf, lists: listsOf }, isPart: parts.some(isPart) };
	}

	return {
		async projectsOf(owner, signal) {
			const fetch: Listed<ProjectPage>['fetch'] = async (cursor, pageSignal) =>
				// The service doesn't know this user, so there are no projects.
				(await ask(listProjects, { owner: bareName(owner), cursor }, pageSignal)) ?? none;
			const pages = await wholeOf(listed({ fetch, key: ({ rid }) => rid }, signal));
			const read = await Promise.all(pages.items.map((page) => withAllParts(page, signal)));
			return {
				projects: read.map(({ project }) => project),
				isPart: isPart(pages) || read.some((each) => each.isPart),
			};
		},
	};
}

interface ReadProject {
	readonly project: Project;
	readonly isPart: boolean;
}

type PartsDocument = typeof listSources | typeof listProjectTrackers | typeof listProjectLists;

const none = { items: [], next: undefined, total: undefined, isEnvelope: true };

function isPart({ completeness }: Pick<Page<unknown>, 'completeness'>): boolean {
	return completeness.kind === 'more';
}
