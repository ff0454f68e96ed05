import type { MailPersonView, TextPiece } from './mailView.ts';

/** A line of a commit's message that a program could read: `Reviewed-by: Bob <bob@forge.test>`. */
export interface CommitTrailerView {
	readonly key: string;
	/** Whom it names, where it names somebody. */
	readonly person: MailPersonView | undefined;
	/** What it says otherwise. */
	readonly pieces: readonly TextPiece[];
}

/** What is known of a signature, in words. */
export interface SignatureView {
	readonly text: string;
	/** `good` only when a program of the user's own said so. */
	readonly tone: 'none' | 'good' | 'bad';
}

/** What a commit says of itself; all texts visible. */
export interface CommitHeadView {
	readonly title: readonly TextPiece[];
	/** The message without its first line and its trailers. */
	readonly body: readonly TextPiece[];
	readonly trailers: readonly CommitTrailerView[];
	readonly author: MailPersonView;
	/** `undefined` where it is the author. */
	readonly committer: MailPersonView | undefined;
	readonly atMs: number;
	readonly id: string;
	readonly tree: string;
	/** Full ids, in their order. */
	readonly parents: readonly string[];
	readonly signature: SignatureView;
}

/** What a commit does to one file. */
export interface ChangedFileView {
	/** Names the file among those of the page. */
	readonly key: number;
	readonly kind: 'added' | 'deleted' | 'modified' | 'typeChanged' | 'renamed';
	readonly path: string;
	/** Where it was before it was renamed. */
	readonly from: string | undefined;
	/** Another mode, or that it is no plain file; empty for most. */
	readonly facts: string;
}

/** The files that a commit changes, against one of its parents. */
export type FilesView =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'files';
			/** `12 files changed` */
			readonly summary: string;
			readonly files: readonly ChangedFileView[];
			/** What is not listed, one sentence each. */
			readonly remarks: readonly string[];
	  };

/** What is different from what the page was told before. */
export interface CommitChange {
	readonly head?:
		| { readonly kind: 'loading' }
		| { readonly kind: 'failed'; readonly reason: string }
		| { readonly kind: 'shown'; readonly value: CommitHeadView }
		| undefined;
	readonly files?: { readonly parent: number; readonly view: FilesView } | undefined;
	/** First lines of the parents' messages, cut short, in their order; empty for those that nobody has read. */
	readonly parentTitles?: readonly string[] | undefined;
	/** `~alice/quill`, and what leads there. */
	readonly repository?: string | undefined;
}
