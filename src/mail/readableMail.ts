import type { MailDoubt } from './mailDoubts.ts';

/** Somebody in a mail's headers. */
export interface MailPerson {
	/** Empty where only the address is written. */
	readonly name: string;
	readonly address: string;
}

/** A part that is not shown as text. Its content is asked for by its place, see `MailReader.attachment`. */
export interface MailAttachment {
	readonly name: string | undefined;
	/** As `text/x-patch`. */
	readonly type: string;
	/** Decoded, in bytes. */
	readonly size: number;
	/**
	 * The decoded text of an attached patch or diff, as `body` is made: its last line has an end, as git reads it, though
	 * the attachment may have none. `undefined` for everything else.
	 */
	readonly patch: string | undefined;
	/** The decoded text of any other attachment that declares itself one; `undefined` for patches and everything else. */
	readonly text: string | undefined;
}

/** Why a sender should be looked at twice (docs/security.md#misleading-senders). */
export type SenderCaution =
	/** The display name holds an address that the mail does not come from. */
	| { readonly kind: 'nameHoldsAddress'; readonly address: string }
	/** The From header is written such that programs or people read it differently; here is what it says. */
	| { readonly kind: 'oddlyWritten'; readonly header: string }
	| { readonly kind: 'severalSenders' }
	/** A list put its own address in the place of the sender's; `likely` is who other headers say it was. */
	| { readonly kind: 'sentByList'; readonly likely: MailPerson | undefined };

/** A header as written: unfolded, RFC 2047 not decoded. */
export interface MailHeader {
	/** In lower case. */
	readonly name: string;
	readonly value: string;
}

/** A mail as people and programs read it. Hidden characters are still in it. */
export interface ReadableMail {
	readonly from: readonly MailPerson[];
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	readonly replyTo: readonly MailPerson[];
	/** The Date header as written; `dateMs` where it can be understood. */
	readonly date: string | undefined;
	readonly dateMs: number | undefined;
	readonly subject: string;
	/** With angle brackets. */
	readonly messageId: string | undefined;
	readonly inReplyTo: string | undefined;
	/** Message-IDs with angle brackets, oldest first. */
	readonly references: readonly string[];
	/** In their order; the first 200 of them. */
	readonly headers: readonly MailHeader[];
	/**
	 * The plain text exactly as its sender meant it: the line ends of the transport are LF, and what was encoded (a CR
	 * in quoted-printable or base64) is kept. Patches are read from here. Several text parts follow each other.
	 */
	readonly body: string;
	/** The same for people: line ends LF, lines of format=flowed joined (RFC 3676). */
	readonly text: string;
	/** The text declares itself format=flowed. */
	readonly isFlowed: boolean;
	readonly attachments: readonly MailAttachment[];
	readonly cautions: readonly SenderCaution[];
	/** Why programs may read the mail differently. */
	readonly doubts: readonly MailDoubt[];
	/** What git takes for the patch, where that is not what stands in `body` and attached patches in turn. */
	readonly gitPatch: string | undefined;
	/** The bytes of the patch; `undefined` where it is ASCII. */
	readonly patchBytes?: PatchBytes | undefined;
	/** What git takes for head and message; `undefined` where every program reads them alike. */
	readonly toGit: ReadToGit | undefined;
}

/** The bytes of a patch, which `git apply` compares with those of files. */
export interface PatchBytes {
	/** What git takes for the patch, one character for each byte. */
	readonly bytes: string;
	/** The charset that is declared for it; empty when none is. */
	readonly charset: string;
	/** The mail as the server has it contains U+FFFD, which servers write in place of bytes that they cannot store. */
	readonly hasLosses: boolean;
}

/** What `git mailinfo` reads before a patch. */
export interface ReadToGit {
	/** The header From that counts, decoded; headers inside the text may take its place. */
	readonly from: string | undefined;
	readonly subject: string;
	/** All text before the patch. */
	readonly letter: string;
}

/** Why a mail is shown as it came. */
export type RawReason = 'tooLarge' | 'tooSlow' | 'unreadable' | 'noPlainText';

/** What came of reading a mail; reading never fails. */
export type MailReading =
	| { readonly kind: 'read'; readonly mail: ReadableMail }
	| { readonly kind: 'raw'; readonly reason: RawReason; readonly text: string };
