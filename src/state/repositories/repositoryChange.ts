import type { Commit, Reference, Repository, RepositoryRef } from '../../forge/repository.ts';
import type { PageRead } from '../shared/pageRead.ts';

/** What was read: what came since the request began is newer. `stamp` is the count of changes at that moment. */
export type RepositoryReading =
	| { readonly kind: 'ownRepositoriesRead'; readonly page: PageRead<Repository> }
	| {
			readonly kind: 'repositoryRead';
			readonly ref: RepositoryRef;
			readonly repository: Repository;
			readonly stamp: number;
	  }
	| NamesRead;

/** What the names of a repository lead to. */
export type NamesRead =
	| { readonly kind: 'referencesRead'; readonly ref: RepositoryRef; readonly page: PageRead<Reference> }
	| {
			readonly kind: 'logRead';
			readonly ref: RepositoryRef;
			readonly revision: string;
			readonly page: PageRead<Commit>;
	  };

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
