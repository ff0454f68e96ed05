import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { countText } from '../../../editor/trees/countTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { groupName, type GroupKey } from '../../../engine/search/groupTickets.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { statusLook } from '../subjects/words.ts';
import { ticketsText } from './countTexts.ts';

export interface GroupRowParts {
	readonly key: GroupKey;
	readonly count: number;
	/** False if the forge has more tickets than the index. */
	readonly isWhole: boolean;
	/** The tracker. */
	readonly parent: TreeNode;
	readonly children: NonNullable<TreeNode['children']>;
}

/** Row of a ticket group. Its commands act on the tracker. */
export function groupRow({ key, count, isWhole, parent, children }: GroupRowParts): TreeNode {
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

interface GroupLook {
	readonly text: string;
	readonly icon: vscode.ThemeIcon;
	readonly spoken: string;
}

function lookOf(key: GroupKey): GroupLook {
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
			return plain(vscode.l10n.t('No label'), 'dash');
		case 'noAssignee':
			return plain(vscode.l10n.t('No assignee'), 'dash');
	}
}

function plain(text: string, codicon: string): GroupLook {
	return { text, icon: new vscode.ThemeIcon(codicon), spoken: text };
}
