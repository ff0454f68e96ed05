import type { MailStrings } from './mailStrings.ts';
import type { FileStatView } from './mailView.ts';

type ByChange = Readonly<Record<FileStatView['change'], string>>;

/** Fixed texts of the page in the editor's language. */
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
	/** `{0}`: date. */
	readonly sent: string;
	/** `{0}`: date. */
	readonly updated: string;
	/** Heading of tool messages. */
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
	/** Heading of unsent drafts. */
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
	/** `{0}`: number of files. */
	readonly severalFiles: string;
	/** `{0}`: number of further files. */
	readonly moreFiles: string;
	readonly openDiff: string;
	readonly showRaw: string;
	/** Label of the pressed button of a viewed patch. */
	readonly viewed: string;
	readonly message: string;
	readonly notes: string;
	readonly applied: string;
	/** One letter per kind of change. */
	readonly letters: ByChange;
	/** The same as words. */
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
