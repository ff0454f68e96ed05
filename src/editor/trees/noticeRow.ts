import * as vscode from 'vscode';
import { rowContext } from '../../commands/rows.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { readBeforeText } from '../ask/readBefore.ts';
import type { TreeNode } from './treeNode.ts';
import { viewProblem } from './viewProblem.ts';

export interface NoticeRowParts {
	/** Id of the row, the account or the view that could not be read. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly error: unknown;
	/** The error in a sentence. */
	readonly reason: string;
	/** Since when the rows below it are as they are, and how to say how long that is; `undefined` when nobody knows. */
	readonly age?: { readonly atMs: number; readonly text: () => string } | undefined;
	/** What "Try again" hands to the command: the row to read again, or the view's id. */
	readonly again: unknown;
}

/** Stands over rows that could not be read anew: why, how old they are, and the way out. */
export function noticeRow(parts: NoticeRowParts): TreeNode {
	const { id, parent, age } = parts;
	return {
		id: `${id}/notice`,
		get item() {
			return noticeItem(parts);
		},
		agedMs: age?.atMs,
		parent,
		subject: undefined,
	};
}

function noticeItem({ error, reason, age, again }: NoticeRowParts): vscode.TreeItem {
	const isOffline = isForgeError(error) && error.problem.kind === 'unreachable';
	const text = readBeforeText(error, age?.text());
	const needsSignIn = viewProblem(error) === 'signIn';
	const wayOut = needsSignIn ? vscode.l10n.t('Sign In') : vscode.l10n.t('Try Again');
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.description = wayOut;
	item.iconPath = new vscode.ThemeIcon(
		isOffline ? 'debug-disconnect' : 'warning',
		new vscode.ThemeColor('list.warningForeground'),
	);
	item.tooltip = reason;
	item.accessibilityInformation = { label: `${text}. ${reason} ${wayOut}` };
	item.contextValue = rowContext('notice', {});
	item.command = needsSignIn
		? { command: 'forge.accounts.signIn', title: wayOut }
		: { command: 'forge.view.tryAgain', title: wayOut, arguments: [again] };
	return item;
}

/** Of several things below a row the one that could not be read. */
interface FailedPart {
	/** The same for the same part of a row. */
	readonly name: string;
	readonly subject: unknown;
}

/** Stands where rows would be that could not be read: why, and the way to try again, all of them or one part. */
export function failedRow(parent: TreeNode, reason: string, part?: FailedPart): TreeNode {
	const text = part ? vscode.l10n.t('{0}: {1}', part.name, reason) : reason;
	const item = new vscode.TreeItem(text);
	item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	item.description = vscode.l10n.t('Try Again');
	item.tooltip = text;
	item.accessibilityInformation = { label: `${text} ${item.description}` };
	item.contextValue = rowContext('failed', {});
	const made = part
		? { id: `${parent.id}/failed/${part.name}`, item, parent, subject: part.subject }
		: { id: `${parent.id}/failed`, item, parent, subject: parent };
	item.command = {
		command: 'forge.view.tryAgain',
		title: vscode.l10n.t('Try Again'),
		arguments: [part ? made : parent],
	};
	return made;
}
