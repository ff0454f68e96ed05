import type { MailStrings } from './mailStrings.ts';
import type { FileStatView } from './mailView.ts';

type ByChange = Readonly<Record<FileStatView['change'], string>>;

/** Every text of the page that does not depend on the patchset, in the language of the editor. */
export interface PatchsetPageStrings {
	readonly mail: MailStrings;
	readonly copyReference: string;
	readonly copied: string;
	readonly setStatus: string;
	readonly versions: string;
	readonly linkVersion: string;
	readonly unlinkVersion: string;
	readonly compareVersion: string;
	readonly versionChanges: string;
	readonly changesSinceReview: string;
	readonly thisVersion: string;
	/** With `{0}` for when. */
	readonly sent: string;
	/** With `{0}` for when. */
	readonly updated: string;
	/** What tools say of the patchset. */
	readonly tools: string;
	readonly openDiffs: string;
	readonly openThread: string;
	readonly save: string;
	readonly copyCommand: string;
	readonly checkApplies: string;
	readonly apply: string;
	readonly more: string;
	readonly copyLink: string;
	readonly copyMessageId: string;
	readonly previewReview: string;
	readonly sendReview: string;
	readonly discardReview: string;
	/** Of what is written and not sent. */
	readonly review: string;
	readonly openOnWeb: string;
	readonly suggestions: string;
	readonly showEvidence: string;
	readonly health: string;
	readonly showMail: string;
	readonly coverLetter: string;
	readonly summary: string;
	readonly patches: string;
	readonly noPatches: string;
	readonly oneFile: string;
	/** With `{0}` for how many. */
	readonly severalFiles: string;
	/** With `{0}` for how many. */
	readonly moreFiles: string;
	readonly openDiff: string;
	readonly showRaw: string;
	/** On a button that is pressed for a patch that is viewed. */
	readonly viewed: string;
	readonly message: string;
	readonly notes: string;
	readonly applied: string;
	/** What stands for a change where there is room for one letter. */
	readonly letters: ByChange;
	/** The same in words. */
	readonly changes: ByChange;
	readonly trailers: string;
	readonly trailer: string;
	readonly person: string;
	readonly forPatches: string;
	readonly standing: string;
	readonly tickets: string;
	readonly ofUnknown: string;
	readonly loading: string;
	readonly tryAgain: string;
}
