import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { itemId, wholeNumber } from './pageValues.ts';
import type { PieceStart } from './pieceProtocol.ts';
import type { PatchsetPageStrings } from './patchsetStrings.ts';
import type { PatchsetChange } from './patchsetView.ts';

/** Cached data at opening. The page may appear much later. */
export type PatchsetPageStart = PieceStart<PatchsetPageStrings, PatchsetChange>;

/** Page buttons without arguments. */
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

export const patchsetParts = ['head', 'standing'] as const;
export type PatchsetPart = (typeof patchsetParts)[number];

/** Messages between the patchset page and the host. */
export interface PatchsetProtocol extends Protocol {
	readonly requests: {
		/** Sent by a new page. The response replaces everything it knew. */
		readonly load: { readonly in: undefined; readonly out: PatchsetChange };
		/** Retries a failed part. */
		readonly again: { readonly in: PatchsetPart; readonly out: undefined };
		readonly run: { readonly in: PatchsetAction; readonly out: undefined };
		/** Sets the status to a word that the host offered. */
		readonly setStatus: { readonly in: string; readonly out: undefined };
		readonly openFile: { readonly in: v.InferOutput<typeof chosenFile>; readonly out: undefined };
		/** Opens all files of one patch. */
		readonly openPatch: { readonly in: number; readonly out: undefined };
		/** Marks all files of a patch as viewed, or unmarks them if all are viewed. */
		readonly toggleViewed: { readonly in: number; readonly out: undefined };
		readonly showRaw: { readonly in: number; readonly out: undefined };
		/** Opens the thread at a mail. */
		readonly openMail: { readonly in: number; readonly out: undefined };
		/** Opens another patchset of the same list. */
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		/** This and the next two take the id of the other version. */
		readonly compareVersion: { readonly in: number; readonly out: undefined };
		readonly openVersionChanges: { readonly in: number; readonly out: undefined };
		readonly unlinkVersion: { readonly in: number; readonly out: undefined };
		/** Opens a person's page by address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
		/** A click on a link. The host applies the link policy. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** Embedded in the page itself. */
		readonly start: PatchsetPageStart;
		readonly changed: PatchsetChange;
	};
}

export const patchsetAction: v.GenericSchema<unknown, PatchsetAction> = v.picklist(patchsetActions);
export const patchsetPart: v.GenericSchema<unknown, PatchsetPart> = v.picklist(patchsetParts);

/** A status as the forge spells it. */
export const statusWord: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

/** A file of a patch, by mail id and index in the diff. */
export const chosenFile = v.strictObject({ mailId: itemId, fileIndex: wholeNumber });
