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
	/** The last filled shelf; `undefined` before the first. */
	readonly shelf: () => Shelf | undefined;
	/** Parse error of the filter as a sentence. */
	readonly problem: string | undefined;
	readonly children: NonNullable<TreeNode['children']>;
}

/** Row of a filter over all trackers. Its count is computed on each draw, as in tracker rows. */
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
