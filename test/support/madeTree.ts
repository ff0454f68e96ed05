/** A file of a generated history. A submodule's content is the id of its commit. */
export interface MadeFile {
	readonly mode: '100644' | '100755' | '120000' | '160000';
	readonly content: Buffer;
}

/** All files at one point of a generated history. */
export type MadeTree = ReadonlyMap<string, MadeFile>;
