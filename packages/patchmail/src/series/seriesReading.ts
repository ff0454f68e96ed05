import type { MailPerson, MailReading, RawReason } from '../mail/readableMail.ts';
import type { Damage, ParsedDiff } from '../patch/fileDiff.ts';
import type { TrailerBytesAt } from './trailerBytes.ts';

/** A mail in a series: the forge's data and the parsed content. */
export interface SeriesMail {
	readonly id: number;
	/** With angle brackets. */
	readonly messageId: string;
	readonly parentId: number | undefined;
	readonly createdMs: number;
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	/** Patchset number, from the forge. */
	readonly patchsetId?: number | undefined;
	readonly reading: MailReading;
}

/** A diff with its text. Offsets refer to that text. */
export interface DiffInText {
	readonly diff: ParsedDiff;
	readonly diffText: string;
}

/** The parts of a patch mail by the rules of `git mailinfo` and `git am`. */
export interface PatchMail {
	/** Commit author: the `From:` line at the head of the text, else the sender. */
	readonly author: MailPerson | undefined;
	/** Subject without brackets, or the `Subject:` line at the head of the text. */
	readonly subject: string;
	/** Commit message below its subject, with trailers; LF, no blank lines at the ends. */
	readonly message: string;
	/** The message that git would commit, if different. */
	readonly gitMessage: string | undefined;
	/** Text between `---` and the diff, with statistics. */
	readonly commentary: string;
	readonly diff: ParsedDiff;
	/** The text for the diff's offsets: the mail body, attached patches, or both in turn. */
	readonly diffText: string;
	/** The diff that git applies, if different from the shown one. */
	readonly gitDiff: DiffInText | undefined;
	/** The diff that git applies in bytes, one character each. Its files are those of `gitDiff`, else those of `diff`. */
	readonly bytes: DiffInText;
	/** Declared charset of the patch; may be empty. */
	readonly charset: string;
	/** `base-commit:` as written. */
	readonly baseCommit: string | undefined;
	readonly prerequisites: readonly string[];
}

export interface SeriesPatch {
	readonly mail: SeriesMail;
	readonly patch: PatchMail;
	/** From 1. Without a number in the subject, the place in the series. */
	readonly index: number;
	/** The earlier version that sent the patch, if this version keeps it. */
	readonly keptFrom?: number | undefined;
}

/** Problems that the sender of a series would want to know. */
export type SeriesProblem =
	| { readonly kind: 'missingParts'; readonly indexes: readonly number[]; readonly count: number }
	/** `isLast`: the last of the equal titles counts, not the first. */
	| { readonly kind: 'repeatedPart'; readonly index: number; readonly isLast: boolean }
	/** Patches of the sender in the thread that belong to no patchset. */
	| { readonly kind: 'leftOut'; readonly count: number }
	/** The version has these patches from earlier ones, which sent them last. */
	| { readonly kind: 'keptPatches'; readonly indexes: readonly number[]; readonly version: number }
	/** The title asks to join the patch with another one. */
	| { readonly kind: 'fixup'; readonly index: number }
	/** The order of arrival differs from the numbers. */
	| { readonly kind: 'wrongOrder' }
	| { readonly kind: 'wrappedLines'; readonly mailId: number; readonly line: string }
	/** Other damage of a diff. */
	| {
			readonly kind: 'damaged';
			readonly mailId: number;
			readonly path: string | undefined;
			readonly damage: Damage['kind'];
	  }
	/** The server lost bytes outside UTF-8. */
	| { readonly kind: 'lostBytes'; readonly mailId: number }
	/** Names lack `a/` and `b/`, so git needs `-p0`. */
	| { readonly kind: 'noPrefix'; readonly mailId: number }
	/** The mail is unreadable, so git may apply an unseen diff. `index` 0: the cover letter. */
	| { readonly kind: 'shownRaw'; readonly mailId: number; readonly index: number; readonly reason: RawReason }
	/** A reply is unreadable, so trailers may be missing. */
	| { readonly kind: 'rawReply'; readonly mailId: number }
	| { readonly kind: 'flowed'; readonly mailId: number }
	/** Programs may read the mail differently. `isOtherPatch`: git certainly applies another patch. */
	| { readonly kind: 'inDoubt'; readonly mailId: number; readonly isOtherPatch: boolean }
	| { readonly kind: 'noDiff'; readonly mailId: number }
	/** The prefix is unusual for the list, or its words are in the wrong order. */
	| { readonly kind: 'wrongPrefix'; readonly written: string; readonly usual: string | undefined }
	/** At least a part of the patch is an attachment. The forge ignores those. */
	| { readonly kind: 'attachedPatch'; readonly mailId: number };

export interface SeriesReading {
	readonly cover: SeriesMail | undefined;
	/** By index in the subject, not by arrival. */
	readonly patches: readonly SeriesPatch[];
	/** The announced number of patches. */
	readonly count: number;
	readonly problems: readonly SeriesProblem[];
	readonly stat: { readonly files: number; readonly added: number; readonly removed: number };
}

/** Sender of a mail and the person of a trailer in it, both certain, with different addresses. */
export interface SecondAddress {
	readonly sender: MailPerson;
	readonly named: MailPerson;
}

/** A trailer for a patch or the whole series. */
export interface GivenTrailer {
	/** In the usual spelling: `Reviewed-by`. */
	readonly key: string;
	/** `Name <address>` as written. */
	readonly value: string;
	readonly person: MailPerson;
	/** Source of the trailer. */
	readonly mailId: number;
	/** The sentence above it that makes it depend on a change. */
	readonly condition?: string;
	/** A reply to other patches gives it to the whole series. */
	readonly isForSeries?: true | undefined;
	/** Indexes of its patches: all of them for a reply to the cover letter. */
	readonly patchIndexes: readonly number[];
	/** Already part of the patch. */
	readonly isInPatch: boolean;
	/** The sender's address differs from the trailer's. */
	readonly isForOther: boolean;
	/** Reason of `isForOther`, if both people are certain: they may be one. */
	readonly second?: SecondAddress | undefined;
	/** Visible only in the message that git would commit. */
	readonly isOnlyToGit: boolean;
	/** The version whose reply gave it, to patches that did not change since; `undefined` for this version. */
	readonly earlierVersion?: number;
	/** For each patch, once earlier versions were read. */
	readonly bytes?: readonly TrailerBytesAt[];
}

/** A request to pull a branch. */
export interface PullRequestMail {
	/** Address of the repository as written; hostile until checked. */
	readonly repository: string;
	readonly reference: string | undefined;
	readonly since: string | undefined;
	/** Expected last commit of the branch. */
	readonly upTo: string | undefined;
}

/** A ticket in a mail. Owner and tracker may be missing. */
export interface NamedTicket {
	readonly owner: string | undefined;
	readonly name: string | undefined;
	readonly id: number;
	/** Key of the trailer, such as `Fixes`. */
	readonly trailer: string | undefined;
	readonly mailId: number;
}
