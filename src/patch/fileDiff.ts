/** What a patch does to a file. */
export type FileChange = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';

/** A defect of a diff, and its offset in the text. Git refuses the diff unless the kind says otherwise. */
export interface Damage {
	readonly kind: DamageKind;
	readonly at: number;
}

export type DamageKind =
	/** A line inside a hunk has no sign: a mailer has wrapped a long line. */
	| 'wrappedLine'
	/** The text ends before the hunk has the lines that its header counts. */
	| 'cutShort'
	/** A line that begins with `@@` and cannot be parsed as a hunk header. */
	| 'badHunkHeader'
	/** A hunk header behind lines that are no diff, or above all files. */
	| 'hunkApart'
	/** A header line that contradicts others, or whose mode cannot be parsed. */
	| 'badHeader'
	/** A binary patch whose lines cannot be decoded. Git ignores the rest of the text and applies the files before. */
	| 'badBinary'
	/** A hunk without added and removed lines. */
	| 'noChange'
	/** A file header without hunks and without a change of name or mode. */
	| 'onlyHeader'
	/** A line `diff --git` that names no file. */
	| 'namelessHeader'
	/** A line `diff --git` with names and no header lines. Git may take its names for the next file. */
	| 'loneHeader'
	/** A side is `/dev/null`, and no line says that the file is new or deleted. Git takes it for a file `dev/null`. */
	| 'devNull'
	/** An earlier diff in the text creates the same file. Git keeps only the last one. */
	| 'madeTwice'
	/** A new file with the mode of a folder. Git writes an entry into the index that is no file. */
	| 'folderMode'
	/** A path that leaves the worktree or leads into `.git`. */
	| 'unsafePath'
	/** A new file with old lines, or a deleted file with new ones. */
	| 'wrongSide'
	/** A hunk without context, or without context behind it though others follow. Git applies it at the end of the file. */
	| 'noContext'
	/** A line is marked as the end of the file, and others follow. Git may apply it and join two lines. */
	| 'endInside'
	/** Names without `a/` and `b/` beside names with them. */
	| 'noPrefix';

/** True for damage that git may apply, and then differently from the text. */
export function isMisappliedByGit({ kind }: Damage): boolean {
	return misapplied.has(kind);
}

const misapplied: ReadonlySet<DamageKind> = new Set([
	'noContext',
	'endInside',
	'noPrefix',
	'badBinary',
	'loneHeader',
	'devNull',
	'madeTwice',
	'folderMode',
]);

/** One hunk. Its lines stand in the text between two offsets and are told apart when they are needed. */
export interface Hunk {
	/** From 1; 0 where the file does not exist or nothing stands before. */
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	/** What stands behind the second `@@`. */
	readonly section: string;
	/** Context lines in front of the first change and behind the last one. */
	readonly leading: number;
	readonly trailing: number;
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

/** All diffs in a text: a mail's body, prose around them included. */
export interface ParsedDiff {
	readonly files: readonly FileDiff[];
	/** The names have no `a/` and `b/`: git needs the option `-p0`. */
	readonly isBare: boolean;
	readonly added: number;
	readonly removed: number;
	/** Offset of the first diff; the length of the text when there is none. */
	readonly start: number;
	/** Behind the last diff. */
	readonly end: number;
}
