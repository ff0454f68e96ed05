import { refOfResource, type ProjectResource } from '../../../forge/project.ts';
import type { Named } from './guessTracker.ts';

/** What the forge has in one project with a repository. */
export interface InProject {
	readonly tracker: Named | undefined;
	readonly list: Named | undefined;
}

/**
 * The tracker and the list of the project that one of these repositories is in, the first that is in any. Of several the one
 * that has the repository's name, or is for its developers; where none has, nobody can tell which.
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
