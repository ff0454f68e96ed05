import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { rowContext } from '../../../commands/rows.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { noticeRow } from '../../../editor/trees/noticeRow.ts';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { Connection } from '../../../store/connection.ts';
import type { FileHistory, HistoryEntry } from '../../../store/repositories/history/fileHistory.ts';
import { fullTime, shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { noteRow } from '../subjects/rowsInRepository.ts';
import { repositoriesSubject, type CommitSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import type { WithinConnection, Within } from './openFiles.ts';
import type { RepositoriesDesk } from '../parts/repositoriesDesk.ts';

/** A path's history and its context. */
export interface ShownHistory {
	readonly history: FileHistory;
	readonly within: WithinConnection & { readonly connection: Connection };
	/** Path and start revision in readable form. */
	readonly name: string;
	readonly revision: string;
}

interface Opened {
	readonly shown: ShownHistory;
	/** Set during a pass. */
	looking: AbortController | undefined;
	/** Error of the last pass. */
	failure: { readonly error: unknown } | undefined;
}

/** Shortest interval between redraws. */
const redrawMs = 200;

/** View of a file's history. Appears with the first history and disappears when closed. */
export type HistoryView = ReturnType<typeof historyView>;

/** Shows commits as the search finds them. Closes with the account. */
export function historyView({ connections, problems, clock }: RepositoriesDesk) {
	const owned = new Disposables();
	const ending = new AbortController();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const noteChanged = owned.add(new Emitter<void>());
	let opened: Opened | undefined;
	let redraw: Disposable | undefined;
	/** Makes the rows of each history others than those of the one before. */
	let histories = 0;

	function draw(): void {
		redraw?.dispose();
		redraw = undefined;
		void setContext('running', opened?.looking !== undefined);
		noteChanged.fire();
		changed.fire(undefined);
	}

	async function setContext(name: 'active' | 'running', value: boolean): Promise<void> {
		await vscode.commands.executeCommand('setContext', `forge.history.${name}`, value);
	}

	async function look(at: Opened, signal: AbortSignal): Promise<void> {
		if (at !== opened || at.looking) {
			return;
		}
		const looking = new AbortController();
		at.looking = looking;
		at.failure = undefined;
		draw();
		const working = AbortSignal.any([signal, looking.signal, ending.signal]);
		try {
			await vscode.window.withProgress({ location: { viewId: 'forge.history' } }, () =>
				at.shown.history.lookOn(working, () => {
					redraw ??= clock.after(redrawMs, draw);
				}),
			);
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
				at.failure = { error };
			}
		}
		at.looking = undefined;
		if (at === opened && !ending.signal.aborted) {
			draw();
		}
	}

	/** Throws the error of an empty pass, which the view's welcome text then shows. */
	function rows(): readonly TreeNode[] {
		if (!opened) {
			return [];
		}
		if (opened.failure && opened.shown.history.entries().length === 0) {
			throw opened.failure.error;
		}
		const { history, within } = opened.shown;
		const nowMs = (): number => clock.nowMs();
		const found = history
			.entries()
			.map((entry) => historyRow({ id: `${histories}/${entry.commit.id}`, within, entry, nowMs }));
		return [...found, ...lastRows(opened)];
	}

	function lastRows(at: Opened): readonly TreeNode[] {
		const { history } = at.shown;
		const id = `${histories}?`;
		const isNone = history.entries().length === 0;
		if (at.looking) {
			return isNone ? [noteRow(id, vscode.l10n.t('Searching commits…'), undefined, 'search')] : [];
		}
		if (at.failure) {
			const { error } = at.failure;
			const reason = problems.explain(error).message;
			return [noticeRow({ id, parent: undefined, error, reason, again: 'forge.history' })];
		}
		if (!history.isWhole()) {
			const counts = searchedText(history.commits());
			return [moreRow({ id, parent: undefined, counts }, (signal) => look(at, signal))];
		}
		return [
			noteRow(
				id,
				isNone
					? vscode.l10n.t('No commit changed this.')
					: vscode.l10n.t('This is the whole history along first parents.'),
				undefined,
			),
		];
	}

	function noteText(): string {
		if (!opened) {
			return '';
		}
		const { history, within, name, revision } = opened.shown;
		const found = commitsText(history.entries().length);
		return [name, found, shownName(refText(within.ref)), revision].join(' · ');
	}

	async function clear(): Promise<void> {
		opened?.looking?.abort();
		opened = undefined;
		await setContext('active', false);
		draw();
	}

	owned.add(
		connections.onDidChange(() => {
			const connection = opened?.shown.within.connection;
			if (connection && connections.byKey(connection.key) !== connection) {
				void clear();
			}
		}),
	);
	const tree: TreeSource = {
		roots: async () => rows(),
		isLatestOnly: true,
		forget() {
			// Loaded history never changes, so retry only after a failure.
			if (opened?.failure) {
				void look(opened, ending.signal);
			}
		},
		onDidChange: changed.event,
		note: { text: noteText, onDidChange: noteChanged.event },
	};
	return {
		tree,
		/** Replaces the shown history. Resolves after the first pass. Never rejects. */
		async show(shown: ShownHistory, signal: AbortSignal) {
			opened?.looking?.abort();
			const now: Opened = { shown, looking: undefined, failure: undefined };
			opened = now;
			histories += 1;
			await setContext('active', true);
			const looked = look(now, signal);
			await vscode.commands.executeCommand('forge.history.focus');
			await looked;
		},
		/** The commit's change to the path, for a row of the view. */
		entryOf(row: unknown): { readonly within: ShownHistory['within']; readonly entry: HistoryEntry } | undefined {
			const subject = repositoriesSubject(row);
			const entry =
				subject?.kind === 'commit' &&
				opened?.shown.within.connectionKey === subject.connectionKey &&
				opened.shown.history.entries().find(({ commit }) => commit.id === subject.id);
			return opened && entry ? { within: opened.shown.within, entry } : undefined;
		},
		/** Stops the current pass. Keeps its results. */
		cancel: (): void => opened?.looking?.abort(),
		/** Takes the view away. */
		clear,
		dispose() {
			ending.abort();
			redraw?.dispose();
			owned.dispose();
		},
	};
}

interface HistoryRowParts {
	/** Unique in the view. */
	readonly id: string;
	readonly within: Within;
	readonly entry: HistoryEntry;
	readonly nowMs: () => number;
}

/** Row of a commit that changed the path. Menus treat it as the commit; a click opens its change to the path. */
function historyRow(parts: HistoryRowParts): TreeNode {
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
function commitsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', count);
}

/** Number of searched commits, on the row that continues the search. */
function searchedText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit searched') : vscode.l10n.t('{0} commits searched', count);
}
