import { refOfResource, type ProjectResource } from '../../../forge/project.ts';
import type { Named } from './guessTracker.ts';

/** Tracker and list that share a project with a repository. */
export interface InProject {
	readonly tracker: Named | undefined;
	readonly list: Named | undefined;
}

/**
 * Tracker and list from the project of the first repository that has one. Among several, prefers the one with the
 * repository's name or for developers; otherwise the choice is ambiguous and stays empty.
 */
export async function inProject(clones: readonly Named[], signal: AbortSignal): Promise<InProject> {
	for (const { connection, ref } of clones) {
		const project = await connection.projects?.ofRepository(ref, signal);
		if (project) {
			const named = (found: ProjectResource | undefined): Named | undefined =>
				found && { connection, ref: refOfResource(found), foundBy: { kind: 'project', name: project.name } };
			return {
				tracker: named(likeliest(project.trackers, [ref.name])),
				list: named(likeliest(project.lists, [`${ref.name}-devel`, ref.name])),
			};
		}
	}
	return { tracker: undefined, list: undefined };
}

function likeliest(all: readonly ProjectResource[], names: readonly string[]): ProjectResource | undefined {
	const [only, ...others] = all;
	const byName = names.map((name) => all.find((each) => each.name === name)).find((each) => each !== undefined);
	return others.length === 0 ? only : byName;
}
