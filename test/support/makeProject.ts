import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { OwnersProjects, Project, ProjectResource } from 'sourcehut/port/project.ts';
import type { KnownResources } from '../../src/store/repositories/knownProjects.ts';

/** A resource in the form of the project service. */
export function inProject({ owner, name }: NamedRef, rid = `rid of ${owner}/${name}`): ProjectResource {
	return { owner, name, rid };
}

/** Projects in the forge's listing; complete unless `isPart`. */
export function listedProjects(projects: readonly Project[], isPart = false): OwnersProjects {
	return { projects, isPart };
}

/** Knows no resources of projects. */
export const nothingKnown: KnownResources = { ridOf: () => undefined, refOf: () => undefined };
