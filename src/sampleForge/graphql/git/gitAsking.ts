import type { User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { GitHooks } from './gitHookBooks.ts';
import type { PlaceCursors } from './placeCursors.ts';

/** One request to the repository service. */
export interface GitAsking {
	readonly room: RepositoryRoom;
	/** The caller. */
	readonly user: User;
	readonly age: GraphqlAge;
	readonly cursors: PlaceCursors;
	/** Repositories by former name, `~owner/name`. */
	readonly formerNames: Map<string, Repository>;
	readonly hooks: GitHooks;
	/** Repository id of each opening field so far. */
	readonly opened: number[];
}
