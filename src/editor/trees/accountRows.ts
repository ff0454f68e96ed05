import * as vscode from 'vscode';
import { rowContext } from '../../commands/rows.ts';
import { accountName, type Connection, type Connections } from '../../store/connection.ts';
import type { TreeNode } from './treeNode.ts';

/**
 * Account rows, only with several accounts; a single account's content is at the root. `below` makes the rows of an
 * account. `isHidden`: of an account without a row, because it would be empty.
 */
export function accountRows(
	connections: Connections,
	below: (connection: Connection, signal: AbortSignal) => Promise<readonly TreeNode[]>,
	isHidden: (connection: Connection) => boolean = () => false,
) {
	function row(connection: Connection): TreeNode {
		const { key, instance } = connection;
		const isArchive = instance.archiveUrl !== undefined;
		const item = new vscode.TreeItem(accountName(connection), vscode.TreeItemCollapsibleState.Expanded);
		// Mailboxes of this computer have no web page.
		const isOnWeb = /^https?:/.test(instance.archiveUrl ?? '');
		item.description = isArchive ? (isOnWeb ? vscode.l10n.t('email archive') : '') : instance.name;
		item.iconPath = new vscode.ThemeIcon(isArchive ? 'archive' : 'account');
		item.contextValue = rowContext('connection', {});
		const subject = { kind: 'connection', connectionKey: key } as const;
		return { id: key, item, parent: undefined, children: (signal) => below(connection, signal), subject };
	}
	let shown: readonly Connection[] = [];
	return {
		async roots(signal: AbortSignal): Promise<readonly TreeNode[]> {
			const all = connections.all();
			const [only] = all;
			shown = all.filter((each) => !isHidden(each));
			return all.length === 1 && only ? below(only, signal) : shown.map(row);
		},
		/** Row to draw again after a change below it; `undefined`, the root, only if the row comes or goes. */
		changed: (connection: Connection) =>
			connections.all().length > 1 && shown.includes(connection) && !isHidden(connection) ? row(connection) : undefined,
		/** Parent of an account's rows; `undefined` is the root. */
		above: (connection: Connection) => (connections.all().length > 1 ? row(connection) : undefined),
	};
}
