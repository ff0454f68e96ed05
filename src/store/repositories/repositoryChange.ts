import type { Commit, Reference, Repository, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { PageRead } from '../shared/pageRead.ts';

/** A result of a read. `stamp` is the change counter at the start of the request; later changes win. */
export type RepositoryReading =
	| { readonly kind: 'ownRepositoriesRead'; readonly page: PageRead<Repository> }
	| {
			readonly kind: 'repositoryRead';
			readonly ref: RepositoryRef;
			readonly repository: Repository;
			readonly stamp: number;
	  }
	| NamesRead;

/** A page of references or of a log. */
export type NamesRead =
	| { readonly kind: 'referencesRead'; readonly ref: RepositoryRef; readonly page: PageRead<Reference> }
	| {
			readonly kind: 'logRead';
			readonly ref: RepositoryRef;
			readonly revision: string;
			readonly page: PageRead<Commit>;
	  };

/** Change events, as specific as possible. */
export type RepositoryStoreChange =
	/** Repositories added or removed. */
	| { readonly kind: 'repositories' }
	| { readonly kind: 'renamed'; readonly from: RepositoryRef; readonly to: RepositoryRef }
	| { readonly kind: 'deleted'; readonly ref: RepositoryRef }
	/** Metadata of a repository, or more of its references. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** Names have new targets or need another read; without `ref`, in all repositories. */
	| { readonly kind: 'moved'; readonly ref: RepositoryRef | undefined }
	/** More commits of one revision. */
	| { readonly kind: 'log'; readonly ref: RepositoryRef; readonly revision: string };
