/** Somebody in a mail's headers. */
export interface MailPerson {
	/** Empty where only the address is written. */
	readonly name: string;
	readonly address: string;
}

/** A part that is not shown as text. */
export interface MailAttachment {
	readonly name: string | undefined;
	/** As `text/x-patch`. */
	readonly type: string;
	/** Decoded, in bytes. */
	readonly size: number;
}

/** Why a sender should be looked at twice (security T09). */
export type SenderCaution =
	/** The display name holds an address that the mail does not come from. */
	| { readonly kind: 'nameHoldsAddress'; readonly address: string }
	/** The From header is written such that programs read it differently; here is what it says. */
	| { readonly kind: 'oddlyWritten'; readonly header: string }
	| { readonly kind: 'severalSenders' };

/** A mail as people read it. Hidden characters are still in it. */
export interface ReadableMail {
	readonly from: readonly MailPerson[];
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** The Date header as written; `dateMs` where it can be understood. */
	readonly date: string | undefined;
	readonly dateMs: number | undefined;
	readonly subject: string;
	/** With angle brackets. */
	readonly messageId: string | undefined;
	readonly inReplyTo: string | undefined;
	/** Decoded, line ends LF. */
	readonly text: string;
	readonly attachments: readonly MailAttachment[];
	readonly cautions: readonly SenderCaution[];
}

/** Why a mail is shown as it came. */
export type RawReason = 'tooLarge' | 'tooSlow' | 'unreadable' | 'noPlainText';

/** What came of reading a mail; reading never fails. */
export type MailReading =
	| { readonly kind: 'read'; readonly mail: ReadableMail }
	| { readonly kind: 'raw'; readonly reason: RawReason; readonly text: string };
