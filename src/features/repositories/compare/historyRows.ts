import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { HistoryEntry } from '../../../state/repositories/history/fileHistory.ts';
import { fullTime, shortAge, spokenAge } from '../../../text/age.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import type { Within } from './openFiles.ts';

export interface HistoryRowParts {
	/** Unique in the view. */
	readonly id: string;
	readonly within: Within;
	readonly entry: HistoryEntry;
	readonly nowMs: () => number;
}

/** Row of a commit that changed the path. Menus treat it as the commit; a click opens its change to the path. */
export function historyRow(parts: HistoryRowParts): TreeNode {
	const { connectionKey, ref } = parts.within;
	const { commit } = parts.entry;
	const subject: CommitSubject = { kind: 'commit', connectionKey, ref, id: commit.id };
	return {
		id: parts.id,
		get item() {
			return historyItem(parts, subject);
		},
		agedMs: commit.timestampMs,
		parent: undefined,
		subject,
		tooltip: () => Promise.resolve(historyTooltip(parts.entry)),
	};
}

function historyItem({ entry, nowMs }: HistoryRowParts, subject: CommitSubject): vscode.TreeItem {
	const { commit } = entry;
	const locale = vscode.env.language;
	const [author, shortId] = [visibleLine(commit.author.name), visibleLine(commit.shortId)];
	const item = new vscode.TreeItem(titleOf(commit), vscode.TreeItemCollapsibleState.None);
	const what = isPlainChange(entry) ? [] : [whatText(entry)];
	item.description = [...what, author, shortAge(commit.timestampMs, nowMs(), locale), shortId].join(' · ');
	item.iconPath = new vscode.ThemeIcon('git-commit');
	item.contextValue = rowContext('commit', {});
	item.accessibilityInformation = {
		label: [
			titleOf(commit),
			whatText(entry),
			vscode.l10n.t('commit {0}', shortId),
			author,
			spokenAge(commit.timestampMs, nowMs(), locale),
		].join(', '),
	};
	item.command = { command: 'forge.history.openChange', title: vscode.l10n.t('Open Change'), arguments: [subject] };
	return item;
}

function historyTooltip(entry: HistoryEntry): vscode.MarkdownString {
	const { commit, before, after } = entry;
	return untrustedMarkdown([
		`**${escapeMarkdown(titleOf(commit))}**`,
		escapeMarkdown(`${shownName((after ?? before)?.path ?? '')}: ${whatText(entry)}`),
		escapeMarkdown(`${visibleLine(commit.author.name)} <${visibleLine(commit.author.email)}>`),
		escapeMarkdown(fullTime(commit.timestampMs, vscode.env.language)),
		escapeMarkdown(visibleLine(commit.id)),
	]);
}

function isPlainChange({ before, after }: HistoryEntry): boolean {
	return before !== undefined && after?.path === before.path;
}

/** The commit's change to the path. */
function whatText({ before, after }: HistoryEntry): string {
	if (!before) {
		return vscode.l10n.t('added');
	}
	if (!after) {
		return vscode.l10n.t('deleted');
	}
	return before.path === after.path
		? vscode.l10n.t('modified')
		: vscode.l10n.t('renamed from {0}', shownName(before.path));
}

/** Number of found commits, beside the view's title. */
export function commitsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', count);
}

/** Number of searched commits, on the row that continues the search. */
export function searchedText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit searched') : vscode.l10n.t('{0} commits searched', count);
}
