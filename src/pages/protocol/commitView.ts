import type { MailPersonView, TextPiece } from './mailView.ts';

/** A trailer: `Reviewed-by: Bob <bob@forge.test>`. */
export interface CommitTrailerView {
	readonly key: string;
	/** The named person, if any. */
	readonly person: MailPersonView | undefined;
	/** Other content. */
	readonly pieces: readonly TextPiece[];
}

/** State of a signature, as text. */
export interface SignatureView {
	readonly text: string;
	/** `good` only after verification by the user's own program. */
	readonly tone: 'none' | 'good' | 'bad';
}

/** Metadata of a commit; hidden characters are visible. */
export interface CommitHeadView {
	readonly title: readonly TextPiece[];
	/** The message without title and trailers. */
	readonly body: readonly TextPiece[];
	readonly trailers: readonly CommitTrailerView[];
	readonly author: MailPersonView;
	/** `undefined` when equal to the author. */
	readonly committer: MailPersonView | undefined;
	readonly atMs: number;
	readonly id: string;
	readonly tree: string;
	/** Full ids, in order. */
	readonly parents: readonly string[];
	readonly signature: SignatureView;
}

/** A changed file. */
export interface ChangedFileView {
	/** Unique on the page. */
	readonly key: number;
	readonly kind: 'added' | 'deleted' | 'modified' | 'typeChanged' | 'renamed';
	readonly path: string;
	/** Path before the rename. */
	readonly from: string | undefined;
	/** Mode change or special type; empty for most files. */
	readonly facts: string;
}

/** Changed files against one parent. */
export type FilesView =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'files';
			/** `12 files changed` */
			readonly summary: string;
			readonly files: readonly ChangedFileView[];
			/** Notes about omitted files, one sentence each. */
			readonly remarks: readonly string[];
	  };

/** Changes since the last message. */
export interface CommitChange {
	readonly head?:
		| { readonly kind: 'loading' }
		| { readonly kind: 'failed'; readonly reason: string }
		| { readonly kind: 'shown'; readonly value: CommitHeadView }
		| undefined;
	readonly files?: { readonly parent: number; readonly view: FilesView } | undefined;
	/** Truncated titles of the parents, in order; empty for unread ones. */
	readonly parentTitles?: readonly string[] | undefined;
	/** `~alice/quill`, which links to the repository. */
	readonly repository?: string | undefined;
}
