/** A run of text as a page shows it. Hidden characters are written out already, as `⟨U+202E⟩`. Never HTML. */
export type TextPiece =
	| { readonly kind: 'text'; readonly text: string }
	/** `href` has passed the link policy; the host looks at it once more when it is followed. */
	| { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Lines that stand equally deep in quotes; line ends LF, without the marks of the quotes. */
export interface QuotedRun {
	/** From 1. */
	readonly depth: number;
	readonly pieces: readonly TextPiece[];
}

/** What a diff does to one file, in the order of the diff. */
export interface FileStatView {
	/** Where the file stands among those of the mail's diff: what `forge.patchsets.openDiff` is told. */
	readonly index: number;
	/** As people read it: `old → new` where both differ. */
	readonly path: string;
	readonly change: 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';
	readonly added: number;
	readonly removed: number;
	readonly isBinary: boolean;
	/** Why it cannot be shown as a diff, as a sentence; then it is shown as it came. */
	readonly trouble: string | undefined;
}

/** A part of a mail's text, in the order of the mail. */
export type MailBlock =
	| { readonly kind: 'text'; readonly pieces: readonly TextPiece[] }
	/** Lines in one stretch that others wrote. `hint` is its last line, for where it is folded. */
	| {
			readonly kind: 'quote';
			readonly lines: number;
			readonly hint: string;
			readonly runs: readonly QuotedRun[];
	  }
	/** What follows `-- `. */
	| { readonly kind: 'signature'; readonly pieces: readonly TextPiece[] }
	/** A diff, which stands here in the mail and is shown by the editor. */
	| {
			readonly kind: 'diff';
			readonly files: readonly FileStatView[];
			readonly added: number;
			readonly removed: number;
	  }
	/** More text than a page can hold: so many characters are left out here, and the document has them. */
	| { readonly kind: 'cut'; readonly characters: number };

/** Somebody, as visible text. */
export interface MailPersonView {
	/** Empty where only the address is known. */
	readonly name: string;
	/** Empty where only the account is known. */
	readonly address: string;
}

/** An attachment, by its place in the mail. */
export interface AttachmentView {
	readonly index: number;
	readonly name: string;
	/** Type and size in words. */
	readonly detail: string;
	/** It can be opened as a text; everything else can only be saved. */
	readonly isText: boolean;
}

/** A mail that was read, or is shown as it came. */
export interface MailContentView {
	/** Empty where the mail is shown as it came. */
	readonly from: readonly MailPersonView[];
	readonly to: readonly MailPersonView[];
	readonly cc: readonly MailPersonView[];
	/** How many more people there are than are listed, of each kind. */
	readonly morePeople: Readonly<Record<'from' | 'to' | 'cc', number>>;
	/** Sentences on what should be looked at twice: a deceiving sender, hidden characters. */
	readonly cautions: readonly string[];
	readonly blocks: readonly MailBlock[];
	readonly attachments: readonly AttachmentView[];
	readonly moreAttachments: number;
	/** Why the mail is shown as it came, as a sentence. */
	readonly raw: { readonly note: string; readonly canReadWhole: boolean } | undefined;
}

/** A request to pull a branch. */
export interface PullView {
	readonly repository: string;
	/** Where the repository stands on a forge that is known. */
	readonly href: string | undefined;
	readonly reference: string;
	/** Where the reference stands there. */
	readonly referenceHref: string | undefined;
	readonly note: string;
	/** Whether what pulling would bring can be shown. */
	readonly hasChanges: boolean;
	/** Whether there is a command that fetches it. */
	readonly canFetch: boolean;
}
