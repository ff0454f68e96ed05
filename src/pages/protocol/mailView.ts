/** A run of text. Hidden characters are already written out, as `⟨U+202E⟩`. Never HTML. */
export type TextPiece =
	| { readonly kind: 'text'; readonly text: string }
	/** `href` has passed the link policy; the host checks it again on a click. */
	| { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Lines of equal quote depth, without quote marks; LF line ends. */
export interface QuotedRun {
	/** From 1. */
	readonly depth: number;
	readonly pieces: readonly TextPiece[];
}

/** A changed file, in diff order. */
export interface FileStatView {
	/** Index in the mail's diff; argument of `forge.patchsets.openDiff`. */
	readonly index: number;
	/** Display path: `old → new` for a rename. */
	readonly path: string;
	readonly change: 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';
	readonly added: number;
	readonly removed: number;
	readonly isBinary: boolean;
	/** Why no diff can be shown, as a sentence; the raw text is shown instead. */
	readonly trouble: string | undefined;
}

/** A part of a mail's text, in order. */
export type MailBlock =
	| { readonly kind: 'text'; readonly pieces: readonly TextPiece[] }
	/** Consecutive quoted lines. `hint`: the last line, shown when folded. */
	| {
			readonly kind: 'quote';
			readonly lines: number;
			readonly hint: string;
			readonly runs: readonly QuotedRun[];
	  }
	/** The part after `-- `. */
	| { readonly kind: 'signature'; readonly pieces: readonly TextPiece[] }
	/** A diff; the editor shows its content. */
	| {
			readonly kind: 'diff';
			readonly files: readonly FileStatView[];
			readonly added: number;
			readonly removed: number;
	  }
	/** Number of characters omitted here; the document view has them. */
	| { readonly kind: 'cut'; readonly characters: number };

/** A person, with hidden characters visible. */
export interface MailPersonView {
	/** Empty if unknown. */
	readonly name: string;
	/** Empty if unknown. */
	readonly address: string;
}

/** An attachment, by index. */
export interface AttachmentView {
	readonly index: number;
	readonly name: string;
	/** Type and size, as text. */
	readonly detail: string;
	/** True if it opens as text; others can only be saved. */
	readonly isText: boolean;
}

/** The content of a parsed or raw mail. */
export interface MailContentView {
	/** Empty for a raw mail. */
	readonly from: readonly MailPersonView[];
	readonly to: readonly MailPersonView[];
	readonly cc: readonly MailPersonView[];
	/** Numbers of people omitted from the lists. */
	readonly morePeople: Readonly<Record<'from' | 'to' | 'cc', number>>;
	/** Warnings, as sentences: a deceptive sender, hidden characters. */
	readonly cautions: readonly string[];
	readonly blocks: readonly MailBlock[];
	readonly attachments: readonly AttachmentView[];
	readonly moreAttachments: number;
	/** Why the mail is raw, as a sentence. */
	readonly raw: { readonly note: string; readonly canReadWhole: boolean } | undefined;
}

/** A pull request. */
export interface PullView {
	readonly repository: string;
	/** Page of the repository on a known forge. */
	readonly href: string | undefined;
	readonly reference: string;
	/** Page of the reference on a known forge. */
	readonly referenceHref: string | undefined;
	readonly note: string;
	/** True if the changes can be shown. */
	readonly hasChanges: boolean;
	/** True if a fetch command exists. */
	readonly canFetch: boolean;
}
