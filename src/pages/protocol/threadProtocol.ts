import * as v from 'valibot';
import { mailsStrings, type MailsRequests, type ReplyView, type ThreadMailsChange } from './mailsProtocol.ts';
import type { EntryStart, L10n, Protocol } from './pageProtocol.ts';

/** Initial data of the page. */
export interface ThreadPageStart extends EntryStart<ThreadChange> {
	readonly strings: ThreadPageStrings;
	readonly look: ThreadLook;
}

/** Messages between the thread page and the host. `changed` arrives before the response. */
export interface ThreadProtocol extends Protocol {
	readonly requests: MailsRequests & {
		/** `in`: number of the page's current start, 0 for none. */
		readonly load: { readonly in: number; readonly out: ThreadPageStart };
		/** Retries a failed thread. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		/** Makes this mail the target of palette commands and keys. */
		readonly mark: { readonly in: number; readonly out: undefined };
		/** Opens a new mail to the list. */
		readonly newMail: { readonly in: undefined; readonly out: undefined };
		readonly keepLook: { readonly in: ThreadLook; readonly out: undefined };
		/** A click on a link. The host applies the link policy. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** Embedded in the page itself. */
		readonly start: ThreadPageStart;
		readonly changed: ThreadChange;
		/** Loading may succeed now: the page starts over. */
		readonly reload: undefined;
		/** Scrolls to this mail. */
		readonly goTo: number;
		/** Moves to the next or previous mail. */
		readonly step: 'next' | 'previous';
		/** Opens the reply box of the mail in front. */
		readonly reply: undefined;
	};
}

/** Display options of all threads. */
export const threadLook = v.strictObject({ areLinesWrapped: v.boolean(), areQuotesOpen: v.boolean() });
export type ThreadLook = Readonly<v.InferOutput<typeof threadLook>>;

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

/** Changes since the last message. */
export interface ThreadChange {
	readonly head: ThreadHeadView | undefined;
	readonly mails: ThreadMailsChange | undefined;
	/** All drafts of replies to its mails. */
	readonly replies?: readonly ReplyView[] | undefined;
}

/** Fixed texts of the page. */
export function threadStrings(l10n: L10n) {
	return {
		...mailsStrings(l10n),
		tools: l10n.t('Reading options'),
		wrap: l10n.t('Wrap lines'),
		unfoldQuotes: l10n.t('Unfold quotes'),
		nextMail: l10n.t('Next Message'),
		previousMail: l10n.t('Previous Message'),
		newMail: l10n.t('New Message to List…'),
	};
}

export type ThreadPageStrings = ReturnType<typeof threadStrings>;
