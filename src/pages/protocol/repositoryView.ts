import type { TextPiece } from './mailView.ts';

/** A part of a page with its own loading and error state. */
export type PartView<T> =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	/** Nothing to show. */
	| { readonly kind: 'hidden' }
	| { readonly kind: 'shown'; readonly value: T };

/** Repository data that needs no request; hidden characters are visible. */
export interface RepositoryHeadView {
	readonly title: string;
	/** `~alice` */
	readonly owner: string;
	/** `~alice/quill` */
	readonly reference: string;
	/** False after a refusal by the forge and before sign-in: disables all actions. */
	readonly isReadable: boolean;
	/** `undefined` while unreadable, and for names that git cannot take. */
	readonly clone: CloneView | undefined;
	/** True if git can run in this window. */
	readonly canClone: boolean;
}

/** Clone addresses; at least one. */
export interface CloneView {
	/** `https://git.forge.example/~alice/quill` */
	readonly readOnly?: string;
	/** `git@git.forge.example:~alice/quill` */
	readonly readWrite?: string;
}

/** Metadata from the forge. */
export interface AboutView {
	/** As a word. */
	readonly visibility: string;
	/** Safe HTML from the host; empty without a description, `undefined` while rendering. */
	readonly descriptionHtml: string | undefined;
	readonly updatedAtMs: number | undefined;
}

/** The README; `name` has hidden characters visible. */
export type ReadmeView =
	/** Safe HTML from the host. */
	| { readonly kind: 'markdown'; readonly name: string; readonly html: string }
	| { readonly kind: 'text'; readonly name: string; readonly pieces: readonly TextPiece[] }
	/** Why it is not shown here, as a sentence; it can still be opened. */
	| { readonly kind: 'unfit'; readonly name: string; readonly text: string };

/** A row of the latest commits. */
export interface CommitRowView {
	readonly id: string;
	readonly shortId: string;
	readonly title: string;
	readonly author: string;
	readonly atMs: number;
}

/** A branch or tag. */
export interface ReferenceRowView {
	/** Revision for requests to the host. */
	readonly revision: string;
	readonly name: string;
	readonly isDefault: boolean;
}

/** References of one kind. */
export interface ReferenceGroupView {
	readonly kind: 'branch' | 'tag' | 'other';
	readonly rows: readonly ReferenceRowView[];
	/** Number of references omitted from the rows. */
	readonly left: number;
}

export interface ReferencesView {
	/** Without empty groups. */
	readonly groups: readonly ReferenceGroupView[];
	/** True if unread references remain. */
	readonly isMore: boolean;
}

/** Changes since the last message. */
export interface RepositoryChange {
	readonly head?: RepositoryHeadView | undefined;
	/** Sentence about the age of cached data; empty for fresh data. */
	readonly readBefore?: string | undefined;
	readonly about?: PartView<AboutView> | undefined;
	readonly readme?: PartView<ReadmeView> | undefined;
	readonly commits?: PartView<readonly CommitRowView[]> | undefined;
	readonly references?: PartView<ReferencesView> | undefined;
	/** Commands for the first push, one per line; for an empty repository. */
	readonly push?: readonly string[] | undefined;
}
