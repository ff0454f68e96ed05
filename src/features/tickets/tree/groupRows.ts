import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { countText } from '../../../editor/trees/markTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { groupName, type GroupKey } from '../../../engine/search/groupTickets.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { statusLook } from '../subjects/words.ts';
import { ticketsText } from './countTexts.ts';

/**
 * Row of a ticket group below its tracker. Its commands act on the tracker. `isWhole`: false if the forge has more
 * tickets than the index.
 */
export function groupRow(
	key: GroupKey,
	count: number,
	isWhole: boolean,
	parent: TreeNode,
	children: NonNullable<TreeNode['children']>,
): TreeNode {
	const { text, icon, spoken } = lookOf(key);
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.Collapsed);
	const counted = countText(count, isWhole);
	item.description = counted;
	item.iconPath = icon;
	item.contextValue = rowContext('ticketGroup', {});
	item.accessibilityInformation = { label: `${spoken}, ${ticketsText(counted)}` };
	return { id: groupRowId(parent.id, key), item, parent, children, subject: parent.subject };
}

export function groupRowId(trackerId: string, key: GroupKey): string {
	return `${trackerId}/${groupName(key)}`;
}

function lookOf(key: GroupKey) {
	switch (key.kind) {
		case 'status': {
			const { text, codicon, color } = statusLook(key.status);
			const icon = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
			return { text, icon, spoken: vscode.l10n.t('Status {0}', text) };
		}
		case 'label': {
			const text = visibleLine(key.name);
			return { text, icon: new vscode.ThemeIcon('tag'), spoken: vscode.l10n.t('Label {0}', text) };
		}
		case 'assignee': {
			const text = visibleLine(key.name);
			return { text, icon: new vscode.ThemeIcon('person'), spoken: vscode.l10n.t('Assigned to {0}', text) };
		}
		case 'noLabel':
			return plain(vscode.l10n.t('No label'));
		case 'noAssignee':
			return plain(vscode.l10n.t('No assignee'));
	}
}

function plain(text: string) {
	return { text, icon: new vscode.ThemeIcon('dash'), spoken: text };
}
