import type { RawPage } from '../../answers/pages.ts';
import type { Page } from '../../port/page.ts';
import type { Project, ProjectApi, ProjectResource } from '../../port/project.ts';
import { collectPages } from '../../port/collectPages.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { listed } from '../transport/listed.ts';
import { bareName } from '../transport/variables.ts';
import type { ListIds } from '../lists/listIds.ts';
import { listProjectLists, listProjects, listProjectTrackers, listSources, type ProjectPage } from './hubDocuments.ts';

/** Projects from the caller's project service. */
export function graphqlProjects({ ask }: GraphqlCaller, lists: ListIds): ProjectApi {
	/** All resources of one kind, of which the project's page has the first. */
	function whole(
		{ rid }: ProjectPage,
		first: RawPage<ProjectResource>,
		document: typeof listSources,
		signal: AbortSignal,
	): Promise<Page<ProjectResource>> {
		const fetch = async (cursor: string | undefined, pageSignal: AbortSignal): Promise<RawPage<ProjectResource>> =>
			cursor === undefined ? first : ((await ask(document, { rid, cursor }, pageSignal)) ?? none);
		return collectPages(listed(fetch, (resource) => resource.rid, signal));
	}

	return {
		async projectsOf(owner, signal) {
			const fetch = async (cursor: string | undefined, pageSignal: AbortSignal): Promise<RawPage<ProjectPage>> =>
				// The service doesn't know this user, so there are no projects.
				(await ask(listProjects, { owner: bareName(owner), cursor }, pageSignal)) ?? none;
			const pages = await collectPages(listed(fetch, ({ rid }) => rid, signal));
			const read = await Promise.all(
				pages.items.map(async (page) => {
					page.mailingLists.items.forEach((list) => lists.met(list));
					const repositories = await whole(page, page.sources, listSources, signal);
					const trackers = await whole(page, page.trackers, listProjectTrackers, signal);
					const projectLists = await whole(page, page.mailingLists, listProjectLists, signal);
					const project: Project = {
						name: page.name,
						repositories: repositories.items,
						trackers: trackers.items,
						lists: projectLists.items,
					};
					return { project, isPart: [repositories, trackers, projectLists].some(isPart) };
				}),
			);
			return {
				projects: read.map(({ project }) => project),
				isPart: isPart(pages) || read.some((each) => each.isPart),
			};
		},
	};
}

const none = { items: [], next: undefined, total: undefined, isEnvelope: true };

function isPart({ completeness }: Page<unknown>): boolean {
	return completeness.kind === 'more';
}
