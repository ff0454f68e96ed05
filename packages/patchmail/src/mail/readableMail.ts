import type { MailDoubt } from './mailDoubts.ts';

/** A person in a mail's headers. */
export interface MailPerson {
	/** Empty if the header has only an address. */
	readonly name: string;
	readonly address: string;
}

/** A part that is not shown as text. `MailReader.attachment` reads its content by index. */
export interface MailAttachment {
	readonly name: string | undefined;
	/** Such as `text/x-patch`. */
	readonly type: string;
	/** Decoded, in bytes. */
	readonly size: number;
	/**
	 * Decoded text of an attached patch. Like `body`, it ends with a line end, as git reads it. `undefined` for other
	 * attachments.
	 */
	readonly patch: string | undefined;
	/** Decoded text of any other text attachment; `undefined` otherwise. */
	readonly text: string | undefined;
}

/** Reason to distrust a sender (docs/security.md#misleading-senders). */
export type SenderCaution =
	/** The display name contains a different address. */
	| { readonly kind: 'nameHoldsAddress'; readonly address: string }
	/** Programs or people may read this From header differently. */
	| { readonly kind: 'oddlyWritten'; readonly header: string }
	| { readonly kind: 'severalSenders' }
	/** A list replaced the sender's address; `likely`: sender according to other headers. */
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
	/** Date header as written; `dateMs` if valid. */
	readonly date: string | undefined;
	readonly dateMs: number | undefined;
	readonly subject: string;
	/** With angle brackets. */
	readonly messageId: string | undefined;
	readonly inReplyTo: string | undefined;
	/** Message-IDs with angle brackets, oldest first. */
	readonly references: readonly string[];
	/** The first 200 headers, in order. */
	readonly headers: readonly MailHeader[];
	/**
	 * The plain text exactly as its sender meant it. The line ends of the transport are LF; encoded characters stay
	 * (a CR in quoted-printable or base64). Patches are read from here. Several text parts follow each other.
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
	/** Git's patch, if it differs from the one in `body` and attachments. */
	readonly gitPatch: string | undefined;
	/** The bytes of the patch; `undefined` where it is ASCII. */
	readonly patchBytes?: PatchBytes | undefined;
	/** Git's head and message; `undefined` if all programs read them alike. */
	readonly toGit: ReadToGit | undefined;
}

/** The bytes of a patch; `git apply` compares them with files. */
export interface PatchBytes {
	/** Git's patch, one character per byte. */
	readonly bytes: string;
	/** Declared charset; empty if missing. */
	readonly charset: string;
	/** The server's mail contains U+FFFD, the servers' replacement for bytes that they cannot store. */
	readonly hasLosses: boolean;
}

/** Input of `git mailinfo` before a patch. */
export interface ReadToGit {
	/** Decoded From header; headers inside the text may override it. */
	readonly from: string | undefined;
	readonly subject: string;
	/** All text before the patch. */
	readonly letter: string;
}

/** Reason for showing the raw mail. */
export type RawReason = 'tooLarge' | 'tooSlow' | 'unreadable' | 'noPlainText';

/** Reading never fails. */
export type MailReading =
	| { readonly kind: 'read'; readonly mail: ReadableMail }
	| { readonly kind: 'raw'; readonly reason: RawReason; readonly text: string };
