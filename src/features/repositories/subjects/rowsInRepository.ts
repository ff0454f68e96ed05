import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { Connection } from '../../../state/connection.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { pathOfPlace } from './place.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
/** A repository as its account sees it. */
export interface InRepository {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
}

/** Id of a repository's row, or of what hangs below it: the same wherever it hangs. */
export function rowId({ connection, ref }: InRepository, revision?: string, path = ''): string {
	const connectionKey = connection.key;
	const root = pathOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision ?? '', path } });
	return `${connectionKey}${root}`;
}

/** A row that only says something. */
export function noteRow(parent: TreeNode, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('info');
	item.contextValue = rowContext('note', {});
	return { id: `${parent.id}?note`, item, parent, subject: undefined };
}
