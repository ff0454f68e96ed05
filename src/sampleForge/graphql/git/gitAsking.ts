import type { User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { GitHooks } from './gitHookBooks.ts';
import type { PlaceCursors } from './placeCursors.ts';

/** One request to the repository service. */
export interface GitAsking {
	readonly room: RepositoryRoom;
	/** Who asks. */
	readonly user: User;
	readonly age: GraphqlAge;
	readonly cursors: PlaceCursors;
	/** Names that repositories had before, as `~owner/name`. */
	readonly formerNames: Map<string, Repository>;
	readonly hooks: GitHooks;
	/** The repository of each field so far that opened one, by its id. */
	readonly opened: number[];
}
