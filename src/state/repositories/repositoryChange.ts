import type { Repository, RepositoryRef } from '../../forge/repository.ts';

/** A repository that was read: what came since the request began, by the count of changes, is newer. */
export interface RepositoryRead {
	readonly kind: 'repositoryRead';
	readonly ref: RepositoryRef;
	readonly repository: Repository;
	readonly stamp: number;
}

/** What is different, as narrowly as it is known. */
export type RepositoryStoreChange =
	/** Repositories came or went. */
	| { readonly kind: 'repositories' }
	| { readonly kind: 'renamed'; readonly from: RepositoryRef; readonly to: RepositoryRef }
	| { readonly kind: 'deleted'; readonly ref: RepositoryRef }
	/** A repository itself, or more of its references are known. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** Names lead elsewhere, or have to be asked for anew; those of all repositories without `ref`. */
	| { readonly kind: 'moved'; readonly ref: RepositoryRef | undefined }
	/** More commits of one revision are known. */
	| { readonly kind: 'log'; readonly ref: RepositoryRef; readonly revision: string };
