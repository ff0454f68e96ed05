import type { MailContentView, PullView } from './mailView.ts';

/** What there is of a mail's text. `reason` is a sentence. */
export type MailTextView =
	| { readonly kind: 'reading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| { readonly kind: 'read'; readonly content: MailContentView; readonly pull: PullView | undefined };

/** One mail of a conversation. Text in it is visible text. */
export interface ThreadMailView {
	readonly id: number;
	/** How many answers lie between it and the beginning: 0 for the first mail. */
	readonly depth: number;
	/** Who wrote what it answers; `undefined` for the first mail. */
	readonly answers: string | undefined;
	/** `~name`, where the forge knows one. */
	readonly account: string | undefined;
	/** When it arrived. */
	readonly atMs: number;
	/** Where it is not the conversation's own. */
	readonly subject: string | undefined;
	/** With angle brackets. */
	readonly messageId: string;
	readonly isNew: boolean;
	readonly text: MailTextView;
}

/** A patchset of the conversation. */
export interface ThreadPatchsetView {
	readonly id: number;
	readonly text: string;
}

/** All of a conversation but its mails. */
export interface ThreadHeadView {
	readonly subject: string;
	/** `~alice/devel` */
	readonly list: string;
	/** How many mails there are, in words. */
	readonly counts: string;
	readonly patchsets: readonly ThreadPatchsetView[];
	/** Of when all of it is, as a sentence; empty where that is now. */
	readonly readBefore: string;
}

/** What changed in the mails. They may still be on their way or have failed; `reason` is a sentence. */
export type ThreadMailsChange =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'mails';
			/** True when what the page had before is void. */
			readonly isWhole: boolean;
			/** Numbers of all mails in the order in which they are read; missing when it is the one told before. */
			readonly order: readonly number[] | undefined;
			/** New mails, and others as they are now. */
			readonly put: readonly ThreadMailView[];
			/** True when more of the same change follows at once. */
			readonly goesOn: boolean;
	  };

/** What is different from what the page was told before. */
export interface ThreadChange {
	readonly head: ThreadHeadView | undefined;
	readonly mails: ThreadMailsChange | undefined;
}
