import type { TextPiece } from './mailView.ts';

/** A part of a page that loads and fails on its own. */
export type PartView<T> =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	/** There is nothing of the kind, and nothing to say about that. */
	| { readonly kind: 'hidden' }
	| { readonly kind: 'shown'; readonly value: T };

/** What is known of a repository without asking; all texts visible. */
export interface RepositoryHeadView {
	readonly title: string;
	/** `~alice` */
	readonly owner: string;
	/** `~alice/quill` */
	readonly reference: string;
	/** False once the forge would not show it, and while the account is not there: nothing can be done with it then. */
	readonly isReadable: boolean;
	/** `undefined` while it cannot be read, and when git cannot be handed its name. */
	readonly clone: CloneView | undefined;
	/** Whether git may be run in this window, so that cloning can be offered. */
	readonly canClone: boolean;
}

/** Where git finds the repository; one way at least. */
export interface CloneView {
	/** `https://git.forge.example/~alice/quill` */
	readonly readOnly?: string;
	/** `git@git.forge.example:~alice/quill` */
	readonly readWrite?: string;
}

/** What the forge tells of a repository. */
export interface AboutView {
	/** In a word. */
	readonly visibility: string;
	/** Safe HTML made by the host; empty when there is none, `undefined` while it is being made. */
	readonly descriptionHtml: string | undefined;
	readonly updatedAtMs: number | undefined;
}

/** The file that says what the repository is; `name` as visible text. */
export type ReadmeView =
	/** Safe HTML made by the host. */
	| { readonly kind: 'markdown'; readonly name: string; readonly html: string }
	| { readonly kind: 'text'; readonly name: string; readonly pieces: readonly TextPiece[] }
	/** Why it is not shown here, as a sentence; it can be opened all the same. */
	| { readonly kind: 'unfit'; readonly name: string; readonly text: string };

/** A commit among the latest ones. */
export interface CommitRowView {
	readonly id: string;
	readonly shortId: string;
	readonly title: string;
	readonly author: string;
	readonly atMs: number;
}

/** A branch or tag. */
export interface ReferenceRowView {
	/** As the host is asked for it. */
	readonly revision: string;
	readonly name: string;
	readonly isDefault: boolean;
}

/** References of one kind. */
export interface ReferenceGroupView {
	readonly kind: 'branch' | 'tag' | 'other';
	readonly rows: readonly ReferenceRowView[];
	/** How many there are beyond the rows. */
	readonly left: number;
}

export interface ReferencesView {
	/** Empty groups are left out. */
	readonly groups: readonly ReferenceGroupView[];
	/** There are more that were not read. */
	readonly isMore: boolean;
}

/** What is different from what the page was told before. */
export interface RepositoryChange {
	readonly head?: RepositoryHeadView | undefined;
	/** Of when the page is, where it is shown as another window read it; empty for what was read in this one. */
	readonly readBefore?: string | undefined;
	readonly about?: PartView<AboutView> | undefined;
	readonly readme?: PartView<ReadmeView> | undefined;
	readonly commits?: PartView<readonly CommitRowView[]> | undefined;
	readonly references?: PartView<ReferencesView> | undefined;
	/** Nothing was ever pushed to it; the lines say how that is done, one command each. */
	readonly push?: readonly string[] | undefined;
}
