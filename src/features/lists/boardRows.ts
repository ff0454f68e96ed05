import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import type { BoardGroup, BoardPart } from '../../search/mails/board.ts';
import type { Children } from './listRows.ts';

/** Row of a section of the board: what its patchsets wait for, and how many they are. */
export function boardRow(parent: TreeNode, { group, patchsets }: BoardPart, children: Children): TreeNode {
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { text, codicon } = groupLook(group);
	const item = new vscode.TreeItem(text, group === 'done' || group === 'stale' ? Collapsed : Expanded);
	const count = new Intl.NumberFormat(vscode.env.language).format(patchsets.length);
	item.description = count;
	item.iconPath = new vscode.ThemeIcon(codicon);
	item.contextValue = `forge.board.${group}`;
	item.accessibilityInformation = { label: vscode.l10n.t('{0}, patchsets: {1}', text, count) };
	// The subject is that of the list, so that commands on lists work here too.
	return { id: `${parent.id}/board/${group}`, item, parent, children, subject: parent.subject };
}

interface GroupLook {
	readonly text: string;
	readonly codicon: string;
}

function groupLook(group: BoardGroup): GroupLook {
	switch (group) {
		case 'needsMyReview':
			return { text: vscode.l10n.t('Needs my review'), codicon: 'eye' };
		case 'waitingForReview':
			return { text: vscode.l10n.t('Mine, waiting for review'), codicon: 'watch' };
		case 'waitingForNewVersion':
			return { text: vscode.l10n.t('Waiting for a new version'), codicon: 'request-changes' };
		case 'approved':
			return { text: vscode.l10n.t('Approved'), codicon: 'check-all' };
		case 'stale':
			return { text: vscode.l10n.t('Quiet for long'), codicon: 'clock' };
		case 'done':
			return { text: vscode.l10n.t('Done'), codicon: 'archive' };
		default:
			return assertNever(group);
	}
}
