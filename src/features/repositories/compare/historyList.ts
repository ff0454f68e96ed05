import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { cancelled } from '../../../editor/ask.ts';
import { withoutPictures } from '../../../editor/notify.ts';
import type { Problems } from '../../../editor/problems.ts';
import type { FileHistory, HistoryEntry } from '../../../state/fileHistory.ts';
import { shortAge } from '../../../text/age.ts';
import { visibleLine } from '../../../text/visible.ts';
import { shownName, titleOf } from '../words.ts';

export interface HistoryListParts {
	readonly history: FileHistory;
	/** The path as people read it. */
	readonly name: string;
	readonly nowMs: number;
	readonly problems: Problems;
}

interface HistoryRow extends vscode.QuickPickItem {
	/** `undefined` on the row that looks further. */
	readonly entry: HistoryEntry | undefined;
}

/**
 * Lists what changed a path while it is being found, and answers the entry that is chosen. How much was looked at and asked
 * for stands above the list; looking on after that is the reader's choice. Throws `cancelled()` when the list is closed,
 * which ends the search as well.
 */
export async function chooseFromHistory(parts: HistoryListParts, signal: AbortSignal): Promise<HistoryEntry> {
	const { history, problems } = parts;
	const looking = new AbortController();
	const working = AbortSignal.any([signal, looking.signal]);
	const box = vscode.window.createQuickPick<HistoryRow>();
	box.ignoreFocusOut = true;
	box.matchOnDescription = true;
	const answered = Promise.withResolvers<HistoryEntry>();
	let shown = -1;

	function show(): void {
		box.title = titleText(parts);
		const entries = history.entries();
		// Showing the list costs as much as it is long.
		if (entries.length !== shown || !box.busy) {
			const active = box.activeItems[0]?.entry;
			shown = entries.length;
			box.items = [...entries.map((entry) => entryRow(entry, parts)), ...(box.busy ? [] : lastRows(history))];
			const again = active && box.items.find(({ entry }) => entry === active);
			if (again) {
				box.activeItems = [again];
			}
		}
	}

	async function look(): Promise<void> {
		box.busy = true;
		box.placeholder = vscode.l10n.t('Looking through the commits. Escape ends the search.');
		try {
			await history.lookOn(working, show);
			box.placeholder = placeholderText(history);
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
				box.placeholder = problems.explain(error).message;
			}
		} finally {
			box.busy = false;
			show();
		}
	}

	let running = look();
	const subscriptions = [
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			if (row?.entry) {
				answered.resolve(row.entry);
			} else if (row && !box.busy) {
				running = look();
			}
		}),
		box.onDidHide(() => answered.reject(cancelled())),
	];
	box.show();
	try {
		return await answered.promise;
	} finally {
		looking.abort();
		await running;
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
		box.dispose();
	}
}

function titleText({ history, name }: HistoryListParts): string {
	return vscode.l10n.t(
		'History of {0} · changes: {1} · commits: {2} · requests: {3}',
		name,
		history.entries().length,
		history.commits(),
		history.requests(),
	);
}

function placeholderText(history: FileHistory): string {
	const isNone = history.entries().length === 0;
	if (!history.isWhole()) {
		return isNone
			? vscode.l10n.t('None of these commits changed it. There are older ones: look further.')
			: vscode.l10n.t('There are older commits. Choose a change, or look further.');
	}
	return isNone
		? vscode.l10n.t('No commit changed this.')
		: vscode.l10n.t('That is the whole history along the first parents. Choose a change.');
}

function lastRows(history: FileHistory): readonly HistoryRow[] {
	return history.isWhole()
		? []
		: [
				{
					label: vscode.l10n.t('Look further'),
					description: vscode.l10n.t('{0} commits were looked at so far', history.commits()),
					iconPath: new vscode.ThemeIcon('ellipsis'),
					alwaysShow: true,
					entry: undefined,
				},
			];
}

function entryRow(entry: HistoryEntry, { nowMs }: HistoryListParts): HistoryRow {
	const { commit, before, after } = entry;
	const age = shortAge(commit.timestampMs, nowMs, vscode.env.language);
	const moved = before && after && before.path !== after.path ? { from: before.path } : undefined;
	return {
		label: withoutPictures(titleOf(commit)),
		description: withoutPictures(
			[kindText(entry), visibleLine(commit.author.name), age, visibleLine(commit.shortId)].join(' · '),
		),
		...(moved ? { detail: withoutPictures(vscode.l10n.t('moved here from {0}', shownName(moved.from))) } : {}),
		iconPath: new vscode.ThemeIcon('git-commit'),
		entry,
	};
}

function kindText({ before, after }: HistoryEntry): string {
	if (!before) {
		return vscode.l10n.t('added');
	}
	if (!after) {
		return vscode.l10n.t('deleted');
	}
	return before.path === after.path ? vscode.l10n.t('changed') : vscode.l10n.t('moved');
}
