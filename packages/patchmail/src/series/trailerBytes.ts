/** The patch of an earlier version that a person gave a trailer to. */
export interface EarlierPatch {
	readonly version: number;
	/** Number of its patchset. */
	readonly patchsetId: number;
	readonly index: number;
	readonly mailId: number;
}

/** The patch that a person gave a trailer to, compared with the patch that has the trailer now. */
export type TrailerBytes =
	/** The same patch, or an earlier one (`from`) with the same changes and blob ids. */
	| { readonly kind: 'these'; readonly mailId: number; readonly from: EarlierPatch | undefined }
	/** An earlier patch with the same changes. The rest of its files may differ, as after a rebase. */
	| { readonly kind: 'sameChanges'; readonly mailId: number; readonly from: EarlierPatch }
	/** Other changes. Without `from`, the person gave it to no similar patch of that version. */
	| {
			readonly kind: 'other';
			readonly mailId: number;
			readonly version: number;
			readonly from: EarlierPatch | undefined;
	  }
	/** `noMail`: no mail of the person has it. `notCompared`: a patch is unreadable, or git reads another one. */
	| { readonly kind: 'unknown'; readonly reason: 'noMail' | 'notCompared' };

/** The bytes of a trailer for one of its patches. */
export type TrailerBytesAt = TrailerBytes & { readonly index: number };
