import type { ListRef } from './list.ts';
import type { NamedRef } from './namedRef.ts';
import type { RepositoryRef } from './repository.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** A resource in a project, under the last name known to the project service. */
export interface ProjectResource extends NamedRef {
	/** Stable id, shared with the resource's own service. */
	readonly rid: string;
}

/** Repositories with their trackers and lists. */
export interface Project {
	readonly name: string;
	readonly repositories: readonly ProjectResource[];
	readonly trackers: readonly ProjectResource[];
	readonly lists: readonly ProjectResource[];
}

export type ProjectPart =
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef };

/** All parts, repositories first. */
export function partsOfProject({ repositories, trackers, lists }: Project): readonly ProjectPart[] {
	return [
		...repositories.map((each): ProjectPart => ({ kind: 'repository', ref: refOfResource(each) })),
		...trackers.map((each): ProjectPart => ({ kind: 'tracker', ref: refOfResource(each) })),
		...lists.map((each): ProjectPart => ({ kind: 'list', ref: refOfResource(each) })),
	];
}

export function refOfResource({ owner, name }: ProjectResource): NamedRef {
	return { owner, name };
}

/** Projects of one owner. */
export interface OwnersProjects {
	readonly projects: readonly Project[];
	/** True if the forge omits projects or their contents. */
	readonly isPart: boolean;
}

export interface ProjectApi {
	projectsOf(owner: OwnerName, signal: AbortSignal): Promise<OwnersProjects>;
}
