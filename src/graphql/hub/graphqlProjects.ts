import type { Project, ProjectApi } from '../../forge/project.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed } from '../door/listed.ts';
import { bareName } from '../door/variables.ts';
import { listProjects } from './hubDocuments.ts';

/** Projects, from the service that the caller asks. */
export function graphqlProjects({ ask }: GraphqlCaller): ProjectApi {
	return {
		async projectsOf(owner, signal) {
			const all: Project[] = [];
			const pages = listed<Project>(
				{
					// Somebody who was never seen there has none.
					fetch: async (cursor, pageSignal) =>
						(await ask(listProjects, { owner: bareName(owner), cursor }, pageSignal)) ?? none,
					key: ({ name }) => name,
				},
				signal,
			);
			for await (const { items } of pages) {
				all.push(...items);
			}
			return all;
		},
	};
}

const none = { items: [], next: undefined, total: undefined, isEnvelope: true };
