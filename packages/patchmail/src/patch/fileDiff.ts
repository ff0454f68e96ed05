export type FileChange = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';

/** A defect of a diff, and its offset in the text. Git refuses the diff unless the kind says otherwise. */
export interface Damage {
	readonly kind: DamageKind;
	readonly at: number;
}

export type DamageKind =
	/** A line inside a hunk has no sign: a mailer wrapped a long line. */
	| 'wrappedLine'
	/** The text ends before the hunk has the lines that its header counts. */
	| 'cutShort'
	/** A line that begins with `@@` and is no valid hunk header. */
	| 'badHunkHeader'
	/** A hunk header after lines outside any diff, or above all files. */
	| 'hunkApart'
	/** A header line that contradicts others, or has an invalid mode. */
	| 'badHeader'
	/** A binary patch with malformed lines. Git ignores the rest of the text and applies the files before. */
	| 'badBinary'
	/** A hunk without added and removed lines. */
	| 'noChange'
	/** A file header without hunks and without a change of name or mode. */
	| 'onlyHeader'
	/** A line `diff --git` that names no file. */
	| 'namelessHeader'
	/** A line `diff --git` with names and no header lines. Git may take its names for the next file. */
	| 'loneHeader'
	/** A side is `/dev/null`, but no line marks the file as new or deleted. Git takes it for a file `dev/null`. */
	| 'devNull'
	/** An earlier diff in the text creates the same file. Git keeps only the last one. */
	| 'madeTwice'
	/** A new file with the mode of a folder. Git writes an entry into the index that is no file. */
	| 'folderMode'
	/** A path that leaves the worktree or leads into `.git`. */
	| 'unsafePath'
	/** A new file with old lines, or a deleted file with new ones. */
	| 'wrongSide'
	/** A hunk without context, or without trailing context before another hunk. Git applies it at the end of the file. */
	| 'noContext'
	/** Lines follow an end-of-file marker. Git may apply the hunk and join two lines. */
	| 'endInside'
	/** Names without `a/` and `b/` beside names with them. */
	| 'noPrefix';

/** True for damage that git may apply differently from the text. */
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

/** One hunk. `hunkLines` reads its lines lazily from the text. */
export interface Hunk {
	/** From 1; 0 if the file does not exist or the hunk inserts at the top. */
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	/** Text after the second `@@`. */
	readonly section: string;
	/** Context lines before the first change and after the last one. */
	readonly leading: number;
	readonly trailing: number;
	readonly added: number;
	readonly removed: number;
	/** UTF-16 offsets of the lines in the text, without the header; `end` is exclusive. */
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

export type DiffContent =
	| { readonly kind: 'text'; readonly hunks: readonly Hunk[] }
	/** Both sides are `undefined` for a notice `Binary files differ`. */
	| { readonly kind: 'binary'; readonly forward: BinaryData | undefined; readonly reverse: BinaryData | undefined }
	/** A merge diff; the viewer shows its text unchanged. */
	| { readonly kind: 'combined' };

export interface FileDiff {
	readonly change: FileChange;
	/** Unquoted, without `a/`; `undefined` for a new file. */
	readonly oldPath: string | undefined;
	/** Unquoted, without `b/`; `undefined` for a deleted file. */
	readonly newPath: string | undefined;
	/** Six octal digits, if the diff states them. */
	readonly oldMode: string | undefined;
	readonly newMode: string | undefined;
	/** Of a rename or copy, in percent. */
	readonly similarity: number | undefined;
	/** Object ids of the index line, possibly abbreviated. */
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

/** All diffs in a text such as a mail body, with prose around them. */
export interface ParsedDiff {
	readonly files: readonly FileDiff[];
	/** The names have no `a/` and `b/`: git needs the option `-p0`. */
	readonly isBare: boolean;
	readonly added: number;
	readonly removed: number;
	/** Offset of the first diff; the length of the text if it has no diff. */
	readonly start: number;
	/** Exclusive end of the last diff. */
	readonly end: number;
}
