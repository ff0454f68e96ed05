import type { ListRef } from './list.ts';
import type { RepositoryRef } from './repository.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** What somebody put together: repositories with the trackers and lists that go with them. */
export interface Project {
	readonly name: string;
	readonly repositories: readonly RepositoryRef[];
	readonly trackers: readonly TrackerRef[];
	readonly lists: readonly ListRef[];
}

/** One of them. */
export type ProjectPart =
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef };

/** All of them, repositories first. */
export function partsOfProject({ repositories, trackers, lists }: Project): readonly ProjectPart[] {
	return [
		...repositories.map((ref): ProjectPart => ({ kind: 'repository', ref })),
		...trackers.map((ref): ProjectPart => ({ kind: 'tracker', ref })),
		...lists.map((ref): ProjectPart => ({ kind: 'list', ref })),
	];
}

/** Projects, as a forge's own service for them has them. */
export interface ProjectApi {
	/** All of somebody. */
	projectsOf(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]>;
}
