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

/** Projects, as a forge's own service for them has them. */
export interface ProjectApi {
	/** All of somebody. */
	projectsOf(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]>;
}
