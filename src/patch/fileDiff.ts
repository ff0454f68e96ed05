/** What a patch does to a file. */
export type FileChange = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';

/** Something that is wrong with a diff, so that it cannot be applied as it stands. */
export type Damage =
	/** A line inside a hunk begins with no sign: a mailer has broken a long line. */
	| { readonly kind: 'wrappedLine'; readonly at: number }
	/** The text ends before the hunk has the lines that its header counts. */
	| { readonly kind: 'cutShort'; readonly at: number }
	/** A line that begins with `@@` and cannot be read as a hunk's header. */
	| { readonly kind: 'badHunkHeader'; readonly at: number }
	/** The header of a hunk stands where none can be: behind lines that are no diff, or above all files. */
	| { readonly kind: 'hunkApart'; readonly at: number }
	/** A line above the content that names another file than others do, or whose mode cannot be read. */
	| { readonly kind: 'badHeader'; readonly at: number }
	/** A binary patch whose lines cannot be decoded. */
	| { readonly kind: 'badBinary'; readonly at: number };

/** One hunk. Its lines stand in the text between two offsets and are told apart when they are needed. */
export interface Hunk {
	/** From 1; 0 where the file does not exist or nothing stands before. */
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	/** What stands behind the second `@@`. */
	readonly section: string;
	readonly added: number;
	readonly removed: number;
	/** UTF-16 offsets into the text: from behind the line of the header to behind the last line of the hunk. */
	readonly start: number;
	readonly end: number;
}

/** One side of a binary patch, still encoded: UTF-16 offsets of its base85 lines, and the size after inflating. */
export interface BinaryData {
	readonly method: 'literal' | 'delta';
	readonly size: number;
	readonly start: number;
	readonly end: number;
}

/** What a diff says of a file's content. */
export type DiffContent =
	| { readonly kind: 'text'; readonly hunks: readonly Hunk[] }
	/** Both sides are missing where the patch only says that the files differ. */
	| { readonly kind: 'binary'; readonly forward: BinaryData | undefined; readonly reverse: BinaryData | undefined }
	/** A merge's diff, which is shown as it came. */
	| { readonly kind: 'combined' };

/** The diff of one file. */
export interface FileDiff {
	readonly change: FileChange;
	/** Unquoted, without `a/`; `undefined` for a new file. */
	readonly oldPath: string | undefined;
	/** Unquoted, without `b/`; `undefined` for a deleted file. */
	readonly newPath: string | undefined;
	/** Six octal digits, where the diff tells them. */
	readonly oldMode: string | undefined;
	readonly newMode: string | undefined;
	/** Of a rename or copy, in percent. */
	readonly similarity: number | undefined;
	/** Object ids of the index line, possibly cut short. */
	readonly oldId: string | undefined;
	readonly newId: string | undefined;
	readonly content: DiffContent;
	readonly added: number;
	readonly removed: number;
	readonly damage: readonly Damage[];
	/** UTF-16 offsets of the whole diff of this file in the text. */
	readonly start: number;
	readonly end: number;
}

/** All that is a diff in a text: a mail's body, prose around it included. */
export interface ParsedDiff {
	readonly files: readonly FileDiff[];
	readonly added: number;
	readonly removed: number;
	/** Offset of the first diff; the length of the text when there is none. */
	readonly start: number;
	/** Behind the last diff. */
	readonly end: number;
}
