import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { itemId, wholeNumber } from './pageValues.ts';
import type { EntryStart } from './pieceProtocol.ts';
import type { ThreadPageStrings } from './threadStrings.ts';
import type { ThreadChange } from './threadView.ts';

/** Initial data of the page. */
export interface ThreadPageStart extends EntryStart<ThreadChange> {
	readonly strings: ThreadPageStrings;
	readonly look: ThreadLook;
}

/** Messages between the thread page and the host. `changed` arrives before the response. */
export interface ThreadProtocol extends Protocol {
	readonly requests: {
		/** `in`: number of the page's current start, 0 for none. */
		readonly load: { readonly in: number; readonly out: ThreadPageStart };
		/** Retries a failed thread. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		/** Retries a failed mail. */
		readonly readAgain: { readonly in: number; readonly out: undefined };
		/** Reads a mail beyond the size limit. */
		readonly readWhole: { readonly in: number; readonly out: undefined };
		readonly saveAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openDiff: { readonly in: MailPart; readonly out: undefined };
		readonly showRaw: { readonly in: MailPart; readonly out: undefined };
		readonly openDocument: { readonly in: number; readonly out: undefined };
		/** Shows the changes of a pull request mail. */
		readonly openPullChanges: { readonly in: number; readonly out: undefined };
		/** Copies the fetch command of a pull request mail. */
		readonly copyFetchCommand: { readonly in: number; readonly out: undefined };
		/** Fetches it into a clone, after a confirmation. */
		readonly fetchPull: { readonly in: number; readonly out: undefined };
		/** By account or address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		readonly copy: { readonly in: v.InferOutput<typeof copyWish>; readonly out: undefined };
		readonly openOnWeb: { readonly in: number; readonly out: undefined };
		/** Opens a reply in an editor. */
		readonly reply: { readonly in: number; readonly out: undefined };
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
	};
}

/** An attachment, or a file of the mail's diff; without `part` the whole mail. */
export const mailPart = v.strictObject({ mail: itemId, part: v.optional(wholeNumber) });
export type MailPart = Readonly<v.InferOutput<typeof mailPart>>;

const copiedPart = v.picklist(['messageId', 'link']);
export type CopiedPart = v.InferOutput<typeof copiedPart>;

export const copyWish = v.strictObject({ mail: itemId, what: copiedPart });

/** Display options of all threads. */
export const threadLook = v.strictObject({ areLinesWrapped: v.boolean(), areQuotesOpen: v.boolean() });
export type ThreadLook = Readonly<v.InferOutput<typeof threadLook>>;
