import * as vscode from 'vscode';
import { visible } from '../../text/visible.ts';

/**
 * A row's item for the editor, with hidden characters written out. The editor forgets a command's arguments when it draws
 * a row again, and a click that is under way then fails. So `open`, without arguments, stands for such a command.
 */
export function shownItem(item: vscode.TreeItem, open: string): vscode.TreeItem {
	const { label, description, tooltip, accessibilityInformation: spoken, command, collapsibleState } = item;
	const shown = new vscode.TreeItem(shownLabel(label), collapsibleState);
	const texts = {
		label: shown.label,
		...(typeof description === 'string' && { description: visible(description) }),
		...(typeof tooltip === 'string' && { tooltip: visible(tooltip) }),
		...(spoken && { accessibilityInformation: { ...spoken, label: visible(spoken.label) } }),
	};
	// The editor hands its own commands how the row was opened.
	const isOwn = command !== undefined && !command.command.startsWith('vscode.');
	return Object.assign(shown, item, texts, isOwn && { command: { command: open, title: command.title } });
}

function shownLabel(label: string | vscode.TreeItemLabel | undefined): string | vscode.TreeItemLabel {
	if (typeof label === 'string' || label === undefined) {
		return visible(label ?? '');
	}
	const text = visible(label.label);
	return text === label.label ? label : { label: text };
}
