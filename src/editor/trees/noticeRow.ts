import * as vscode from 'vscode';
import { rowContext } from '../../commands/rows.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import { readBeforeText } from '../ask/readBefore.ts';
import type { TreeNode } from './treeNode.ts';
import { viewProblem } from './viewProblem.ts';

export interface NoticeRowParts {
	/** Id of the failed row, account or view. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly error: unknown;
	/** The error in a sentence. */
	readonly reason: string;
	/** Time of the rows below and a formatter for its age; `undefined` if unknown. */
	readonly age?: { readonly atMs: number; readonly text: () => string } | undefined;
	/** Argument of "Try again": the row to reload, or the view's id. */
	readonly again: unknown;
}

/** Row above stale rows: the reason, their age, and the next step. */
export function noticeRow(parts: NoticeRowParts): TreeNode {
	const { id, parent, age } = parts;
	return {
		id: `${id}/notice`,
		get item() {
			return noticeItem(parts);
		},
		agedMs: age?.atMs,
		look: JSON.stringify([noticeItem({ ...parts, age: undefined }), age?.atMs]),
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

/** The failed one of several parts below a row. */
interface FailedPart {
	/** The same for the same part of a row. */
	readonly name: string;
	readonly subject: unknown;
}

/** Row in place of missing rows: the reason and a retry of all or one part. */
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
