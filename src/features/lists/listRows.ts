import * as vscode from 'vscode';
import { countsText } from '../../editor/pagingRows.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { listRefText, type ListRef } from '../../forge/list.ts';
import type { Connection } from '../../state/connection.ts';
import type { Listing } from '../../state/listing.ts';
import { visibleLine } from '../../text/visible.ts';
import type { ListSubject } from './subjects.ts';
import { listTooltip } from './listTooltip.ts';

export type Children = NonNullable<TreeNode['children']>;

export interface ListRowParts {
	readonly connection: Connection;
	readonly ref: ListRef;
	readonly parent: TreeNode | undefined;
	readonly children: Children;
	/** What the rows below are filtered by, and how many are left; `undefined` when they are not. */
	readonly filtered: string | undefined;
}

/** What ties an account to a list; its own list counts as subscribed too, because that is what can be ended. */
export type ListTie = 'own' | 'subscribed' | 'followed';

export function tieOf({ lists }: Connection, ref: ListRef): ListTie {
	return lists.knownSubscription(ref) ? 'subscribed' : lists.isMine(ref) ? 'own' : 'followed';
}

/** Row of a list. */
export function listRow({ connection, ref, parent, children, filtered }: ListRowParts): TreeNode {
	const tie = tieOf(connection, ref);
	const name = visibleLine(ref.name);
	const owner = visibleLine(ref.owner);
	const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
	const facts = filtered === undefined ? [] : [filtered];
	item.description = [owner, ...facts].join(' · ');
	item.iconPath = new vscode.ThemeIcon(filtered === undefined ? 'mail' : 'filter');
	item.contextValue = [
		'forge.list',
		tie,
		...(connection.lists.isMine(ref) ? ['mine'] : []),
		...(filtered === undefined ? [] : ['filtered']),
	].join('.');
	item.accessibilityInformation = {
		label: [vscode.l10n.t('Mailing list {0} of {1}', name, owner), tieText(tie), ...facts].join(', '),
	};
	const subject: ListSubject = { kind: 'list', connectionKey: connection.key, ref };
	return {
		id: listRowId(connection, ref),
		item,
		parent,
		children,
		subject,
		tooltip: async (signal) => listTooltip(tieText(tie), await connection.lists.list(ref, signal)),
	};
}

/** Id of a list's row: the same wherever it hangs. */
export function listRowId(connection: Connection, ref: ListRef): string {
	return `${connection.key}/${listRefText(ref)}`;
}

function tieText(tie: ListTie): string {
	switch (tie) {
		case 'own':
			return vscode.l10n.t('your own');
		case 'subscribed':
			return vscode.l10n.t('subscribed');
		case 'followed':
			return vscode.l10n.t('followed');
	}
}

/** The two kinds of things in a list. */
export type GroupKind = 'patchsets' | 'threads';

/** Row of a list's patchsets or conversations; `known` is what was read of them so far. */
export function groupRow(
	kind: GroupKind,
	{ parent, children }: { readonly parent: TreeNode; readonly children: Children },
	known: Listing<unknown> | undefined,
): TreeNode {
	const isPatchsets = kind === 'patchsets';
	const item = new vscode.TreeItem(
		isPatchsets ? vscode.l10n.t('Patchsets') : vscode.l10n.t('Threads'),
		isPatchsets ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
	);
	item.iconPath = new vscode.ThemeIcon(isPatchsets ? 'git-pull-request' : 'comment-discussion');
	item.contextValue = `forge.group.${kind}`;
	if (known?.completeness.kind === 'complete') {
		item.description = new Intl.NumberFormat(vscode.env.language).format(known.items.length);
	} else if (known) {
		item.description = countsText(known.items.length, known.completeness);
	}
	// The subject is that of the list, so that commands on lists work here too.
	return { id: groupRowId(parent.id, kind), item, parent, children, subject: parent.subject };
}

/** Id of the row of a list's patchsets or conversations, by that of the list's row. */
export function groupRowId(listId: string, kind: GroupKind): string {
	return `${listId}/${kind}`;
}

/** Row that says that a list holds nothing of a kind. */
export function emptyRow(parent: TreeNode, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.contextValue = 'empty';
	return { id: `${parent.id}/empty`, item, parent, subject: undefined };
}

/** Row in the place of what could not be read, with the way to try again. */
export function failedRow(connection: Connection, parent: TreeNode | undefined, message: string): TreeNode {
	const item = new vscode.TreeItem(message, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	item.description = vscode.l10n.t('Try again');
	item.contextValue = 'failed';
	item.command = { command: 'forge.view.tryAgain', title: vscode.l10n.t('Try again'), arguments: [] };
	return { id: `${connection.key}/subscriptions/failed`, item, parent, subject: undefined };
}
