import type { ListRef } from './list.ts';
import type { NamedRef } from './namedRef.ts';
import type { RepositoryRef } from './repository.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** Something in a project, by the name that the service of projects has heard of. */
export interface ProjectResource extends NamedRef {
	/** What its own service calls it too, whatever its name is by now. */
	readonly rid: string;
}

/** What somebody put together: repositories with the trackers and lists that go with them. */
export interface Project {
	readonly name: string;
	readonly repositories: readonly ProjectResource[];
	readonly trackers: readonly ProjectResource[];
	readonly lists: readonly ProjectResource[];
}

/** One of them. */
export type ProjectPart =
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef };

/** All of them, repositories first. */
export function partsOfProject({ repositories, trackers, lists }: Project): readonly ProjectPart[] {
	return [
		...repositories.map((each): ProjectPart => ({ kind: 'repository', ref: refOfResource(each) })),
		...trackers.map((each): ProjectPart => ({ kind: 'tracker', ref: refOfResource(each) })),
		...lists.map((each): ProjectPart => ({ kind: 'list', ref: refOfResource(each) })),
	];
}

/** What it is called, and no more. */
export function refOfResource({ owner, name }: ProjectResource): NamedRef {
	return { owner, name };
}

/** Projects of one owner. */
export interface OwnersProjects {
	readonly projects: readonly Project[];
	/** The forge leaves out projects, or contents of one. */
	readonly isPart: boolean;
}

/** Projects, as a forge's own service for them has them. */
export interface ProjectApi {
	projectsOf(owner: OwnerName, signal: AbortSignal): Promise<OwnersProjects>;
}
