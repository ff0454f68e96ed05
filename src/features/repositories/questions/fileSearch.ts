import type { Connection } from '../../../state/connection.ts';
import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';

/** Where a file is looked for. */
export interface FileSearch {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** A folder or the root of a revision. */
	readonly at: TreePath;
}

/** The file that was chosen. Line and column count from 1; `undefined` where none was typed. */
export interface ChosenFile {
	readonly path: string;
	readonly line: number | undefined;
	readonly column: number | undefined;
}
