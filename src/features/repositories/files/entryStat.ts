import * as vscode from 'vscode';
import type { TreeEntry } from '../../../forge/repository.ts';
import { entryKind } from '../../../state/repositories/repositoryEntries.ts';
import type { StandingCommit } from '../../../state/repositories/repositoryStandings.ts';

/** A link is a file that says where it points; a submodule one that says at which commit it stands. */
export function typeOf(entry: TreeEntry): vscode.FileType {
	switch (entryKind(entry)) {
		case 'folder':
			return vscode.FileType.Directory;
		case 'symlink':
			return vscode.FileType.File | vscode.FileType.SymbolicLink;
		case 'file':
		case 'executable':
		case 'submodule':
			return vscode.FileType.File;
		case 'unknown':
			return vscode.FileType.Unknown;
	}
}

/** What stands in place of a submodule. */
export function submoduleBytes({ id }: TreeEntry): Uint8Array {
	return new TextEncoder().encode(`Subproject commit ${id}\n`);
}

/** What is known of a tree, a blob or a commit. */
export interface StatFacts {
	/** Of the tree or blob itself. */
	readonly id: string;
	readonly commit: StandingCommit | undefined;
	readonly size: number;
}

/**
 * The time of the last change is that of the commit, to the second, as git tells it. The editor takes a file of the same
 * time and size for unchanged, and an amended commit keeps its time; so the milliseconds are made from the content's id.
 */
export function statOf(type: vscode.FileType, { id, commit, size }: StatFacts): vscode.FileStat {
	const second = Math.floor((commit?.timestampMs ?? 0) / 1000) * 1000;
	const mtime = second + ((Number.parseInt(id.slice(0, 8), 16) || 0) % 1000);
	return { type, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
}
