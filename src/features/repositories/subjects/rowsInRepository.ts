import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { Connection } from '../../../store/connection.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { pathOfPlace } from './place.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
/** A repository in the view of an account. */
export interface InRepository {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
}

/** Row id of a repository or an entry, independent of the parent. */
export function rowId({ connection, ref }: InRepository, revision?: string, path = ''): string {
	const connectionKey = connection.key;
	const root = pathOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision ?? '', path } });
	return `${connectionKey}${root}`;
}

/** Row with a plain message, which its tooltip repeats whole. */
export function noteRow(id: string, text: string, parent: TreeNode | undefined, icon = 'info'): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon(icon);
	item.tooltip = text;
	item.contextValue = rowContext('note', {});
	return { id, item, parent, subject: undefined };
}
