import type { MailContentView, PullView } from './mailView.ts';

/** State of a mail's text. `reason` is a sentence. */
export type MailTextView =
	| { readonly kind: 'reading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| { readonly kind: 'read'; readonly content: MailContentView; readonly pull: PullView | undefined };

/** A mail of a thread. Its texts have hidden characters made visible. */
export interface ThreadMailView {
	readonly id: number;
	/** Reply depth; 0 for the first mail. */
	readonly depth: number;
	/** Author of the answered mail; `undefined` for the first mail. */
	readonly answers: string | undefined;
	/** `~name`, if the forge knows one. */
	readonly account: string | undefined;
	/** Arrival time. */
	readonly atMs: number;
	/** `undefined` when equal to the thread's. */
	readonly subject: string | undefined;
	/** With angle brackets. */
	readonly messageId: string;
	readonly isNew: boolean;
	readonly text: MailTextView;
}

export interface ThreadPatchsetView {
	readonly id: number;
	readonly text: string;
}

/** A thread without its mails. */
export interface ThreadHeadView {
	readonly subject: string;
	/** `~alice/devel` */
	readonly list: string;
	/** Number of mails, as text. */
	readonly counts: string;
	readonly patchsets: readonly ThreadPatchsetView[];
	/** Sentence about the age of cached data; empty for fresh data. */
	readonly readBefore: string;
}

/** Changes of the mails, or their loading state; `reason` is a sentence. */
export type ThreadMailsChange =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'mails';
			/** True to replace all mails of the page. */
			readonly isWhole: boolean;
			/** All mail numbers in reading order; missing when unchanged. */
			readonly order: readonly number[] | undefined;
			/** New and changed mails. */
			readonly put: readonly ThreadMailView[];
			/** True when the next message continues this change. */
			readonly goesOn: boolean;
	  };

/** Changes since the last message. */
export interface ThreadChange {
	readonly head: ThreadHeadView | undefined;
	readonly mails: ThreadMailsChange | undefined;
}
