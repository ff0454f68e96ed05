import type { Repository, RepositoryRef } from '../../forge/repository.ts';

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type RepositoryNews =
	| { readonly kind: 'repositoryCreated'; readonly ref: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryChanged'; readonly ref: RepositoryRef; readonly repository: Repository }
	/** `repository` has its new name; everything that is known of the old one is known of it. */
	| { readonly kind: 'repositoryRenamed'; readonly from: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryDeleted'; readonly ref: RepositoryRef }
	/** Something was pushed: names lead elsewhere now. What is open stays where it is. */
	| { readonly kind: 'referencesMoved'; readonly ref: RepositoryRef };

/** What changed, as narrowly as it is known. */
export type RepositoryStoreChange =
	/** Repositories came or went. */
	| { readonly kind: 'repositories' }
	| { readonly kind: 'renamed'; readonly from: RepositoryRef; readonly to: RepositoryRef }
	/** A repository itself, its references, or what they lead to. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** More commits of one revision are known. */
	| { readonly kind: 'log'; readonly ref: RepositoryRef; readonly revision: string };
