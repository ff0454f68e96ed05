import type { User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { Caller } from '../caller.ts';
import type { HookKind } from '../hooks.ts';
import type { PlaceCursors } from './placeCursors.ts';

/** One request to the repository service. */
export interface GitAsking extends Caller {
	readonly room: RepositoryRoom;
	readonly age: GraphqlAge;
	readonly cursors: PlaceCursors;
	/** Repositories by former name, `~owner/name`. */
	readonly formerNames: Map<string, Repository>;
	readonly hooks: GitHooks;
	/** Repository id of each opening field so far. */
	readonly opened: number[];
}

/** Webhooks of the repository service, by kind. */
export interface GitHooks {
	readonly user: HookKind<GitAsking, User>;
	readonly repository: HookKind<GitAsking, Repository>;
}
