import type { User } from '../shared/area.ts';
import type { State } from '../shared/state.ts';
import type { ObjectSource } from '../git/objectSource.ts';

export type Visibility = 'public' | 'unlisted' | 'private';

/** An uploaded file of a tag. */
export interface Artifact {
	/** Full name of the tag. */
	readonly ref: string;
	readonly filename: string;
	readonly createdMs: number;
	readonly content: Uint8Array;
}

export interface Repository {
	readonly id: number;
	readonly owner: User;
	name: string;
	description: string | null;
	visibility: Visibility;
	readonly createdMs: number;
	updatedMs: number;
	/** Others who may read although it is private, or write. */
	readonly access: Map<string, AccessMode>;
	/** HTML that takes the place of the rendered readme. */
	readme: string | null;
	readonly artifacts: readonly Artifact[];
	readonly source: ObjectSource;
	/** Its folder among the repositories. */
	readonly folder: string;
	/** Cached answers for trees by id; trees never change. */
	readonly treeAnswers: Map<string, string>;
}

export type AccessMode = 'ro' | 'rw';

export type NewRepository = Pick<Repository, 'owner' | 'name' | 'description' | 'visibility' | 'createdMs'> &
	Partial<Pick<Repository, 'updatedMs' | 'access' | 'artifacts'>>;

/** Object storage of a repository. */
export interface Storage {
	readonly source: ObjectSource;
	readonly folder: string;
}

/** Only enumerable fields are part of the state, and these two start anew with the process. */
function open(repository: Repository, source: ObjectSource): void {
	Object.defineProperties(repository, {
		source: { value: source, enumerable: false },
		treeAnswers: { value: new Map(), enumerable: false },
	});
}

/** The repositories of one life of the forge. Ids are never used twice. */
export type RepositoryStore = ReturnType<typeof createRepositoryStore>;

export function createRepositoryStore(state: State) {
	const kept = state.part('repositories', { all: [] as Repository[], lastId: 0 });
	const { all } = kept;
	return {
		/** Oldest first. */
		all,
		/** The name in this very case. */
		find: (owner: User, name: string) => all.find((each) => each.owner === owner && each.name === name),
		/** True if the name exists in any case. */
		taken: (owner: User, name: string, by?: Repository) =>
			all.some((each) => each !== by && each.owner === owner && each.name.toLowerCase() === name.toLowerCase()),
		nextId: () => ++kept.lastId,
		add(id: number, made: NewRepository, { source, folder }: Storage) {
			const { updatedMs = made.createdMs, access = new Map<string, AccessMode>(), artifacts = [] } = made;
			const repository: Repository = {
				...made,
				id,
				updatedMs,
				access,
				artifacts,
				readme: null,
				source,
				folder,
				treeAnswers: new Map(),
			};
			open(repository, source);
			all.push(repository);
			return repository;
		},
		/** After a restart. */
		open,
		remove(repository: Repository) {
			all.splice(all.indexOf(repository), 1);
		},
	};
}
