import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { rowContext } from '../../commands/rows.ts';
import { isBeingRead, type ReadBefore } from '../../store/shared/listing.ts';
import { agoText, isOffline, readBeforeText } from '../ask/readBefore.ts';
import type { TreeNode } from './treeNode.ts';
import { viewProblem } from './viewProblem.ts';

export interface NoticeAge {
	readonly atMs: number;
	readonly text: () => string;
}

interface Notice {
	/** Id of the failed row, account or view. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly error: unknown;
	/** The error in a sentence. */
	readonly reason: string;
	/** Time of the rows below; `undefined` if unknown. */
	readonly age?: NoticeAge | undefined;
	/** Argument of "Try again": the row to reload, or the view's id. */
	readonly again: unknown;
}

/** Row above stale rows: the reason, their age, and the next step. */
export function noticeRow(notice: Notice): TreeNode {
	const { id, parent, age } = notice;
	return {
		id: `${id}/notice`,
		get item() {
			return noticeItem(notice);
		},
		agedMs: age?.atMs,
		// Without the argument of the command: it can be a whole row with its parents.
		look: JSON.stringify([noticeItem({ ...notice, age: undefined, again: undefined }), age?.atMs]),
		parent,
		subject: undefined,
	};
}

function noticeItem({ error, reason, age, again }: Notice): vscode.TreeItem {
	const text = readBeforeText(error, age?.text());
	const needsSignIn = viewProblem(error) === 'signIn';
	const wayOut = needsSignIn ? vscode.l10n.t('Sign In') : vscode.l10n.t('Try Again');
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.description = wayOut;
	item.iconPath = new vscode.ThemeIcon(
		isOffline(error) ? 'debug-disconnect' : 'warning',
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

/** Row in place of missing rows: the reason and a retry of all or one part, with its unique name. */
export function failedRow(
	parent: TreeNode,
	reason: string,
	part?: { readonly name: string; readonly subject: unknown },
): TreeNode {
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

/**
 * Row above stale rows from another window's cache: their age and a retry. `again`: argument of "Try again", the row or
 * the view's id.
 */
export function readBeforeRows(
	before: ReadBefore | undefined,
	{
		id,
		parent,
		clock,
		explain,
		again,
	}: {
		/** The row that they hang under, or the view. */
		readonly id: string;
		readonly parent: TreeNode | undefined;
		readonly clock: Clock;
		/** A failure as a sentence. */
		readonly explain: (error: unknown) => string;
		readonly again: unknown;
	},
): readonly TreeNode[] {
	return before && !isBeingRead(before)
		? [
				noticeRow({
					id,
					parent,
					error: before.error,
					reason: explain(before.error),
					age: { atMs: before.readAtMs, text: () => agoText(before.readAtMs, clock.nowMs(), 'long') },
					again,
				}),
			]
		: [];
}
