import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { OwnersProjects, Project, ProjectResource } from 'sourcehut/port/project.ts';
import type { KnownResources } from '../../src/store/repositories/knownProjects.ts';

/** Something as the service of projects tells of it. */
export function inProject({ owner, name }: NamedRef, rid = `rid of ${owner}/${name}`): ProjectResource {
	return { owner, name, rid };
}

/** Projects as the forge lists them, all unless `isPart`. */
export function listedProjects(projects: readonly Project[], isPart = false): OwnersProjects {
	return { projects, isPart };
}

/** Nothing was read of anything that may be in projects. */
export const nothingKnown: KnownResources = { ridOf: () => undefined, refOf: () => undefined };
