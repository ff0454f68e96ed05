import type { Connection } from '../../../store/connection.ts';
import type { RepositoryRef, TreePath } from '../../../forge/port/repository.ts';

/** Scope of a file search. */
export interface FileSearch {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** A folder or the root of a revision. */
	readonly at: TreePath;
}

/** The chosen file. Line and column count from 1; `undefined` if the user typed none. */
export interface ChosenFile {
	readonly path: string;
	readonly line: number | undefined;
	readonly column: number | undefined;
}
