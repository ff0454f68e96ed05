import type { NamedRef } from '../../src/forge/namedRef.ts';
import type { ProjectResource } from '../../src/forge/project.ts';
import type { KnownResources } from '../../src/state/repositories/knownProjects.ts';

/** Something as the service of projects tells of it. */
export function inProject({ owner, name }: NamedRef, rid = `rid of ${owner}/${name}`): ProjectResource {
	return { owner, name, rid };
}

/** Nothing was read of anything that may be in projects. */
export const nothingKnown: KnownResources = { ridOf: () => undefined, refOf: () => undefined };
