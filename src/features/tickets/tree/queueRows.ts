import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { countText, newText } from '../../../editor/trees/countTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { Queue } from './queues.ts';
import type { Shelf } from './shelf.ts';
import { ticketsText } from './countTexts.ts';

export interface QueueRowParts {
	readonly queue: Queue;
	/** As last filled; `undefined` until it was. */
	readonly shelf: () => Shelf | undefined;
	/** Why the filter cannot be read, in a sentence; `undefined` when it can. */
	readonly problem: string | undefined;
	readonly children: NonNullable<TreeNode['children']>;
}

/** Row of a filter over all trackers. Like a tracker's it says what was counted when it is looked at. */
export function queueRow(parts: QueueRowParts): TreeNode {
	const { queue, problem, children } = parts;
	const name = visibleLine(queue.name);
	return {
		id: queue.id,
		get item() {
			return queueItem(parts);
		},
		parent: undefined,
		...(problem === undefined ? { children } : {}),
		subject: queue.subject,
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(name)}**`,
					...[visibleLine(queue.text), placeText(queue), problem ?? ''].map(escapeMarkdown),
				]),
			),
	};
}

function queueItem({ queue, shelf, problem }: QueueRowParts): vscode.TreeItem {
	const name = visibleLine(queue.name);
	const isBroken = problem !== undefined;
	const item = new vscode.TreeItem(
		name,
		isBroken ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
	);
	const filled = shelf();
	const count = filled && countText(filled.matching, filled.isWhole);
	const waiting = filled && filled.waiting > 0 ? [newText(filled.waiting)] : [];
	const description = problem ?? (count === undefined ? undefined : [count, ...waiting].join(' · '));
	if (description !== undefined) {
		item.description = description;
	}
	item.iconPath = isBroken
		? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
		: new vscode.ThemeIcon('list-filter');
	item.contextValue = rowContext(
		queue.subject.kind === 'appliedFilter' ? 'filter.applied' : `filter.${queue.subject.where}`,
		{},
	);
	item.accessibilityInformation = { label: [spoken(name, problem, count), ...waiting].join(', ') };
	if (isBroken) {
		item.command = { command: 'forge.filters.edit', title: vscode.l10n.t('Edit Filter…'), arguments: [queue.subject] };
	}
	return item;
}

function placeText({ subject }: Queue): string {
	if (subject.kind === 'appliedFilter') {
		return vscode.l10n.t('Applied to all trackers, not saved');
	}
	switch (subject.where) {
		case 'user':
			return vscode.l10n.t('Saved in your settings');
		case 'workspace':
			return vscode.l10n.t('Saved in the settings of this workspace');
	}
}

function spoken(name: string, problem: string | undefined, count: string | undefined): string {
	const title = vscode.l10n.t('Filter {0}', name);
	if (problem !== undefined) {
		return `${title}, ${problem}`;
	}
	return count === undefined ? title : `${title}, ${ticketsText(count)}`;
}
