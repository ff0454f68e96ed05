import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { itemId, wholeNumber } from './pageValues.ts';
import type { ThreadPageStrings } from './threadStrings.ts';
import type { ThreadChange } from './threadView.ts';

/** How conversations are looked at; the same for all of them. */
export interface ThreadLook {
	readonly areLinesWrapped: boolean;
	readonly areQuotesOpen: boolean;
}

/** What the page starts with. */
export interface ThreadPageStart {
	/** Tells one start of a page from another; `load` says to which one it adds. */
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: ThreadPageStrings;
	readonly look: ThreadLook;
	/** What is different from the start that the page has; missing when nothing is. */
	readonly change: ThreadChange | undefined;
	/** Why the conversation could not be read, as a sentence. */
	readonly failure: string | undefined;
	/** The mail that somebody wants to see; missing once the page has been told. */
	readonly target: number | undefined;
}

/** A part of a mail: an attachment or a file of its diff; `undefined` is all of it. */
export interface MailPart {
	readonly mail: number;
	readonly part: number | undefined;
}

/** What of a mail is copied. */
export const copiedParts = ['messageId', 'link'] as const;
export type CopiedPart = (typeof copiedParts)[number];

/** Words between the thread page and the host. What changes is told by `changed`, before the request is answered. */
export interface ThreadProtocol extends Protocol {
	readonly requests: {
		/** `in`: number of the start that the page has already, 0 for none. */
		readonly load: { readonly in: number; readonly out: ThreadPageStart };
		/** Reads the conversation again after a failure. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		/** Reads a mail again after a failure. */
		readonly readAgain: { readonly in: number; readonly out: undefined };
		/** Reads a mail however large it is. */
		readonly readWhole: { readonly in: number; readonly out: undefined };
		readonly saveAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openDiff: { readonly in: MailPart; readonly out: undefined };
		readonly showRaw: { readonly in: MailPart; readonly out: undefined };
		readonly openDocument: { readonly in: number; readonly out: undefined };
		/** Shows what pulling would bring, of a mail that asks for it. */
		readonly openPullChanges: { readonly in: number; readonly out: undefined };
		/** Copies the command that fetches what such a mail asks to pull. */
		readonly copyFetchCommand: { readonly in: number; readonly out: undefined };
		/** Fetches it into a clone after a question. */
		readonly fetchPull: { readonly in: number; readonly out: undefined };
		/** By account or address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		readonly copy: { readonly in: { readonly mail: number; readonly what: CopiedPart }; readonly out: undefined };
		readonly openOnWeb: { readonly in: number; readonly out: undefined };
		/** The reply is written in the editor. */
		readonly reply: { readonly in: number; readonly out: undefined };
		/** Commands from the palette and keys act on this mail from now on. */
		readonly mark: { readonly in: number; readonly out: undefined };
		/** A mail to the list that answers none. */
		readonly newMail: { readonly in: undefined; readonly out: undefined };
		readonly keepLook: { readonly in: ThreadLook; readonly out: undefined };
		/** Opens a link that was clicked; the host decides whether and how. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** What is known when the page is opened; it comes with the page itself. */
		readonly start: ThreadPageStart;
		readonly changed: ThreadChange;
		/** What made loading fail may be over: the page starts anew. */
		readonly reload: undefined;
		/** Somebody wants to see this mail. */
		readonly goTo: number;
		/** Moves on to the next mail, or back. */
		readonly step: 'next' | 'previous';
	};
}

/** Names a part of a mail. */
export const mailPart: v.GenericSchema<unknown, MailPart> = v.pipe(
	v.strictObject({ mail: itemId, part: v.optional(wholeNumber) }),
	v.transform(({ mail, part }) => ({ mail, part })),
);

/** What `copy` may carry. */
export const copyWish: v.GenericSchema<unknown, { readonly mail: number; readonly what: CopiedPart }> = v.strictObject({
	mail: itemId,
	what: v.picklist(copiedParts),
});

/** How conversations are to be looked at from now on. */
export const threadLook: v.GenericSchema<unknown, ThreadLook> = v.strictObject({
	areLinesWrapped: v.boolean(),
	areQuotesOpen: v.boolean(),
});
