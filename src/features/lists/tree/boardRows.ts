import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { assertNever } from '../../../base/assertNever.ts';
import { countText, unreadText } from '../../../editor/trees/countTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import type { BoardGroup, BoardPart } from '../../../engine/search/mails/board.ts';
import type { Children } from './listRows.ts';

/** Row of a board group with its number of patchsets and of unread ones. */
export function boardRow(
	parent: TreeNode,
	section: BoardPart,
	{ children, unread }: { readonly children: Children; readonly unread: () => ReadonlyMap<string, Mark> },
): TreeNode {
	return {
		id: `${parent.id}/board/${section.group}`,
		get item() {
			return boardItem(section, unread());
		},
		parent,
		children,
		// The parent's subject, so commands on lists and on the board of all lists work here too.
		subject: parent.subject,
	};
}

function boardItem({ group, patchsets }: BoardPart, unread: ReadonlyMap<string, Mark>): vscode.TreeItem {
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { text, codicon } = groupLook(group);
	const item = new vscode.TreeItem(text, group === 'done' || group === 'stale' ? Collapsed : Expanded);
	const count = countText(patchsets.length, true);
	const marked = unreadText(unread);
	item.description = [count, marked].filter((fact) => fact !== undefined).join(' · ');
	item.iconPath = new vscode.ThemeIcon(codicon);
	item.contextValue = rowContext(`board.${group}`, {});
	const spoken = vscode.l10n.t('{0}, patchsets: {1}', text, count);
	item.accessibilityInformation = { label: marked === undefined ? spoken : `${spoken}, ${marked}` };
	return item;
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
			return { text: vscode.l10n.t('Needs revision'), codicon: 'request-changes' };
		case 'approved':
			return { text: vscode.l10n.t('Approved'), codicon: 'check-all' };
		case 'stale':
			return { text: vscode.l10n.t('Stale'), codicon: 'clock' };
		case 'done':
			return { text: vscode.l10n.t('Done'), codicon: 'archive' };
		default:
			return assertNever(group);
	}
}
