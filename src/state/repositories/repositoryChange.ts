import type { RepositoryRef } from '../../forge/repository.ts';

/** What changed, as narrowly as it is known. */
export type RepositoryStoreChange =
	/** Repositories came or went. */
	| { readonly kind: 'repositories' }
	| { readonly kind: 'renamed'; readonly from: RepositoryRef; readonly to: RepositoryRef }
	/** A repository itself, its references, or what they lead to. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** More commits of one revision are known. */
	| { readonly kind: 'log'; readonly ref: RepositoryRef; readonly revision: string };
