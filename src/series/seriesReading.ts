import type { MailPerson, MailReading, RawReason } from '../mail/readableMail.ts';
import type { Damage, ParsedDiff } from '../patch/fileDiff.ts';

/** A mail as series are made of them: what the forge says of it, and what it says itself. */
export interface SeriesMail {
	readonly id: number;
	/** With angle brackets. */
	readonly messageId: string;
	readonly parentId: number | undefined;
	readonly createdMs: number;
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	/** Number of its patchset, where the forge tells it. */
	readonly patchsetId?: number | undefined;
	readonly reading: MailReading;
}

/** A diff and the text that its offsets point into. */
export interface DiffInText {
	readonly diff: ParsedDiff;
	readonly diffText: string;
}

/** The parts of a patch mail, as `git mailinfo` and `git am` tell them apart. */
export interface PatchMail {
	/** The author of the commit: the line `From:` at the head of the text, else the sender. */
	readonly author: MailPerson | undefined;
	/** The subject without its brackets, or the line `Subject:` at the head of the text. */
	readonly subject: string;
	/** The commit's message below its subject, trailers included; LF, no blank lines at its ends. */
	readonly message: string;
	/** The message that git would commit, where that is another one. */
	readonly gitMessage: string | undefined;
	/** What stands below `---` and above the diff, statistics included. */
	readonly commentary: string;
	readonly diff: ParsedDiff;
	/** The text that the diff's offsets point into: the mail's body, attached patches, or both in turn. */
	readonly diffText: string;
	/** What git applies, where that is not the diff that is shown. */
	readonly gitDiff: DiffInText | undefined;
	/** What git applies, in bytes, one character for each. Its files are those of `gitDiff`, else those of `diff`. */
	readonly bytes: DiffInText;
	/** The charset that the mail declares for the patch; empty when none is declared. */
	readonly charset: string;
	/** `base-commit:` as written. */
	readonly baseCommit: string | undefined;
	readonly prerequisites: readonly string[];
}

/** One patch of a series. */
export interface SeriesPatch {
	readonly mail: SeriesMail;
	readonly patch: PatchMail;
	/** From 1; the place in the series where the subject numbers none. */
	readonly index: number;
}

/** What is wrong with a series; each is something that its sender would want to know. */
export type SeriesProblem =
	| { readonly kind: 'missingPart'; readonly index: number; readonly count: number }
	| { readonly kind: 'repeatedPart'; readonly index: number }
	/** The mails came in another order than their subjects say. */
	| { readonly kind: 'wrongOrder' }
	| { readonly kind: 'wrappedLines'; readonly mailId: number; readonly line: string }
	/** The diff of a mail is damaged in another way. */
	| {
			readonly kind: 'damaged';
			readonly mailId: number;
			readonly path: string | undefined;
			readonly damage: Damage['kind'];
	  }
	/** The server lost bytes of the patch that are no UTF-8. */
	| { readonly kind: 'lostBytes'; readonly mailId: number }
	/** The names have no `a/` and `b/`: git needs the option `-p0`. */
	| { readonly kind: 'noPrefix'; readonly mailId: number }
	/** Nothing of the mail was read, so git may apply a diff that nobody saw. `index` 0 is the cover letter. */
	| { readonly kind: 'shownRaw'; readonly mailId: number; readonly index: number; readonly reason: RawReason }
	/** A reply was not read, so trailers may be missing. */
	| { readonly kind: 'rawReply'; readonly mailId: number }
	| { readonly kind: 'flowed'; readonly mailId: number }
	/** Programs may read the mail differently; `isOtherPatch` where git certainly applies something else than is shown. */
	| { readonly kind: 'inDoubt'; readonly mailId: number; readonly isOtherPatch: boolean }
	| { readonly kind: 'noDiff'; readonly mailId: number }
	/** The prefix is not the one that the other patchsets of the list have, or the words stand in the wrong order. */
	| { readonly kind: 'wrongPrefix'; readonly written: string; readonly usual: string | undefined }
	/** A patch that came, or part of which came, as an attachment, which the forge does not see. */
	| { readonly kind: 'attachedPatch'; readonly mailId: number };

/** A series, read. */
export interface SeriesReading {
	readonly cover: SeriesMail | undefined;
	/** By the index that their subjects state, whatever order they came in. */
	readonly patches: readonly SeriesPatch[];
	/** How many patches the subjects announce. */
	readonly count: number;
	readonly problems: readonly SeriesProblem[];
	readonly stat: { readonly files: number; readonly added: number; readonly removed: number };
}

/** A trailer that somebody gave to a patch or to the whole series. */
export interface GivenTrailer {
	/** As usually written: `Reviewed-by`. */
	readonly key: string;
	/** `Name <address>` as written. */
	readonly value: string;
	readonly person: MailPerson;
	/** The mail that it stands in. */
	readonly mailId: number;
	/** Numbers of the patches that it counts for: all of them when it answers the cover letter. */
	readonly patchIndexes: readonly number[];
	/** Stands in the patch itself already. */
	readonly isInPatch: boolean;
	/** The mail comes from another address than the trailer names. */
	readonly isForOther: boolean;
	/** Stands only in the message that git would commit, where no reader sees it. */
	readonly isOnlyToGit: boolean;
}

/** Somebody asks for a branch to be pulled, instead of sending patches. */
export interface PullRequestMail {
	/** Address of the repository as written; hostile until checked. */
	readonly repository: string;
	readonly reference: string | undefined;
	readonly since: string | undefined;
	/** The commit that the branch should end at. */
	readonly upTo: string | undefined;
}

/** A ticket that a mail names. Owner and tracker are missing where the text leaves them out. */
export interface NamedTicket {
	readonly owner: string | undefined;
	readonly name: string | undefined;
	readonly id: number;
	/** `Fixes` and the like, where a trailer names it. */
	readonly trailer: string | undefined;
	readonly mailId: number;
}
