import type { ListRef, PatchsetRef } from '../../forge/list.ts';

/** What changed, as narrowly as it is known. */
export type ListStoreChange =
	/** Lists came or went, or what ties the account to them changed. */
	| { readonly kind: 'lists' }
	/** A list itself. */
	| { readonly kind: 'list'; readonly list: ListRef }
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly patchset: PatchsetRef }
	| { readonly kind: 'posts'; readonly list: ListRef }
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number };
