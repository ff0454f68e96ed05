import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { itemId, wholeNumber } from './pageValues.ts';
import type { PatchsetPageStrings } from './patchsetStrings.ts';
import type { PatchsetChange } from './patchsetView.ts';

/** What the page starts with. */
export interface PatchsetPageStart {
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: PatchsetPageStrings;
	/** What was known when the page was opened; the page may be shown much later. */
	readonly change: PatchsetChange;
}

/** What the page's buttons do that need no more said. */
export const patchsetActions = [
	'openThread',
	'openDiffs',
	'save',
	'copyCommand',
	'checkApplies',
	'apply',
	'copyLink',
	'copyMessageId',
	'copyReference',
	'openOnWeb',
	'linkVersion',
	'previewReview',
	'sendReview',
	'discardReview',
] as const;
export type PatchsetAction = (typeof patchsetActions)[number];

/** A file of a patch, by the patch's mail and its place in the diff. */
export interface ChosenFile {
	readonly mailId: number;
	readonly fileIndex: number;
}

export const patchsetParts = ['head', 'standing'] as const;
export type PatchsetPart = (typeof patchsetParts)[number];

/** Words between the patchset page and the host. */
export interface PatchsetProtocol extends Protocol {
	readonly requests: {
		/** The page is there: what it knew is void, and everything is told from here. */
		readonly load: { readonly in: undefined; readonly out: PatchsetChange };
		/** Reads a part again after a failure. */
		readonly again: { readonly in: PatchsetPart; readonly out: undefined };
		readonly run: { readonly in: PatchsetAction; readonly out: undefined };
		/** Sets the status; the word is one that the page was offered. */
		readonly setStatus: { readonly in: string; readonly out: undefined };
		readonly openFile: { readonly in: ChosenFile; readonly out: undefined };
		/** All files of one patch. */
		readonly openPatch: { readonly in: number; readonly out: undefined };
		/** Marks all files of a patch as viewed, or as not viewed where all are. */
		readonly toggleViewed: { readonly in: number; readonly out: undefined };
		readonly showRaw: { readonly in: number; readonly out: undefined };
		/** Opens the conversation at a mail. */
		readonly openMail: { readonly in: number; readonly out: undefined };
		/** Opens another patchset of the same list. */
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		/** Both are handed the number of the other version. */
		readonly compareVersion: { readonly in: number; readonly out: undefined };
		readonly openVersionChanges: { readonly in: number; readonly out: undefined };
		readonly unlinkVersion: { readonly in: number; readonly out: undefined };
		/** Opens somebody's page, by address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
		/** Opens a link that was clicked; the host decides whether and how. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** What is known when the page is opened; it comes with the page itself. */
		readonly start: PatchsetPageStart;
		readonly changed: PatchsetChange;
	};
}

/** One of the page's buttons. */
export const patchsetAction: v.GenericSchema<unknown, PatchsetAction> = v.picklist(patchsetActions);
/** Which part. */
export const patchsetPart: v.GenericSchema<unknown, PatchsetPart> = v.picklist(patchsetParts);

/** A status as the forge spells it. */
export const statusWord: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

/** A file of a patch. */
export const chosenFile: v.GenericSchema<unknown, ChosenFile> = v.strictObject({
	mailId: itemId,
	fileIndex: wholeNumber,
});
